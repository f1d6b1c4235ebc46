import assert from "node:assert/strict";
import { test } from "node:test";

import { partsOf } from "../../../../static/js/core/step_parts.js";
import { stepOf } from "../../../../static/js/views/step/token_step.js";
import { startedTrace, withStep } from "../../../../static/js/core/stream.js";
import { sumOf } from "../../../../static/js/views/step/model.js";
import { sceneOf } from "../../../../static/js/core/scene.js";
import { DEFAULTS } from "../../../../static/js/core/state.js";
import { map, trace, partial } from "../../traces.js";

const WIDTH = 4;
const dot = (one, other) => one.reduce((sum, value, place) => sum + value * other[place], 0);
const vector = (summary) => ({
  size: summary.length,
  norm: Math.hypot(...summary),
  summary,
  values: null,
});
const some = (count, seed) =>
  Array.from({ length: count }, (_, i) =>
    vector(Array.from({ length: WIDTH }, (_, cell) => Math.sin(seed + 7 * i + 3 * cell))),
  );

/** A map whose numbers follow from its vectors, which are short enough to be drawn whole. */
function headed(source, target, layer, head, change = {}) {
  const made = map(source, target, { layer, head, ...change });
  const [rows, columns] = [made.weights.length, made.weights[0].length];
  const seed = 10 * layer + head + 50 * made.kind.length;
  const [queries, keys, values] = [
    some(rows, seed),
    some(columns, 100 + seed),
    some(columns, 200 + seed),
  ];
  const seen = (row, column) => made.key !== "decoder_input" || column <= row;
  const scores = queries.map((q, row) =>
    keys.map((k, column) =>
      seen(row, column) ? dot(q.summary, k.summary) / Math.sqrt(WIDTH) : null,
    ),
  );
  const weights = scores.map((row) => {
    const exponentials = row.map((score) => (score === null ? 0 : Math.exp(score)));
    return exponentials.map(
      (value) => value / exponentials.reduce((total, each) => total + each, 0),
    );
  });
  return { ...made, scores, weights, queries, keys, values };
}

/** A Transformer's trace of two layers with two heads each; `all` tells the vectors of self-attention, too. */
function transformer(change = {}, all = false) {
  const plain = trace();
  const { source, target } = plain;
  const places = [
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
  ];
  const cross = places.map(([layer, head]) => headed(source, target, layer, head));
  const own = [
    { kind: "decoder-self", key: "decoder_input" },
    { kind: "encoder-self", query: "source" },
  ].flatMap((kind) =>
    places.map(([layer, head]) =>
      all
        ? headed(source, target, layer, head, kind)
        : map(source, target, { layer, head, ...kind }),
    ),
  );
  return {
    ...plain,
    model: { ...plain.model, mechanism: "multihead", order: "after" },
    memory: some(source.tokens.length, 5),
    maps: [...cross, ...own],
    ...change,
  };
}

/** @type {any} */
const model = {
  mechanism: "multihead",
  order: "after",
  heads: 2,
  granularity: "subwords",
  quality: {},
};
const shown = (made, settings = {}) =>
  sceneOf(made, { ...DEFAULTS, units: "subwords", view: "step", ...settings }, model);
/** @returns {any} */
const pieces = (part, chain) => chain.textOf(part).formula;
const text = (part, chain) =>
  pieces(part, chain)
    .map((piece) => (typeof piece === "string" ? piece : piece.symbol))
    .join("");
/** @returns {any} */
const meaning = (part, chain, symbol) =>
  pieces(part, chain).find((piece) => piece.symbol === symbol)?.meaning;
const close = (one, other) => assert.ok(Math.abs(one - other) < 1e-9, `${one} is not ${other}`);

test("the numbers of a head are a chain: query times key is the score, the weighted values are its sum", () => {
  for (const [layer, head] of [
    [0, 0],
    [0, 1],
    [1, 1],
  ]) {
    /** @type {any} */
    const chain = stepOf(shown(transformer(), { layer, head }), 1);
    for (const key of chain.keys)
      close(
        dot(chain.head.query.summary, key.key.summary) / Math.sqrt(chain.head.query.size),
        key.score,
      );
    for (const key of chain.keys) close(key.exponential / chain.sum, key.weight);
    for (let cell = 0; cell < WIDTH; cell += 1) {
      const sum = chain.keys.reduce(
        (total, { weight, value }) => total + weight * value.summary[cell],
        0,
      );
      close(chain.head.sum.summary[cell], sum);
    }
    assert.deepEqual(
      [chain.head.vectors, chain.head.layer, chain.head.head, chain.head.last],
      ["present", layer + 1, head + 1, layer === 1],
    );
  }
});

test("the same holds for heads of self-attention in decoder and encoder", () => {
  for (const kind of ["decoder-self", "encoder-self"]) {
    const scene = shown(transformer({}, true), { map: kind, layer: 0, head: 1 });
    const rows = scene.view.rows.length;
    for (const row of [0, rows - 1]) {
      const { head, keys, sum } = stepOf(scene, row);
      assert.deepEqual([head.vectors, head.kind, head.last], ["present", kind, false]);
      const looked = keys.filter(({ score }) => score !== null);
      assert.equal(looked.length, kind === "decoder-self" ? row + 1 : keys.length);
      assert.ok(
        keys.every(({ later }, column) => later === (kind === "decoder-self" && column > row)),
      );
      for (const { key, score, exponential, weight } of looked) {
        close(dot(head.query.summary, key.summary) / Math.sqrt(head.query.size), score);
        close(exponential / sum, weight);
      }
      for (let cell = 0; cell < WIDTH; cell += 1)
        close(
          head.sum.summary[cell],
          keys.reduce((total, { weight, value }) => total + weight * value.summary[cell], 0),
        );
    }
  }
});

test("self-attention of the encoder goes token by token, and predicts no word", () => {
  const scene = shown(transformer({}, true), { map: "encoder-self", layer: 1, head: 0, step: 2 });
  assert.deepEqual([scene.units, scene.row, scene.parts], ["subwords", 2, 5]);
  /** @type {any} */
  const chain = stepOf(scene, 2);
  assert.deepEqual(chain.parts, ["query", "scores", "weights", "context", "state"]);
  assert.equal(chain.state, scene.trace.memory[2]);
  assert.ok(chain.keys.every(({ memory }) => memory === null));
  assert.equal(
    stepOf(shown(transformer({}, true), { map: "encoder-self", layer: 0 }), 2).state,
    null,
  );
});

test("the formulas of self-attention are its own", () => {
  const of = (settings) => stepOf(shown(transformer({}, true), settings), 1);
  const back = of({ map: "decoder-self", layer: 0, head: 1 });
  assert.equal(text("query", back), "qₜ = W x̂ₜ + b");
  assert.equal(text("scores", back), "eⱼ = qₜ · kⱼ / √d");
  assert.equal(text("context", back), "head₂ = Σⱼ αⱼ vⱼ, oₜ = Wᴼ [head₁; head₂] + b");
  assert.equal(text("state", back), "yₜ = xₜ + oₜ");
  assert.match(meaning("state", back, "yₜ"), /the input of cross-attention/);
  const [lower, last] = [0, 1].map((layer) => of({ map: "encoder-self", layer, head: 1 }));
  assert.equal(text("query", lower), "qₜ = W x̂ₜ + b");
  assert.equal(text("state", lower), "x′ₜ = yₜ + FFN(norm(yₜ)), yₜ = xₜ + oₜ");
  assert.equal(text("state", last), "hₜ = norm(yₜ + FFN(norm(yₜ))), yₜ = xₜ + oₜ");
  assert.match(meaning("state", last, "hₜ"), /the encoder state: 4 numbers/);
  for (const chain of [back, lower, last]) {
    for (const part of chain.parts)
      for (const piece of pieces(part, chain))
        assert.ok(
          typeof piece === "string" || piece.meaning.length > 3,
          `${part}: ${piece.symbol}`,
        );
  }
});

test("a sum of summaries is the summary of the sum, and has no norm", () => {
  assert.deepEqual(sumOf([vector([1, 0]), vector([0, 2])], [0.5, 0.25]), {
    size: 2,
    norm: null,
    summary: [0.5, 0.5],
    values: null,
  });
  assert.equal(sumOf([], []), null);
});

test("a model with one head has no head to show", () => {
  assert.equal(
    stepOf(
      sceneOf(
        trace(),
        { ...DEFAULTS, units: "subwords", view: "step" },
        partial({ granularity: "subwords", quality: {} }),
      ),
      0,
    ).head,
    null,
  );
});

test("in a Transformer the query comes first and the state late", () => {
  const scene = shown(transformer());
  assert.equal(scene.parts, 6);
  assert.deepEqual(stepOf(scene, 1).parts, [
    "query",
    "scores",
    "weights",
    "context",
    "state",
    "word",
  ]);
  assert.equal(partsOf("after")[0], "state");
  assert.equal(stepOf(scene, 1).before, null);
});

test("every symbol of a head has its value", () => {
  /** @type {any} */
  const chain = stepOf(shown(transformer(), { layer: 1, head: 1 }), 1);
  assert.equal(text("scores", chain), "eⱼ = qₜ · kⱼ / √d");
  assert.match(
    meaning("scores", chain, "qₜ"),
    /the query of head 2 of layer 2: 4 numbers, length \d/,
  );
  assert.match(meaning("scores", chain, "kⱼ"), /4 numbers, length \d/);
  assert.match(meaning("scores", chain, "d"), /: 4$/);
  assert.equal(text("context", chain), "head₂ = Σⱼ αⱼ vⱼ, cₜ = Wᴼ [head₁; head₂] + b");
  assert.match(meaning("context", chain, "head₂"), /the output of head 2 of layer 2: 4 numbers$/);
  for (const part of chain.parts) {
    for (const piece of pieces(part, chain))
      assert.ok(typeof piece === "string" || piece.meaning.length > 3, `${part}: ${piece.symbol}`);
  }
});

test("c is shown only for the layer that it is computed from", () => {
  const [lower, last] = [0, 1].map((layer) => stepOf(shown(transformer(), { layer }), 1));
  assert.deepEqual([lower.head.last, last.head.last], [false, true]);
  assert.match(meaning("context", lower, "cₜ"), /the last layer only/);
  assert.match(meaning("context", last, "cₜ"), /4 numbers/);
});

test("pooled heads have no query, keys or values", () => {
  /** @type {any} */
  const chain = stepOf(shown(transformer(), { pool: "mean" }), 1);
  assert.deepEqual([chain.head.vectors, chain.head.query, chain.head.sum], ["pooled", null, null]);
  assert.ok(
    chain.keys.every(({ key, value, score }) => key === null && value === null && score === null),
  );
  assert.match(text("context", chain), /^headᵢ = Σⱼ αᵢⱼ vᵢⱼ/);
});

test("self-attention of the decoder has no vectors of the input", () => {
  /** @type {any} */
  const chain = stepOf(shown(transformer(), { map: "decoder-self" }), 1);
  assert.deepEqual(
    [chain.head.vectors, chain.head.kind, chain.head.last],
    ["absent", "decoder-self", false],
  );
  assert.ok(chain.keys.every(({ memory, key }) => memory === null && key === null));
});

test("a trace without the vectors of its heads is shown without them", () => {
  const made = transformer();
  const maps = made.maps.map(({ queries, keys, values, ...rest }) => rest);
  /** @type {any} */
  const chain = stepOf(shown({ ...made, maps }), 1);
  assert.deepEqual([chain.head.vectors, chain.head.sum], ["absent", null]);
  assert.ok(chain.keys.every(({ key, memory }) => key === null && memory !== null));
});

test("a runner-up has the keys and values of the best hypothesis, and its own queries", () => {
  const made = transformer();
  const other = {
    ...transformer(),
    maps: made.maps.map(({ keys, values, ...rest }) => ({
      ...rest,
      ...(rest.queries && { queries: some(rest.queries.length, 77) }),
    })),
  };
  /** @type {any} */
  const chain = stepOf(shown({ ...made, runners_up: [other] }, { pick: 1, layer: 1, head: 0 }), 1);
  assert.deepEqual(chain.head.query, some(3, 77)[1]);
  assert.equal(chain.keys[2].key, made.maps[2].keys[2]);
  assert.equal(chain.keys[2].value, made.maps[2].values[2]);
});

test("the self-attention of a runner-up has its own keys", () => {
  const made = transformer({}, true);
  const other = {
    ...transformer({}, true),
    maps: made.maps.map((each) =>
      each.key === "decoder_input" ? { ...each, keys: some(each.keys.length, 99) } : each,
    ),
  };
  /** @type {any} */
  const chain = stepOf(
    shown({ ...made, runners_up: [other] }, { pick: 1, map: "decoder-self", layer: 1, head: 0 }),
    2,
  );
  assert.deepEqual(chain.keys[1].key, some(3, 99)[1]);
});

test("while a trace grows its queries are there, and keys and values not yet", () => {
  const { schema, model: stamp, task, request, source, target, maps, steps } = transformer();
  /** @returns {any} */
  const step = (since, until) => ({
    index: until - 1,
    since,
    target: { ...target, tokens: target.tokens.slice(0, until) },
    steps: steps.slice(since, until),
    maps: maps.map(({ keys, values, ...rest }) => ({
      ...rest,
      weights: rest.weights.slice(since, until),
      scores: rest.scores.slice(since, until),
      ...(rest.queries && { queries: rest.queries.slice(since, until) }),
    })),
  });
  const one = withStep(startedTrace({ schema, model: stamp, task, request, source }), step(0, 2));
  const two = withStep(one, step(1, 3));
  assert.deepEqual(two.maps[0].queries, maps[0].queries.slice(0, 3));
  assert.ok(!("queries" in two.maps.at(-1)));
  assert.equal(one.maps[0].queries.length, 2);
  /** @type {any} */
  const chain = stepOf(shown(two), 2);
  assert.deepEqual(
    [chain.head.vectors, chain.head.sum, chain.keys[0].key],
    ["present", null, null],
  );
});

test("one layer with several heads and a state of its own keeps its own order", () => {
  const made = transformer();
  const recurrent = {
    ...made,
    maps: made.maps.filter(({ kind, layer }) => kind === "cross" && layer === 0),
  };
  /** @type {any} */
  const chain = stepOf(shown(recurrent), 1);
  assert.deepEqual([chain.layered, chain.head.vectors, chain.head.last], [false, "present", true]);
  assert.equal(chain.parts[0], "state");
  assert.equal(text("scores", chain), "eⱼ = qₜ · kⱼ / √d");
  assert.ok(text("word", chain).includes("tanh"));
});
