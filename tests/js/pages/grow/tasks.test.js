import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "../../../../static/js/pages/grow/numbers.js";
import { LONGEST_SIDE, pairsTask } from "../../../../static/js/pages/grow/pairs.js";
import { editsField } from "../../../../static/js/core/edit_address.js";
import { STATE, namesOf, runsOf, second } from "../../../../static/js/pages/grow/state.js";
import { LONGEST, TASKS, isKeptBack, spelled } from "../../../../static/js/pages/grow/tasks.js";
import { Vocabulary } from "../../../../static/js/pages/grow/vocabulary.js";

const lines = (count, line = (at) => `word${at}\t${at}`) =>
  Array.from({ length: count }, (_, at) => line(at)).join("\n");

test("every task draws texts that it can read, that fit, and whose answer it knows", () => {
  for (const task of TASKS) {
    const random = new Random(1);
    const vocabulary = new Vocabulary(task.symbols);
    for (let tries = 0; tries < 3000; tries++) {
      const [source, target] = task.draw(random, LONGEST.most);
      assert.ok(vocabulary.read(source) && vocabulary.read(target), task.name);
      assert.ok(source.length <= task.capacity[0] && target.length <= task.capacity[1], source);
      assert.equal(task.answer(source), target);
    }
    for (const example of task.examples) assert.ok(task.answer(example), example);
    assert.equal(task.answer("?"), null);
  }
});

test("one text in ten is kept from the training", () => {
  const kept = Array.from({ length: 1000 }, (_, value) => spelled(value)).filter(isKeptBack);
  assert.ok(kept.length > 70 && kept.length < 130, String(kept.length));
});

test("the tasks do what they say", () => {
  const answers = TASKS.map((task) => task.answer(task.says.split(" → ")[0]));
  assert.deepEqual(
    answers,
    TASKS.map((task) => task.says.split(" → ")[1]),
  );
});

test("pairs of one's own become a task, or say what is wrong with them", () => {
  const { task } = pairsTask(lines(60));
  assert.equal(task?.answer("word7"), "7");
  assert.deepEqual(task?.capacity, [6, 2]);
  assert.equal(pairsTask(`${lines(60)}\n\n  “a”\tb`).task?.answer('"a"'), "b");
  for (const [text, says] of [
    ["", /There are 0 lines; a network needs 50/],
    [lines(49), /There are 49 lines/],
    [lines(5001), /more than 5000 lines/],
    [`${lines(60)}\nno tab`, /Line 61 needs one tab between its two sides; it has 0/],
    [`${lines(60)}\na\tb\tc`, /Line 61 .* it has 2/],
    [`${lines(60)}\na\t `, /Line 61 has an empty side/],
    [`${lines(60)}\n${"a".repeat(LONGEST_SIDE + 1)}\tb`, /Line 61 has a side of 41 characters/],
    [lines(60, () => "same\tline"), /too much alike/],
    [lines(200, (at) => `${String.fromCodePoint(0x4e00 + at)}\tb`), /different characters/],
    ["a".repeat(600_000), /has 600000 characters/],
  ])
    assert.match(String(pairsTask(String(text)).error), /** @type {RegExp} */ (says));
});

test("the address holds the run: task, settings and seed", () => {
  const query = "?task=sort&attention=dot&width=16&seed=7&beside=attention-none&text=hello";
  const settings = STATE.fromQuery(query);
  assert.equal(STATE.toQuery(settings), query);
  const step = "?lesson=worth&at=3";
  assert.equal(STATE.toQuery(STATE.fromQuery(step)), step, "a step of a lesson stays one");
  assert.equal(STATE.toQuery(STATE.fromQuery("?width=17&rate=9&seed=0&beside=width-1")), "");
  const [one, other] = runsOf(settings);
  assert.deepEqual(other, { ...one, mechanism: "none" });
  assert.equal(second(STATE.DEFAULTS), null);
  assert.deepEqual(namesOf(settings), ["Attention: dot product", "No attention"]);
  const fewer = STATE.fromQuery("?beside=examples-20");
  assert.deepEqual(namesOf(fewer), ["Examples: always new", "Examples: 20"]);
  assert.equal(runsOf(fewer)[1].examples, 20);
});

test("edits are in the address as on every page, and others than the page makes are none", () => {
  const query = "?edits=block_k3+only_k1_q2+uniform_q4";
  const { edits } = STATE.fromQuery(query);
  assert.deepEqual(edits, [
    { op: "block", keys: 2 },
    { op: "only", keys: 0, queries: 1 },
    { op: "uniform", queries: 3 },
  ]);
  assert.deepEqual(editsField().read(new URLSearchParams(query).get("edits")), edits);
  assert.equal(STATE.toQuery(STATE.fromQuery(query)), query);
  for (const wrong of ["set_k1_p2", "block", "uniform_k1", "block_k0", "block_k1 x"])
    assert.deepEqual(STATE.fromQuery(`?edits=${wrong}`).edits, [], wrong);
});
