import assert from "node:assert/strict";
import { test } from "node:test";

import { frames } from "../../../../static/js/export/gif/frames.js";
import { draw as drawPhoto } from "../../../../static/js/views/photo/svg.js";
import { draw as drawSheet, panelSize } from "../../../../static/js/views/sheet/svg.js";
import { grid } from "../../../../static/js/core/kinds/grid.js";
import { DEFAULTS } from "../../../../static/js/core/grid_state.js";
import { paintOf } from "../../../../static/js/core/photo_colours.js";
import { ROOM } from "../../../../static/js/draw/paper/sheet.js";
import { axis } from "../../traces.js";
import { parsed } from "../../xml.js";
import { captioner, pictureTrace } from "../../picture_traces.js";

const HOW = {
  measure: (text, { size }) => text.length * size * 0.5,
  moment: null,
  companions: null,
  heat: (row) => `data:image/png;base64,${row}`,
};
const scene = (change = {}, trace = pictureTrace()) =>
  grid.sceneOf(trace, { ...DEFAULTS, ...change }, captioner());

test("the sheet has a panel for each word, and the photo once", () => {
  const { svg } = drawSheet(scene(), HOW);
  assert.equal(svg.match(/<use /g).length, 4);
  assert.equal(svg.match(/image\/jpeg/g).length, 1);
  assert.equal(svg.match(/image\/png/g).length, 4);
  for (const word of ["black", "cat", "⟨end⟩"]) assert.match(svg, new RegExp(`>${word}<`));
});

test("one word is drawn alone, with its sentence", () => {
  const { svg } = drawPhoto(scene({ step: 1 }), HOW);
  assert.equal(svg.match(/<use /g).length, 1);
  assert.match(svg, /base64,1"/);
  assert.match(svg, /wrote “black”/);
});

test("a figure of a photo can do without its header, and is as wide as it is wanted", () => {
  const drawn = (paper) => drawPhoto({ ...scene({ step: 1 }), paper }, HOW);
  const paper = { header: true, numbers: true, colours: /** @type {const} */ ("heat") };
  assert.match(drawn({ ...paper, millimetres: null }).svg, /a black cat/);
  const { svg, width, print } = drawn({ ...paper, header: false, millimetres: 85 });
  assert.doesNotMatch(svg.replace(/<title>.*?<\/title>/, ""), /a black cat/);
  assert.match(svg, /width="85mm"/);
  assert.ok(Math.abs((width * print * 25.4) / 96 - 85) < 1e-9);
});

test("each scale over a photo becomes lighter with the weight", () => {
  for (const colours of /** @type {const} */ (["heat", "cyan", "white"])) {
    const paint = paintOf("heat", 1, colours);
    const onGrey = (position) => {
      const [red, green, blue, cover] = paint(position);
      return cover * (0.2126 * red + 0.7152 * green + 0.0722 * blue) + (1 - cover) * 40;
    };
    const steps = Array.from({ length: 21 }, (_, step) => onGrey(step / 20));
    assert.ok(
      steps.every((value, step) => step < 4 || value >= steps[step - 1]),
      `${colours}: ${steps}`,
    );
  }
});

test("lines and drawn cells are drawn as lines", () => {
  const steps = pictureTrace().steps.map((step) => ({
    ...step,
    drawn: { cell: 15, log_probability: -1 },
  }));
  const { svg } = drawSheet(scene({ style: "outline" }, pictureTrace({ steps })), HOW);
  assert.equal(svg.match(/<path /g).length, 16);
  // Two for each cell drawn (the third word has two pieces, which drew the same), and the paper.
  assert.equal(svg.match(/<rect /g).length, 2 * 5 + 1);
});

test("the output is escaped in the SVG", () => {
  const target = axis([["<b>"], ["&"], ['"x"']], "mean");
  const trace = pictureTrace({ target, text: target.text, maps: [], steps: [] });
  const { svg } = drawSheet(scene({}, trace), HOW);
  assert.doesNotMatch(svg, /<b>/);
  assert.equal(parsed(svg).filter(({ name }) => name === "use").length, 4);
});

test("panels fill the page and none is too tall", () => {
  for (const aspect of [0.3, 0.7, 1, 1.5, 4]) {
    for (const count of [1, 2, 5, 20]) {
      const { width, height } = panelSize(count, aspect);
      assert.ok(width <= ROOM / 2);
      assert.ok(height <= width / aspect + 1e-9);
    }
  }
});

test("an animation goes word by word: its map, its sentence, and the caption so far", () => {
  const drawn = scene();
  const all = frames({ ...drawn, parts: 1 });
  const papers = all.map(({ moment }) => drawPhoto(drawn, { ...HOW, moment }));
  assert.equal(papers.length, drawn.rows.length + 1);
  assert.equal(new Set(papers.map(({ width, height }) => `${width} ${height}`)).size, 1);
  const maps = papers.map(({ svg }) => svg.match(/base64,(\d+)"/)[1]);
  assert.deepEqual(
    maps.slice(0, -1),
    drawn.rows.map((_, row) => String(row)),
  );
  assert.equal(maps.at(-1), String(drawn.row));
  const whole = drawn.output.text;
  assert.ok(!papers[0].svg.includes(`>${whole}<`));
  assert.ok(papers.at(-1).svg.includes(`>${whole}<`));
});
