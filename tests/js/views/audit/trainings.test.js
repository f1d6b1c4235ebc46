import assert from "node:assert/strict";
import { test } from "node:test";

import { trainingFigures } from "../../../../static/js/views/audit/trainings.js";

const words = (/** @type {string[]} */ ...texts) => texts.map((text) => ({ text }));
const other = (/** @type {number} */ seed, /** @type {number[]} */ strongest) => ({
  seed,
  attention: [],
  distances: [0.1, 0.3],
  strongest,
});
/** @type {any} */
const AUDIT = {
  trace: { source: { words: words("do", "not", "want") }, target: { tokens: words("ne", " pas") } },
  trainings: {
    strongest: [0, 1],
    agreeing: [false, true],
    others: [other(3, [2, 1]), other(4, [0, 1])],
    mechanism: { model: "en-fr-dot", attention: [], distances: [0.5, 0.7], strongest: [0, 1] },
  },
};

test("the figures say how far other trainings are, beside another mechanism", () => {
  const [distance, same] = trainingFigures(AUDIT);
  assert.equal(distance.text, "0.20 bits");
  assert.equal(distance.baseline, "en-fr-dot, another mechanism, 0.60");
  assert.match(distance.means, /seeds 3 and 4; the borrowed rest makes agreement likelier/);
  assert.equal(same.text, "1 of 2 rows");
  assert.equal(same.baseline, "en-fr-dot, another mechanism, 2 of 2");
  assert.match(same.means, /They differ at “ne” \(“do” here, “want” there\)\./);
});

test("a model that was trained once has none of these figures", () => {
  assert.deepEqual(trainingFigures({ ...AUDIT, trainings: undefined }), []);
});
