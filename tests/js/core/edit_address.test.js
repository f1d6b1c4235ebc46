import assert from "node:assert/strict";
import { test } from "node:test";

import { editsField } from "../../../static/js/core/edit_address.js";
import { STATE } from "../../../static/js/core/state.js";
import { texts } from "../texts.js";
import { partial } from "../traces.js";

const field = editsField();

/** @type {Record<string, object>} */
const EDITS = {
  block_k3_q4: { op: "block", keys: 2, queries: 3 },
  block_wnot: { op: "block", words: "not" },
  "set_p0.8_k3-5_q4*6_l1_h2": {
    op: "set",
    weight: 0.8,
    keys: [2, 4],
    queries: { first: 3, last: 5 },
    layers: 0,
    heads: 1,
  },
  "silence_k*_mdecoder-self": { op: "silence", keys: "all", kind: "decoder-self" },
  temperature_t2: { op: "temperature", temperature: 2 },
  uniform_q1: { op: "uniform", queries: 0 },
  permute_s7: { op: "permute", seed: 7 },
  "row_a0.25*0.75_q1": { op: "row", weights: [0.25, 0.75], queries: 0 },
  only_xquestion_k1: { op: "only", axis: "question", keys: 0 },
  "scale_c3_r-2*0*10.5*20": { op: "scale", factor: 3, box: [-2, 0, 10.5, 20] },
  gate_b0_q2: { op: "gate", value: 0, queries: 1 },
};

for (const [text, edit] of Object.entries(EDITS))
  test(`an edit is read from the address and written to it: ${text}`, () => {
    assert.deepEqual(field.read(text), [edit]);
    assert.equal(field.write([partial(edit)]), text);
  });

test("several edits are apart by spaces, which an address has as plus signs", () => {
  const query = "?edits=block_wnot+uniform_q1";
  const { edits } = STATE.fromQuery(query);
  assert.deepEqual(edits, [
    { op: "block", words: "not" },
    { op: "uniform", queries: 0 },
  ]);
  assert.equal(STATE.toQuery({ ...STATE.DEFAULTS, edits }), query);
});

test("no edits are not in the address", () => {
  assert.equal(field.write([]), null);
  assert.deepEqual(STATE.fromQuery("").edits, []);
});

test("any word is written so that it is read again", () => {
  for (const text of texts().filter((each) => !/[\ud800-\udfff]/u.test(each)))
    assert.deepEqual(field.read(field.write([{ op: "block", words: [text, "b"] }])), [
      { op: "block", words: [text, "b"] },
    ]);
});

test("half a character is written as the sign for what is unknown", () => {
  assert.equal(field.write([{ op: "block", words: "a\ud800" }]), "block_wa%EF%BF%BD");
});

test("a list with anything that is no edit is left out as a whole", () => {
  for (const text of [
    "shake_q1",
    "block_k0",
    "block_k1.5",
    "block_kx",
    "block_k1*2*3",
    "block_z1",
    "block_",
    "block_k1_k2",
    "set_k1",
    "row_q1",
    "block_w%E0",
    "block_k1 uniform_q0",
    "uniform ".repeat(201),
  ])
    assert.equal(field.read(text), undefined, text);
});

test("a saved trace implies its edits, and another input drops them", () => {
  const settings = STATE.fromQuery("?edits=block_wnot&view=ribbons");
  assert.equal(STATE.savedQuery(settings), "?view=ribbons");
  assert.deepEqual(STATE.restarted(settings).edits, []);
});
