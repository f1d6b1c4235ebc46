import assert from "node:assert/strict";
import { test } from "node:test";

import { grid } from "../../../../static/js/core/kinds/grid.js";
import { DEFAULTS as PICTURE_DEFAULTS } from "../../../../static/js/core/grid_state.js";
import { sceneOf } from "../../../../static/js/core/scene.js";
import { DEFAULTS } from "../../../../static/js/core/state.js";
import { networkOf } from "../../../../static/js/views/network/model.js";
import { stepOf } from "../../../../static/js/views/step/token_step.js";
import { stepOf as pictureStepOf } from "../../../../static/js/views/step/grid_step.js";
import { nameOf, numbersOf, sentenceOf } from "../../../../static/js/views/network/numbers.js";
import { captioner, pictureTrace } from "../../picture_traces.js";
import { axis, map, model, step, trace } from "../../traces.js";

const SETTINGS = { ...DEFAULTS, units: /** @type {const} */ ("subwords"), view: "network" };

/** @param {any} chain */
const networkAt = (scene, row, chain = stepOf) => networkOf(scene, row, chain(scene, row));
const networkOfTrace = (made, change = {}, row = 1) =>
  networkAt(sceneOf(made, SETTINGS, model({ weights: made.model.weights, ...change })), row);

function transformerTrace(change = {}) {
  const source = axis([["a"], ["b"]]);
  const target = axis([["c"], ["d"]], "mean");
  const own = { kind: "decoder-self", query: "target", key: "decoder_input" };
  const triangle = [
    [1, 0, 0],
    [0.5, 0.5, 0],
    [0.2, 0.3, 0.5],
  ];
  const scores = triangle.map((row, i) => row.map((value, j) => (j > i ? null : value)));
  const maps = [
    map(source, target),
    { ...map(source, target, own), weights: triangle, scores },
    map(source, source, { kind: "encoder-self", query: "source", key: "source" }),
  ];
  const stamp = { id: "toy", weights: "0".repeat(64), mechanism: "multihead", order: "after" };
  return trace({ source, target, maps, model: stamp, ...change });
}

test("the kind of a picture follows from what the trace contains", () => {
  assert.equal(networkOfTrace(trace()).kind, "recurrent");
  const none = { ...trace().model, mechanism: "none", order: "fixed" };
  assert.equal(networkOfTrace(trace({ model: none, maps: [] })).kind, "fixed");
  assert.equal(networkOfTrace(transformerTrace()).kind, "transformer");
  assert.equal(networkOfTrace(trace({ steps: [] })).kind, "generic");
});

test("the kind of a picture does not depend on the model's id", () => {
  const named = { ...trace().model, id: "en-fr-transformer" };
  assert.equal(networkOfTrace(trace({ model: named })).kind, "recurrent");
});

test("directions and positions are drawn only if the server has the weights of the trace", () => {
  assert.equal(networkOfTrace(trace(), { family: "recurrent" }).both, true);
  assert.equal(networkOfTrace(trace(), { family: "recurrent", weights: "f" }).both, false);
  assert.equal(networkOfTrace(transformerTrace(), { family: "transformer" }).sinusoids, true);
  assert.equal(networkOfTrace(transformerTrace()).sinusoids, false);
});

test("a key has the weight and the score of the trace", () => {
  const made = trace();
  const { keys } = networkOfTrace(made, {}, 2);
  assert.deepEqual(
    keys.map(({ weight }) => weight),
    made.maps[0].weights[2],
  );
  const numbers = numbersOf(networkOfTrace(made, {}, 2), "weight:2");
  assert.deepEqual(numbers.values[0], ["α", made.maps[0].weights[2][2].toFixed(4)]);
});

test("a Transformer has the shown head of each layer, and its masked keys have no weight", () => {
  const made = transformerTrace();
  const scene = sceneOf(made, { ...SETTINGS, map: "decoder-self" }, model());
  const network = networkAt(scene, 1);
  assert.equal(network.encoder.length, 1);
  assert.equal(network.decoder.length, 1);
  assert.deepEqual(
    network.keys.map(({ masked }) => masked),
    [false, false, true],
  );
  assert.match(nameOf(network, "weight:2"), /is masked/);
});

test("in words, a layer has a row and a column for each word, and the rows still sum to 1", () => {
  const target = axis([["c", "d"]], "mean");
  const steps = target.tokens.map(() => step(0.5));
  const scene = sceneOf(
    transformerTrace({ target, steps }),
    { ...SETTINGS, units: "words" },
    model(),
  );
  const { encoder, decoder, target: words, states, probability } = networkAt(scene, 0);
  assert.deepEqual([words.length, states.length, probability], [2, 2, 0.25]);
  for (const { weights } of [...encoder, ...decoder])
    for (const row of weights)
      assert.ok(Math.abs(row.reduce((sum, value) => sum + value) - 1) < 1e-9);
  assert.deepEqual([encoder[0].weights.length, decoder[0].weights.length], [3, 2]);
});

test("the sentence names the strongest key and the word", () => {
  assert.match(
    sentenceOf(networkOfTrace(trace(), {}, 2)),
    /^Step 3: the decoder looks mostly at “ird” \(0\.90\) and writes/,
  );
  const none = { ...trace().model, mechanism: "none", order: "fixed" };
  assert.match(
    sentenceOf(networkOfTrace(trace({ model: none, maps: [] }))),
    /reads its one vector and writes/,
  );
});

test("the network of a photo has its cells as keys, and the gate", () => {
  const made = pictureTrace();
  const settings = { ...PICTURE_DEFAULTS, view: "network", step: 1 };
  const network = networkAt(grid.sceneOf(made, settings, captioner()), 1, pictureStepOf);
  assert.equal(network.kind, "captioner");
  assert.equal(network.keys.length, 16);
  assert.equal(network.seen.gate, 0.2);
  assert.match(sentenceOf(network), /the cell in row 2, column 2/);
  assert.deepEqual(numbersOf(network, "gate").values, [["β", "0.200"]]);
});

test("a network with a question is that of an answer", () => {
  const question = axis([["which"], ["cat"]]);
  const made = pictureTrace();
  const attention = made.target.tokens.map(() => [0.2, 0.7, 0.1]);
  const asked = { ...made.maps[0], key: "question", weights: attention, scores: attention };
  const scene = grid.sceneOf(
    { ...made, question, maps: [...made.maps, asked] },
    { ...PICTURE_DEFAULTS, view: "network", step: 0 },
    captioner({ task: "ask" }),
  );
  const network = networkAt(scene, 0, pictureStepOf);
  assert.equal(network.kind, "ask");
  assert.deepEqual(numbersOf(network, "word:1").values, [["α", "0.7000"]]);
});
