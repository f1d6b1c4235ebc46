import assert from "node:assert/strict";
import { test } from "node:test";

import {
  STEP_TEXT,
  joining,
  namesOf,
  stepText,
} from "../../../../static/js/views/step/token_text.js";
import { partial } from "../../traces.js";

/** @returns {any} */
const head = (change = {}) => ({
  vectors: "present",
  kind: "cross",
  layer: 3,
  head: 2,
  heads: 4,
  layers: 3,
  last: true,
  query: null,
  keys: [],
  values: [],
  sum: null,
  ...change,
});
/** @returns {any} */
const says = (part, change, layered = true) =>
  stepText(part, partial({ head: head(change), layered })).says;

test("a model with one head has the usual text for every part", () => {
  for (const part of Object.keys(STEP_TEXT)) {
    const { title, says } = stepText(
      partial(part),
      partial({ head: null, layered: false, unit: "word" }),
    );
    const unit = part === "scores" ? " word" : "";
    assert.deepEqual({ title, says }, { ...STEP_TEXT[part], title: STEP_TEXT[part].title + unit });
  }
});

test("the text of a query names the head and its layer", () => {
  assert.match(says("query"), /^Head 2 of layer 3 /);
  assert.match(says("query", { vectors: "pooled" }), /Choose a single head/);
  assert.match(says("query", { vectors: "absent" }), /trace does not contain it/);
  assert.match(says("query", { kind: "decoder-self" }), /from the last output token\.$/);
  assert.match(
    says("query", { kind: "encoder-self", vectors: "absent" }),
    /from this input token\. The trace does not contain it/,
  );
  assert.equal(says("query", {}, false), STEP_TEXT.query.says);
});

test("c is described for the last layer only", () => {
  assert.match(joining(head()), /joined into one vector, c\.$/);
  assert.match(joining(head({ layer: 1, last: false })), /go on into layer 2\. .*last layer only/);
  for (const kind of ["decoder-self", "encoder-self"])
    assert.match(
      joining(head({ kind, last: false })),
      /joined into one vector, o, which the trace does not contain/,
    );
  assert.match(says("state", { layer: 1, last: false }), /After layer 1 come 2 more layers/);
  assert.match(says("state", { layer: 2, last: false }), /After layer 2 comes one more layer/);
});

test("the text of decoder self-attention does not mention the input", () => {
  assert.match(
    stepText(
      "scores",
      partial({
        head: head({ kind: "decoder-self", last: false }),
        layered: true,
      }),
    ).title,
    /output/,
  );
  assert.match(
    stepText(
      "scores",
      partial({
        head: head({ kind: "encoder-self", last: false }),
        layered: true,
      }),
    ).title,
    /input/,
  );
});

test("the output of self-attention is added to the input of the layer", () => {
  assert.match(
    says("state", { kind: "decoder-self", last: false }),
    /added to the input of the layer; .*goes on to cross-attention/,
  );
  assert.match(
    says("state", { kind: "encoder-self", layer: 1, last: false }),
    /goes into layer 2\.$/,
  );
  assert.match(says("state", { kind: "encoder-self", last: false }), /is the encoder state h\.$/);
  assert.deepEqual(
    [1, 3].map(
      (layer) =>
        stepText(
          "state",
          partial({
            head: head({ kind: "encoder-self", layer }),
            layered: true,
          }),
        ).title,
    ),
    ["On to the next layer", "The encoder state"],
  );
  assert.equal(namesOf(head({ kind: "encoder-self" }), "word").state[0], "h");
  assert.equal(namesOf(head(), "word").state[0], "s");
});
