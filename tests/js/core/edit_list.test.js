import assert from "node:assert/strict";
import { test } from "node:test";

import {
  cellPlace,
  columnPlace,
  firstStep,
  mapPlace,
  nameOf,
  onlyHead,
  refusalOf,
  rowPlace,
  withBlock,
  withRowsOf,
  withScoresOf,
  withTemperature,
  withUniform,
  withWeight,
  withoutHead,
} from "../../../static/js/core/edit_list.js";
import { sceneOf } from "../../../static/js/core/scene.js";
import { DEFAULTS } from "../../../static/js/core/state.js";
import { storyTrace } from "../stories.js";
import { axis, map, model, trace } from "../traces.js";

const source = axis([["the"], ["th", "ird"], ["of"]]);
const target = axis([["1979"], ["0", "5"]], "mean", "-");
const maps = (kind, change = {}) =>
  [0, 1].flatMap((layer) =>
    [0, 1].map((head) => map(source, target, { kind, layer, head, ...change })),
  );
const many = trace({ source, target, maps: maps("cross") });
const settings = (change) => ({ ...DEFAULTS, ...change });
const scene = (made = trace({ source, target }), change = {}) =>
  /** @type {any} */ (sceneOf(made, settings(change), model()));

test("a cell stands for all tokens of its row and its column", () => {
  assert.deepEqual(cellPlace(scene(), "head", 1, 1), {
    queries: { first: 1, last: 2 },
    keys: { first: 1, last: 2 },
  });
  assert.deepEqual(rowPlace(scene(), "head", 0), { queries: 0 });
});

test("an edit is of the head that is shown, of its layer, or of all", () => {
  const shown = scene(many, { layer: 1, head: 0 });
  assert.deepEqual(mapPlace(shown, "head"), { layers: 1, heads: 0 });
  assert.deepEqual(mapPlace(shown, "layer"), { layers: 1 });
  assert.deepEqual(mapPlace(shown, "all"), {});
  assert.deepEqual(columnPlace(shown, 0), { keys: 0 });
  assert.deepEqual(mapPlace(scene(many, { layer: 1, pool: "mean" }), "head"), { layers: 1 });
});

test("the kind of a map is named if it is not cross-attention", () => {
  const own = { query: "source", key: "source" };
  const made = trace({ source, target, maps: [...maps("cross"), ...maps("encoder-self", own)] });
  const shown = scene(made, { map: "encoder-self", layer: 0, head: 1 });
  assert.deepEqual(mapPlace(shown, "head"), { kind: "encoder-self", layers: 0, heads: 1 });
});

test("the last edit of a cell has the last word", () => {
  const [one, other] = [
    { queries: 0, keys: 1 },
    { queries: 0, keys: 2 },
  ];
  const first = withWeight(withWeight([], one, 0.5), other, 0.5);
  assert.deepEqual(withWeight(first, one, 0.3), [
    { op: "set", ...other, weight: 0.5 },
    { op: "set", ...one, weight: 0.3 },
  ]);
  assert.deepEqual(withBlock(withWeight([], one, 0.5), one), [{ op: "block", ...one }]);
});

test("a block, a uniform row and a silent head are taken off as they are put on", () => {
  const place = { queries: 0, keys: 1 };
  for (const change of [withBlock, withUniform, withoutHead]) {
    const once = change([], place);
    assert.equal(once.length, 1);
    assert.deepEqual(change(once, place), []);
  }
});

test("temperature 1 is no edit", () => {
  const twice = withTemperature(withTemperature([], {}, 2), {}, 3);
  assert.deepEqual(twice, [{ op: "temperature", temperature: 3 }]);
  assert.deepEqual(withTemperature(twice, {}, 1), []);
});

test("only one head counts when all others are silent", () => {
  const added = onlyHead([], scene(many, { layer: 1, head: 0 }));
  assert.deepEqual(added, [
    { op: "silence", keys: "all", layers: 0 },
    { op: "silence", keys: "all", layers: 1, heads: 1 },
  ]);
  assert.deepEqual(onlyHead(added, scene(many, { layer: 1, head: 0 })), added);
});

test("the first step that can change is that of the first row", () => {
  assert.equal(
    firstStep([
      { op: "uniform", queries: 4 },
      { op: "uniform", queries: [7, 3] },
    ]),
    3,
  );
  assert.equal(firstStep([{ op: "uniform", queries: { first: 2, last: 5 } }]), 2);
  assert.equal(firstStep([{ op: "block", words: "the" }]), 0);
  assert.equal(firstStep([{ op: "uniform", kind: "encoder-self", queries: 4 }]), 0);
});

test("the rows of an edit move at once, by all edits of each row", () => {
  /** @type {import("../../../static/js/core/types").Edit[]} */
  const [block, set] = [
    { op: "block", words: "third", queries: 0 },
    { op: "set", keys: 0, queries: 0, weight: 0.25 },
  ];
  const made = trace({ source, target });
  const now = withRowsOf(made, [block, set], set);
  const [row] = now.maps[0].weights;
  assert.ok(Math.abs(row[0] - 0.25) < 1e-9, `${row}`);
  assert.deepEqual([row[1], row[2]], [0, 0]);
  assert.equal(now.maps[0].weights[1], made.maps[0].weights[1]);
});

test("an answer without scores has those of the rows that a drag moves", () => {
  const bare = trace({ source, target, maps: maps("cross", { scores: null }) });
  /** @type {import("../../../static/js/core/types").Edit} */
  const edit = { op: "set", layers: 1, heads: 0, queries: 1, keys: 0, weight: 0.25 };
  const known = withScoresOf(bare, many, edit);
  const [other, , own] = known.maps;
  assert.equal(other.scores, null);
  assert.deepEqual(own.scores, [[], many.maps[2].scores[1], [], []]);
  const moved = withRowsOf(known, [edit], { ...edit, queries: "all" }).maps[2].weights;
  assert.ok(Math.abs(moved[1][0] - 0.25) < 1e-9, `${moved[1]}`);
  assert.deepEqual(moved.toSpliced(1, 1), bare.maps[2].weights.toSpliced(1, 1));
});

test("edits of other heads leave a map as it is", () => {
  /** @type {import("../../../static/js/core/types").Edit} */
  const edit = { op: "uniform", layers: 1, heads: 0, queries: 0 };
  const moved = withRowsOf(many, [edit], edit).maps.map((one, at) => one !== many.maps[at]);
  const uniform = withRowsOf(many, [edit], edit).maps[2].weights[0];
  assert.deepEqual(moved, [false, false, true, false]);
  assert.ok(uniform.every((value) => Math.abs(value - 0.2) < 1e-9));
});

test("an edit has a name that says what it does and where", () => {
  const name = (edit) => nameOf(edit, many);
  assert.equal(name({ op: "block", keys: { first: 1, last: 2 } }), "block “third”");
  assert.equal(name({ op: "set", words: "of", weight: 0.8, queries: 3 }), "“of” = 0.8 at step 4");
  assert.equal(
    name({ op: "uniform", queries: [0, 2], heads: 1, layers: 0 }),
    "uniform at steps 1, 3 · head 2 · layer 1",
  );
  assert.equal(name({ op: "silence", keys: "all", heads: 0 }), "silence · head 1");
  assert.equal(name({ op: "gate", value: 0 }), "gate β = 0");
  assert.equal(name({ op: "only", keys: 4 }), "only “the end”");
  assert.equal(
    name({ op: "block", kind: "decoder-self", keys: 1 }),
    "block “1979” · masked self-attention",
  );
});

test("an edit of a story names its hop and its sentence", () => {
  const name = (edit) => nameOf(edit, storyTrace());
  assert.equal(name({ op: "block", keys: 1, queries: 1 }), "block “Mary left.” at hop 2");
  assert.equal(name({ op: "set", keys: 0, weight: 1, queries: 0 }), "“no sentence” = 1 at hop 1");
});

test("a map that is no softmax of scores cannot be edited, with the reason", () => {
  assert.equal(refusalOf(scene()), "");
  assert.match(refusalOf(scene(trace({ source, target, maps: [] }))), /no attention/);
  const bare = trace({ source, target, maps: [map(source, target, { scores: null })] });
  assert.match(refusalOf(scene(bare)), /no scores/);
});
