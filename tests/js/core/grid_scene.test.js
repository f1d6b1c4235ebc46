import assert from "node:assert/strict";
import { test } from "node:test";

import { DEFAULTS } from "../../../static/js/core/grid_state.js";
import { firstCell } from "../../../static/js/core/grid.js";
import { cellNote, selectionNote } from "../../../static/js/core/grid_sentences.js";
import {
  drawnAt,
  gateOf,
  attentionTo,
  probabilityOf,
  topOf,
} from "../../../static/js/core/grid_scene.js";
import { grid } from "../../../static/js/core/kinds/grid.js";
import { stepOf } from "../../../static/js/views/step/grid_step.js";
import { photoFigure } from "../../../static/js/views/photo/model.js";
import { shownAspect } from "../../../static/js/core/photo_map.js";
import { axis, partial } from "../traces.js";
import { captioner, map, pictureTrace } from "../picture_traces.js";

const scene = (change = {}, trace = pictureTrace()) =>
  grid.sceneOf(trace, { ...DEFAULTS, ...change }, captioner());
const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-9, `${a} is not ${b}`);

test("pieces merge to words, and a row still sums to 1", () => {
  const { rows, weights } = scene();
  assert.deepEqual(
    rows.map(({ text }) => text),
    ["a", "black", "cat", "</s>"],
  );
  for (const row of weights)
    near(
      row.reduce((sum, value) => sum + value, 0),
      1,
    );
  near(weights[2][5], (0.8 + 0.0125 + 0.0125) / 2);
  near(weights[2][7], (0.8 + 0.0125 + 0.0125) / 2);
});

test("a word's β is the mean of its pieces', its probability their product", () => {
  near(gateOf(scene(), 2), 0.35);
  near(probabilityOf(scene(), 2), 0.64);
  assert.equal(gateOf(scene({}, pictureTrace({ steps: [] })), 2), null);
});

test("read the other way round, a place tells which words looked there", () => {
  const { weights } = scene();
  const given = attentionTo(weights, [5]);
  assert.equal(given.indexOf(Math.max(...given)), 1);
  near(attentionTo(weights, [0, 5])[0], 0.8 + 0.025);
  assert.deepEqual(attentionTo(weights, []), [0, 0, 0, 0]);
});

test("the strongest colour is of the row or of all", () => {
  const now = scene();
  near(topOf({ ...now, scale: "row" }, 2), 0.4125);
  near(topOf({ ...now, scale: "whole" }, 2), 0.8125);
});

test("edits are shown by what they changed, up to the step at which the texts part", () => {
  const made = pictureTrace();
  const before = { ...pictureTrace({ maps: [map([0, 4, 5, 7, 15])] }), changes: [], parts_at: 1 };
  const trace = { ...made, baseline: before };
  const now = scene({ editing: "difference", step: 1 }, trace);
  near(now.difference?.[1][5] ?? 0, 0.8);
  near(now.difference?.[1][4] ?? 0, -0.8);
  assert.ok(now.difference?.[2].every((change) => change === 0));
  near(topOf({ ...now, scale: "row" }, 1), 0.8);
  assert.match(cellNote(now, 1, 5), /α 0\.8125, was 0\.0125 before the edits/);
  assert.doesNotMatch(cellNote(now, 2, 5), /before the edits/);
  const [heat] = photoFigure({ ...now, smoothing: 0 }, 1, { width: 10, height: 10 }).data;
  assert.deepEqual([heat.zmin, heat.zmax], [-0.8, 0.8]);
  assert.equal(scene({ editing: "difference", view: "sheet" }, trace).difference, null);
});

test("the head that was measured to look best is shown first, if any was measured", () => {
  const maps = [0, 1].flatMap((layer) =>
    [0, 1].map((head) => map([0, 5, 5, 7, 15], { layer, head })),
  );
  const quality = { scenes_layer0_head1: 0.36, scenes_layer1_head0: 0.2, scenes_layer0_mean: 0.9 };
  const found = grid.sceneOf(pictureTrace({ maps }), { ...DEFAULTS }, { ...captioner(), quality });
  assert.deepEqual([found.picked?.layer, found.picked?.head, found.pool], [0, 1, null]);
  const pooled = grid.sceneOf(
    pictureTrace({ maps }),
    { ...DEFAULTS, pool: "mean" },
    { ...captioner(), quality },
  );
  assert.equal(pooled.pool, "mean");
});

test("several heads are merged until one is chosen", () => {
  const maps = [0, 1].flatMap((layer) =>
    [0, 1].map((head) => map([0, 5, 5, 7, 15], { layer, head })),
  );
  const trace = pictureTrace({
    maps: [...maps, map([0, 0, 0, 0, 0], { kind: "decoder-self", key: "decoder_input" })],
  });
  assert.equal(scene({}, trace).pool, "mean");
  assert.deepEqual(scene({}, trace).layers, [0, 1]);
  const one = scene({ head: 1, layer: 0 }, trace);
  assert.equal(one.pool, null);
  assert.equal(one.picked.head, 1);
  assert.deepEqual(one.kinds, ["cross"]);
});

test("what was drawn is a map beside the distribution", () => {
  const steps = pictureTrace().steps.map((step, index) => ({
    ...step,
    drawn: { cell: index, log_probability: -0.5 },
  }));
  const trace = pictureTrace({
    steps,
    maps: [map([0, 5, 5, 7, 15]), map([1, 1, 1, 1, 1], { kind: "drawn" })],
  });
  assert.deepEqual(scene({}, trace).kinds, ["cross", "drawn"]);
  assert.equal(scene({}, trace).picked.kind, "cross");
  const drawn = scene({ map: "drawn" }, trace);
  near(drawn.weights[0][1], 0.8125);
  assert.deepEqual(
    drawnAt(drawn, 2).map(({ cell }) => cell),
    [2, 3],
  );
});

test("a question's words have weights of their own", () => {
  const question = axis([["what"], ["colo", "ur"]]);
  const asked = map([], {
    key: "question",
    weights: Array(5).fill([0.1, 0.4, 0.3, 0.2]),
    scores: null,
  });
  const made = scene(
    {},
    pictureTrace({ question, task: "ask", maps: [map([0, 5, 5, 7, 15]), asked] }),
  ).asked;
  assert.deepEqual(
    made.words.map(({ text }) => text),
    ["what", "colour", "</s>"],
  );
  near(made.weights[2][1], 0.7);
});

test("what does not fit falls back to what does", () => {
  const made = scene({ step: 99, pick: 5, cells: [3, 99], layer: 7, head: 4 });
  assert.equal(made.row, 3);
  assert.equal(made.pick, 0);
  assert.deepEqual(made.cells, [3]);
});

test("by default the noun with the sharpest attention is shown, however sharp another word is", () => {
  const even = Array(16).fill(1 / 16);
  const weights = [
    even,
    even,
    even,
    even,
    Array.from({ length: 16 }, (_, cell) => Number(cell === 3)),
  ];
  weights[1] = weights[4].map((value) => value * 0.5 + 0.5 / 16);
  assert.equal(scene({}, pictureTrace({ maps: [map([], { weights })] })).row, 2);
  assert.equal(scene({ step: 0 }, pictureTrace({ maps: [map([], { weights })] })).row, 0);
});

test("a sentence names the word, the place and the gate", () => {
  assert.equal(
    grid.sentence(scene(), 1),
    "Step 2 of 4: wrote “black” (probability 50.0\u00a0%), attending mostly to the middle (0.85). Gate β = 0.20: how much the picture counted for this word.",
  );
  const even = pictureTrace({
    maps: [map([], { weights: Array(5).fill(Array(16).fill(1 / 16)) })],
  });
  assert.match(grid.sentence(scene({}, even), 0), /with its attention spread out/);
  assert.match(
    grid.sentence(scene({}, pictureTrace({ finish: "forced" })), 1),
    /given “black” \(probability 50\.0/,
  );
});

test("a drawn cell is described with its probability", () => {
  const steps = pictureTrace().steps.map((step) => ({
    ...step,
    drawn: { cell: 15, log_probability: Math.log(0.25) },
  }));
  assert.match(
    grid.sentence(scene({}, pictureTrace({ steps })), 0),
    /Cell drawn: row 4, column 4, at the lower right \(probability 25\.0/,
  );
});

test("selected cells name the words with the most attention to them", () => {
  assert.match(selectionNote(scene()), /^Press a place/);
  assert.match(
    selectionNote(scene({ cells: [5] })),
    /row 2, column 2, at the middle\. Most attention from “black” \(0\.81\) and “cat” \(0\.41\)/,
  );
  assert.match(
    cellNote(scene(), 0, 5),
    /row 2, column 2: α 0\.0125, e −\d.* for “a”\nhighest for “black”, 0\.8125/,
  );
});

test("neither a note nor the first cell shows a map that is hidden for a guess", () => {
  const hidden = scene({ opacity: 0 });
  assert.equal(cellNote(hidden, 1, 5), "row 2, column 2, at the middle");
  assert.deepEqual([firstCell(scene(), 1), firstCell(hidden, 1)], [5, 10]);
});

test("a step is a chain of numbers that hangs together", () => {
  const made = scene({ view: "step", step: 2 });
  assert.equal(made.rows.length, 4);
  assert.equal(made.parts, 6);
  assert.equal(made.pieces[made.row], 2);
  const chain = stepOf(made, made.row);
  for (const { exponential, weight } of chain.cells) near(exponential / chain.sum, weight);
  assert.equal(chain.gate, 0.3);
  assert.equal(chain.fed.text, "black");
  assert.equal(scene({ view: "step" }, pictureTrace({ steps: [] })).parts, 1);
});

test("Plotly gets the photo below, the field over it, and cells to point at", () => {
  const { data, layout } = partial(
    photoFigure(scene({ smoothing: 0 }), 1, { width: 400, height: 200 }),
  );
  assert.equal(data[0].zsmooth, false);
  assert.equal(data[0].z.length, 4);
  assert.equal(data[1].z[1][1], 0.8125);
  assert.deepEqual(layout.xaxis.range, [-0.5, 3.5]);
  assert.deepEqual(layout.yaxis.range, [3.5, -0.5]);
  assert.equal(layout.images[0].sizex, 4);
  /** @type {any} */
  const smooth = photoFigure(scene(), 1, { width: 400, height: 200 });
  assert.equal(smooth.data[0].z.length, 24);
  assert.equal(smooth.data[0].zsmooth, "fast");
});

test("a very long or wide picture is limited in its shape", () => {
  assert.equal(shownAspect({ width: 8000, height: 10 }), 4);
  assert.equal(shownAspect({ width: 10, height: 8000 }), 0.3);
  assert.equal(shownAspect({ width: 300, height: 200 }), 1.5);
});
