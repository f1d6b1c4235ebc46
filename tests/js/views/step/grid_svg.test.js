import assert from "node:assert/strict";
import { test } from "node:test";

import { grid } from "../../../../static/js/core/kinds/grid.js";
import { DEFAULTS } from "../../../../static/js/core/grid_state.js";
import { ExportRefused } from "../../../../static/js/core/errors.js";
import { stepOf } from "../../../../static/js/views/step/grid_step.js";
import { draw } from "../../../../static/js/views/step/svg.js";
import { captioner, pictureTrace } from "../../picture_traces.js";
import { parsed, texts } from "../../xml.js";

const HOW = {
  measure: (text, { size }) => text.length * size * 0.5,
  moment: null,
  model: { stepOf },
  companions: null,
  heat: () => "",
};
const scene = (change = {}, trace = pictureTrace()) =>
  grid.sceneOf(trace, { ...DEFAULTS, view: "step", step: 1, ...change }, captioner());
const drawn = (change, trace, how = {}) => draw(scene(change, trace), { ...HOW, ...how }).svg;

test("a captioner's step stands on paper as far as it is shown", () => {
  const said = (part) => texts(drawn({ part })).join(" ");
  assert.match(said(null), /1 ?The decoder’s state asks.*6 ?The next word/);
  assert.match(said(null), /α from 0 to 0.813; all 16 sum to 1/);
  assert.match(said(null), /β 0.200: how much the picture counted/);
  assert.match(said(0), /The next word/);
  assert.doesNotMatch(said(0), /α from 0/);
});

test("scores, weights and regions have a mark for each cell, over the photo once", () => {
  const svg = drawn();
  const cells = parsed(svg).filter(
    ({ name, attributes }) => name === "rect" && attributes.width === "50",
  );
  assert.equal(cells.length, 3 * 16);
  assert.equal(svg.match(/image\/jpeg/g).length, 1);
});

test("the frames of an animation have one size", () => {
  const sizes = [0, 3, 5].map((part) => {
    const { width, height } = draw(scene(), { ...HOW, moment: { row: 1, current: null, part } });
    return `${width} ${height}`;
  });
  assert.equal(new Set(sizes).size, 1);
});

test("a step without numbers is refused with the reason", () => {
  assert.throws(() => drawn({}, pictureTrace({ steps: [] })), ExportRefused);
});
