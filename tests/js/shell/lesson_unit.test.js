import assert from "node:assert/strict";
import { test } from "node:test";

import { withoutBrowser } from "./page.js";

withoutBrowser();
const { LessonUnit } = await import("../../../static/js/shell/lesson_unit.js");

const settled = () => new Promise((done) => setTimeout(done));
/** A goal that depends on the output of another model. */
const GOAL = { do: { goal: { ends: true, differs_from: "other" }, show: {} } };

test("a learner who waits for a run reads that it failed, and gets the answer of the next", () => {
  const said = { textContent: "", scrollIntoView() {} };
  const button = Object.assign(new /** @type {any} */ (globalThis).Element(), {
    dataset: { part: "answer" },
    closest: () => button,
  });
  /** @type {any} */
  const node = {
    dataset: { task: JSON.stringify({ predict: { of: "cell", reveal: { view: "photo" } } }) },
    addEventListener: (_, listener) => (node.press = () => listener({ target: button })),
    querySelector: () => said,
    querySelectorAll: () => [],
  };
  const state = { run: null, failed: false, changed: 0 };
  const unit = new LessonUnit(node, {
    shown: () => state.run,
    failed: () => state.failed,
    change: () => state.changed++,
    textOf: async () => "",
    done() {},
  });
  node.press();
  unit.draw();
  assert.match(said.textContent, /still at work/);
  state.failed = true;
  unit.draw();
  assert.match(said.textContent, /did not answer/);
  /** @type {any} */
  const run = { trace: { source: {} }, step: 0, cells: [] };
  state.run = run;
  unit.draw();
  assert.equal(state.changed, 1);
});

/** The unit of a goal, over a run that ends, and what it has asked another model. */
function opened() {
  const said = { textContent: "", scrollIntoView() {} };
  /** @type {any} */
  const node = Object.assign(new EventTarget(), {
    dataset: { task: JSON.stringify(GOAL) },
    querySelector: () => said,
    toggleAttribute() {},
  });
  const asked = [];
  /** @type {any} */
  const run = { trace: { text: "own", finish: "end", source: {} }, step: 0, cells: [] };
  const state = { run, done: 0 };
  const unit = new LessonUnit(node, {
    shown: () => state.run,
    change() {},
    textOf: () =>
      new Promise((resolve, reject) => asked.push({ resolve, reject: () => reject(new Error()) })),
    done: () => state.done++,
  });
  return { unit, asked, state, run };
}

test("another model is asked once about a run, however often that is drawn", async () => {
  const { unit, asked, state } = opened();
  unit.draw();
  unit.draw();
  assert.equal(asked.length, 1);
  asked[0].resolve("another");
  await settled();
  assert.equal(state.done, 1);
});

test("a model that does not answer meets no condition, and is asked again", async () => {
  const { unit, asked, state } = opened();
  asked[0].reject();
  await settled();
  assert.equal(state.done, 0);
  unit.draw();
  assert.equal(asked.length, 2);
  asked[1].resolve("another");
  await settled();
  assert.equal(state.done, 1);
});

test("a verdict on a run that was left meanwhile is not given", async () => {
  const { unit, asked, state, run } = opened();
  state.run = { ...run, trace: { ...run.trace, finish: "length" } };
  unit.draw();
  asked[0].resolve("another");
  await settled();
  assert.equal(state.done, 0);
});
