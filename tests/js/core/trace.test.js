import assert from "node:assert/strict";
import { test } from "node:test";

import {
  choices,
  decoderInput,
  hypotheses,
  items,
  layered,
  merge,
  mergeable,
  pick,
  pooled,
  rowOf,
  viewOf,
} from "../../../static/js/core/trace.js";
import { axis, map, trace, partial } from "../traces.js";

const sums = (matrix) => matrix.map((row) => row.reduce((total, value) => total + value, 0));

test("weights are summed over input tokens and averaged over output tokens", () => {
  const columns = items(axis([["un", "like"], ["this"]]), "words");
  const rows = items(axis([["so"], ["ge", "nau"]], "mean"), "words");
  const matrix = [
    [0.1, 0.2, 0.3, 0.4],
    [0.4, 0.4, 0.1, 0.1],
    [0.0, 0.2, 0.7, 0.1],
    [0.0, 0.0, 0.0, 1.0],
  ];
  const merged = merge(matrix, rows, columns);
  assert.deepEqual(
    merged[0].map((value) => +value.toFixed(9)),
    [0.3, 0.3, 0.4],
  );
  assert.deepEqual(
    merged[1].map((value) => +value.toFixed(9)),
    [0.5, 0.4, 0.1],
  );
  assert.deepEqual(merged[2], [0, 0, 1]);
});

test("a merged row still sums to 1, whatever the words are cut into", () => {
  for (let seed = 1; seed < 60; seed++) {
    const cut = (salt) =>
      Array.from({ length: 1 + ((seed * salt) % 5) }, (_, i) =>
        Array.from({ length: 1 + ((seed + i * salt) % 4) }, () => "ab"),
      );
    const [source, target] = [axis(cut(7)), axis(cut(11), "mean")];
    const matrix = target.tokens.map((_, i) => {
      const raw = source.tokens.map((_, j) => 1 + ((i * 31 + j * 17 + seed) % 13));
      const total = raw.reduce((a, b) => a + b);
      return raw.map((value) => value / total);
    });
    const merged = merge(matrix, items(target, "words"), items(source, "words"));
    for (const sum of sums(merged)) assert.ok(Math.abs(sum - 1) < 1e-9, `seed ${seed}: ${sum}`);
  }
});

test("subwords are the matrix as it is", () => {
  const { source, target } = trace();
  const matrix = map(source, target).weights;
  assert.deepEqual(merge(matrix, items(target, "subwords"), items(source, "subwords")), matrix);
});

test("a score is kept only where one piece meets one piece", () => {
  const rows = items(axis([["a"], ["b", "c"]]), "words");
  const columns = items(axis([["x", "y"], ["z"]]), "words");
  assert.deepEqual(
    pick(
      [
        [1, 2, 3, 4],
        [5, 6, 7, 8],
        [9, 10, 11, 12],
        [13, 14, null, 16],
      ],
      rows,
      columns,
    ),
    [
      [null, 3, 4],
      [null, null, null],
      [null, null, 16],
    ],
  );
});

test("a token is shown as it stands in the user's own string, counted in code points", () => {
  const source = axis([["🎉🎉", "é"], ["x"]]);
  assert.deepEqual(
    items(source, "subwords").map((item) => item.text),
    ["🎉🎉", "é", "x", "</s>"],
  );
});

test("words without a token are no column", () => {
  const source = axis([["a"], ["b"]]);
  source.words.splice(1, 0, { text: " ", start: 1, end: 2, special: false });
  source.tokens.forEach((token, index) => index > 0 && (token.word += 1));
  assert.deepEqual(
    items(source, "words").map((item) => item.text),
    ["a", "b", "</s>"],
  );
});

test("words and pieces differ only where a word has several", () => {
  assert.equal(mergeable(axis([["a"], ["b"]])), false);
  assert.equal(mergeable(axis([["a", "b"]])), true);
});

test("without a map there are still rows and columns", () => {
  const bare = trace({ maps: [] });
  const view = viewOf(bare, bare, null, "subwords");
  assert.equal(view.weights, null);
  assert.equal(view.rows.length, 4);
  assert.equal(view.columns.length, 6);
});

test("a map of the source with itself has the source on both sides", () => {
  const { source, target } = trace();
  const self = map(source, target, { kind: "encoder-self", query: "source" });
  /** @type {any} */
  const made = trace({ maps: [self] });
  const view = viewOf(made, made, self, "words");
  assert.equal(view.rowAxis, "source");
  assert.equal(view.rowText, view.columnText);
  assert.equal(view.rows.length, view.columns.length);
});

test("the last layer and the first head are shown until another is chosen", () => {
  const { source, target } = trace();
  /** @type {any} */
  const maps = [0, 1].flatMap((layer) =>
    [0, 1, 2].map((head) => map(source, target, { layer, head })),
  );
  /** @type {any} */
  const made = trace({ maps });
  const free = choices(made, { map: null, layer: null, head: null, pool: null });
  assert.deepEqual(
    [free.layers, free.heads],
    [
      [0, 1],
      [0, 1, 2],
    ],
  );
  assert.deepEqual([free.picked.layer, free.picked.head], [1, 0]);
  const chosen = choices(made, { map: null, layer: 0, head: 2, pool: null }).picked;
  assert.deepEqual([chosen.layer, chosen.head], [0, 2]);
  const impossible = choices(made, { map: "decoder-self", layer: 9, head: 9, pool: null }).picked;
  assert.deepEqual([impossible.kind, impossible.layer, impossible.head], ["cross", 1, 0]);
  assert.equal(
    choices(trace({ maps: [] }), { map: null, layer: null, head: null, pool: null }).picked,
    null,
  );
});

test("the best hypothesis comes first, then the runners-up", () => {
  const other = { text: "other" };
  /** @type {any} */
  const made = trace({ runners_up: [other] });
  assert.deepEqual(hypotheses(made), [made, other]);
});

test("a token finds its row in any units, and one past the end the last row", () => {
  const words = items(axis([["a"], ["b", "c"]]), "words");
  assert.deepEqual(
    [0, 1, 2, 3, 99].map((token) => rowOf(words, token)),
    [0, 1, 1, 2, 2],
  );
  assert.equal(rowOf([], 3), 0);
});

test("the keys of decoder self-attention are its output, shifted by one step", () => {
  const { source, target } = trace();
  const self = map(source, target, { kind: "decoder-self", key: "decoder_input" });
  /** @type {any} */
  const made = trace({ maps: [self] });
  const view = viewOf(made, made, self, "subwords");
  assert.deepEqual(
    view.columns.map((item) => item.text),
    ["<s>", ...view.rows.slice(0, -1).map((item) => item.text)],
  );
  assert.deepEqual(
    decoderInput(axis([["a", "b"], ["c"]])).tokens.map((token) => token.word),
    [0, 1, 1, 2],
  );
});

test("heads become one by their mean, by the largest of each cell, or layer over layer", () => {
  const own = (layer, head, weights) => ({
    kind: "encoder-self",
    layer,
    head,
    query: "source",
    key: "source",
    weights,
    scores: weights,
  });
  const [stay, swap] = [
    [
      [1, 0],
      [0, 1],
    ],
    [
      [0, 1],
      [1, 0],
    ],
  ];
  /** @type {any} */
  const maps = [own(0, 0, stay), own(0, 1, swap), own(1, 0, swap), own(1, 1, swap)];
  assert.deepEqual(pooled(maps, 0, "mean").weights, [
    [0.5, 0.5],
    [0.5, 0.5],
  ]);
  assert.deepEqual(pooled(maps, 1, "max").weights, [
    [0, 1],
    [1, 0],
  ]);
  assert.deepEqual(pooled(maps, 0, "max").weights, [
    [0.5, 0.5],
    [0.5, 0.5],
  ]);
  // half of the first layer stays, half is mixed: [[3/4, 1/4], …]; the second mixes what it gets
  assert.deepEqual(pooled(maps, 1, "rollout").weights, [
    [0.5, 0.5],
    [0.5, 0.5],
  ]);
  assert.deepEqual(pooled(maps, 0, "rollout").weights, [
    [0.75, 0.25],
    [0.25, 0.75],
  ]);
  for (const how of ["mean", "max", "rollout"]) {
    /** @type {any} */
    const made = pooled(maps, 1, partial(how));
    assert.equal(made.scores, null);
    for (const row of made.weights) assert.ok(Math.abs(row[0] + row[1] - 1) < 1e-12);
  }
});

test("heads of which some are not loaded are not merged", () => {
  const [there, missing] = [[[1]], []];
  const merged = (how, ...weights) => {
    /** @type {any} */
    const maps = weights.map((each, number) => ({ layer: number >> 1, weights: each }));
    return pooled(maps, 1, how).weights;
  };
  for (const how of ["mean", "max", "rollout"])
    assert.deepEqual(merged(how, there, there, there, missing), []);
  assert.deepEqual(merged("rollout", there, missing, there, there), []);
  assert.deepEqual(merged("mean", there, missing, there, there), [[1]]);
});

test("merged heads have no vectors", () => {
  const vectors = [{ size: 1, norm: 1, summary: [1], values: null }];
  /** @type {any} */
  const heads = [0, 1].map((head) => ({
    ...map(axis([["a"]]), axis([["b"]], "mean"), { head }),
    queries: vectors,
    keys: vectors,
    values: vectors,
  }));
  for (const how of ["mean", "max", "rollout"]) {
    /** @type {any} */
    const made = pooled(heads, 0, partial(how));
    assert.deepEqual(
      [made.scores, made.queries, made.keys, made.values],
      [null, undefined, undefined, undefined],
    );
  }
});

test("a decoder with layers is recognized by its self-attention", () => {
  assert.equal(layered(trace()), false);
  const { source, target } = trace();
  assert.equal(
    layered(trace({ maps: [map(source, target, { kind: "decoder-self", key: "decoder_input" })] })),
    true,
  );
});

test("heads can be pooled where there are several, and rolled out where a layer looks at itself", () => {
  const of = (kind, layers, heads) => {
    const { source, target } = trace();
    const key = kind === "cross" ? "source" : kind === "encoder-self" ? "source" : "decoder_input";
    const query = kind === "encoder-self" ? "source" : "target";
    /** @type {any} */
    const maps = [];
    for (let layer = 0; layer < layers; layer++)
      for (let head = 0; head < heads; head++)
        maps.push(map(source, target, { kind, layer, head, query, key }));
    return choices(trace({ source, target, maps }), {
      map: kind,
      layer: null,
      head: null,
      pool: "rollout",
    });
  };
  assert.deepEqual(of("cross", 1, 1).pools, []);
  assert.deepEqual(of("cross", 2, 2).pools, ["mean", "max"]);
  assert.equal(of("cross", 2, 2).pool, null);
  assert.deepEqual(of("decoder-self", 2, 1).pools, ["rollout"]);
  assert.equal(of("encoder-self", 2, 4).pool, "rollout");
});

test("a rare word is marked as a word and in each of its tokens", () => {
  const source = { ...axis([["a"], ["b", "c"]]), rare_words: [1] };
  assert.deepEqual(
    items(source, "words").map(({ rare }) => rare),
    [undefined, true, undefined],
  );
  assert.deepEqual(
    items(source, "subwords").map(({ rare }) => rare),
    [undefined, true, true, undefined],
  );
});
