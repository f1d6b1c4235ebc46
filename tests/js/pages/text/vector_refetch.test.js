import assert from "node:assert/strict";
import { test } from "node:test";

import { refetchBody, sameAnswer } from "../../../../static/js/pages/text/vector_refetch.js";
import { IMPORTED_MODEL } from "../../../../static/js/core/imported_model.js";
import { DEFAULTS } from "../../../../static/js/core/state.js";
import { axis, model, trace } from "../../traces.js";

const card = model({ mechanism: "multihead", weights: "0".repeat(64) });
/** @type {any} */
const looking = { ...DEFAULTS, text: "typed since", view: "step", map: "encoder-self" };

test("an answer is requested again with the vectors that it lacks", () => {
  assert.deepEqual(refetchBody(trace(), looking, card), {
    text: trace().request.text,
    model: "toy",
    vectors: "all",
  });
  const given = trace({ request: { ...trace().request, target: "1979" } });
  assert.equal(refetchBody(given, looking, card).target, "1979");
});

test("vectors are not requested if none are missing, or the server cannot provide them", () => {
  const whole = trace({ request: { ...trace().request, vectors: "all" } });
  assert.equal(refetchBody(whole, looking, card), null);
  assert.equal(refetchBody(trace(), { ...looking, view: "map" }, card), null);
  assert.equal(refetchBody(trace({ finish: "writing" }), looking, card), null);
  assert.equal(refetchBody(trace(), looking, { ...card, weights: "1".repeat(64) }), null);
  assert.equal(refetchBody(trace(), looking, IMPORTED_MODEL), null);
});

test("an answer is the same if all its hypotheses are", () => {
  const other = trace({ target: axis([["2001"]], "mean") });
  assert.ok(sameAnswer(trace(), trace({ timing: { encode_ms: 9, decode_ms: 9 } })));
  assert.ok(!sameAnswer(trace(), other));
  assert.ok(!sameAnswer(trace(), trace({ runners_up: [other] })));
});
