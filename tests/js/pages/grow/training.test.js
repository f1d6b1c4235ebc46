import assert from "node:assert/strict";
import { test } from "node:test";
import { KEPT } from "../../../../static/js/pages/grow/history.js";
import { pairsTask } from "../../../../static/js/pages/grow/pairs.js";
import { BATCH, STATE, runsOf } from "../../../../static/js/pages/grow/state.js";
import { TASKS, taskNamed } from "../../../../static/js/pages/grow/tasks.js";
import { Training } from "../../../../static/js/pages/grow/training.js";

/** Updates in which a task reaches its share; all of them take less than half a minute on one core. */
const UPDATES = { reverse: 700, double: 900, sort: 1200, numbers: 700, dates: 700 };
const LONG = process.env.LONG === "1";
const SEEDS = LONG ? [1, 2, 3] : [1];

const training = (query, task = taskNamed("reverse")) =>
  new Training(task, runsOf(STATE.fromQuery(query)));

function grown(run, updates) {
  for (let update = 0; update < updates; update++) run.update();
  return run.frame();
}

for (const { name, share } of TASKS)
  for (const seed of LONG ? SEEDS : name === "reverse" ? SEEDS : [])
    test(`${name} is learned from seed ${seed}: ${share} of unseen texts are right`, () => {
      const run = training(`?task=${name}&seed=${seed}`, taskNamed(name));
      let best = 0;
      while (run.updates < UPDATES[name] && best < share) {
        for (let update = 0; update < 50; update++) run.update();
        best = Math.max(best, run.frame().runs[0].share);
      }
      assert.ok(best >= share, `${best} after ${run.updates} updates`);
    });

test("every task, mechanism and order learns something at once", () => {
  const kinds = ["additive", "dot", "scaled"].flatMap((attention) =>
    ["before", "after"].map((order) => `attention=${attention}&order=${order}`),
  );
  for (const { name } of TASKS)
    for (const kind of name === "reverse" ? [...kinds, "attention=none"] : ["width=16"]) {
      const run = training(`?task=${name}&batch=${BATCH.phone}&${kind}`, taskNamed(name));
      const first = grown(run, 1).runs[0].loss;
      const later = grown(run, 20).runs[0].loss;
      assert.ok(Number(later) < Number(first), `${name} ${kind}: ${first} then ${later}`);
    }
});

test("the same settings are the same run, another seed is another", () => {
  const values = (query) => {
    const run = training(query);
    grown(run, 10);
    return run.runs[0].network.values.slice();
  };
  assert.deepEqual(values("?width=16&seed=3"), values("?width=16&seed=3"));
  assert.notDeepEqual(values("?width=16&seed=3"), values("?width=16&seed=4"));
});

test("looking does not change the run: frames, texts and the past", () => {
  const watched = training("?width=16");
  const alone = training("?width=16");
  watched.frame();
  for (let update = 0; update < 10; update++) {
    watched.update();
    if (watched.due) watched.frame();
    watched.seek(0);
    watched.type("hello");
    watched.seek(null);
    alone.update();
  }
  assert.deepEqual(watched.runs[0].network.values, alone.runs[0].network.values);
});

test("two runs differ in one setting, see the same examples, and go in step", () => {
  const run = training("?width=16&beside=attention-none");
  const { runs, updates } = grown(run, 3);
  assert.equal(updates, 3);
  assert.ok(runs[0].written[0].weights);
  assert.equal(runs[1].written[0].weights, null);
  assert.deepEqual(
    runs[0].shares.map(({ group, all }) => [group, all]),
    runs[1].shares.map(({ group, all }) => [group, all]),
  );
});

test("a state of the past writes what it wrote then", () => {
  const run = training("?width=16");
  run.type("plate");
  const [then] = run.frame().runs.map(({ typed }) => typed);
  grown(run, 40);
  assert.deepEqual(run.seek(0)[0], then);
  assert.notDeepEqual(run.seek(null)[0], then);
});

test("a state of the past stays the one that is shown while the history leaves it out", () => {
  const run = training(`?width=8&longest=4&batch=${BATCH.phone}`);
  grown(run, 1);
  run.type("plat");
  const [then] = grown(run, 1).runs.map(({ typed }) => typed);
  run.seek(run.updates);
  for (let frame = 0; frame <= KEPT; frame++) grown(run, 1);
  assert.deepEqual(run.type("plat")[0], then);
});

test("edits change the row, what follows it and nothing else", () => {
  const run = training("?width=16");
  grown(run, 20);
  const [plain] = run.type("abcd");
  const [edited] = run.type("abcd", [
    { op: "block", keys: 0 },
    { op: "only", keys: 2, queries: 1 },
  ]);
  assert.equal(edited.plain, plain.written);
  edited.weights.forEach((row, step) => {
    assert.equal(row[0], 0);
    assert.ok(Math.abs(row.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-6);
    assert.equal(row[2] === 1, step === 1);
  });
  assert.deepEqual(run.type("abcd"), [plain]);
});

test("a text that the network cannot read is written nothing for", () => {
  const run = training("?width=16");
  for (const text of ["", "Plate", "a b", "a".repeat(12)]) assert.deepEqual(run.type(text), [null]);
  assert.ok(run.type("a".repeat(11))[0]);
});

test("the texts that are tried are unseen, those beyond the longest apart", () => {
  const { shares } = training("?width=8").frame().runs[0];
  assert.deepEqual(
    shares.map(({ group, learned }) => [group, learned]),
    [3, 4, 5, 6, 7, 8, 9, 10, 11].map((count) => [String(count), count <= 8]),
  );
  assert.equal(
    shares.reduce((sum, { all, learned }) => sum + (learned ? all : 0), 0),
    128,
  );
});

test("pairs of one's own are learned from, and one line in ten is tried", () => {
  const text = Array.from({ length: 80 }, (_, at) => `n${at}\t${at}`).join("\n");
  const { task } = pairsTask(text);
  const { runs } = grown(training("?width=8", task), 2);
  const tried = runs[0].shares.reduce((sum, { all }) => sum + all, 0);
  assert.ok(tried > 0 && tried < 25, String(tried));
});
