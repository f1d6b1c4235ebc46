import assert from "node:assert/strict";
import { test } from "node:test";

import { grid } from "../../../../static/js/core/kinds/grid.js";
import { DEFAULTS } from "../../../../static/js/core/grid_state.js";
import { ExportRefused } from "../../../../static/js/core/errors.js";
import { draw } from "../../../../static/js/views/compare/grid_svg.js";
import { captioner, pictureTrace } from "../../picture_traces.js";
import { texts } from "../../xml.js";

const HOW = {
  measure: (text, { size }) => text.length * size * 0.5,
  moment: null,
  heat: (row, { model }) => `data:image/png;base64,${model.id}${row}`,
};
const scene = (id) =>
  grid.sceneOf(
    pictureTrace(),
    { ...DEFAULTS, step: 2 },
    captioner({ id, name: `Captions, ${id}` }),
  );

test("captioners stand side by side, each with its caption, its map and its measures", () => {
  const drawn = ["soft", "hard"].map(scene);
  const { svg } = draw(drawn[0], { ...HOW, companions: { models: [], answers: [], drawn } });
  const all = texts(svg);
  for (const name of ["soft", "hard"]) {
    assert.ok(all.includes(name));
    assert.ok(svg.includes(`base64,${name}2`));
  }
  assert.equal(all.filter((text) => text.startsWith("entropy")).length, 2);
});

test("captioners that have not answered are not exported", () => {
  assert.throws(() => draw(scene("soft"), { ...HOW, companions: null }), ExportRefused);
});
