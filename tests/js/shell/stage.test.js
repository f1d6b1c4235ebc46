import assert from "node:assert/strict";
import { test } from "node:test";

import { STATE } from "../../../static/js/core/state.js";
import { Store } from "../../../static/js/core/store.js";
import { viewsOf } from "../../../static/js/core/views.js";
import { LOADERS } from "../../../static/js/views/loaders.js";
import { withoutBrowser } from "./page.js";

const { find } = withoutBrowser();
const { Stage } = await import("../../../static/js/shell/stage.js");

/** A trace of so many steps. @returns {any} */
const written = (count, text = "a") => ({
  text,
  source: { kind: "tokens" },
  steps: Array.from({ length: count }, () => ({})),
});

/** A stage, and what its views and parts were called with. */
function opened(query = "", parts = 1) {
  const calls = [];
  /** @type {(row: number | null) => void} */
  let peek = () => {};
  for (const name of ["map", "ribbons"]) {
    /** @type {any} */ (LOADERS)[name].dom.tokens = async () => ({
      View: class {
        draw({ trace, row }) {
          calls.push(`${name} draws ${trace.steps.length} steps at ${row}`);
        }
        forget() {
          calls.push(`${name} forgets`);
        }
        known(row, part) {
          return { says: `part ${part} of row ${row}`, attended: part > 0 };
        }
      },
    });
  }
  /** @type {any} */
  const axis = {
    kind: "tokens",
    selection: ["rows", "columns"],
    sentence: (_, row) => `row ${row}`,
    whileGrowing: (_, settings) => settings,
    sceneOf: (trace, { step, part, view }, model) => ({
      trace,
      model,
      picked: trace.picked,
      output: trace,
      rows: trace.steps.map((_, token) => ({ text: "", tokens: [token] })),
      row: Math.min(step ?? 0, trace.steps.length - 1),
      parts,
      part: part ?? parts - 1,
      speed: 1,
      viewName: view,
    }),
    parts: (given) => {
      peek = given.peek;
      return [{ draw: () => calls.push("parts are drawn") }];
    },
  };
  const store = new Store(STATE, STATE.fromQuery(query));
  /** @type {any} */
  const wiring = { models: [], change: (change) => store.dispatch(change) };
  const stage = new Stage(axis, viewsOf("tokens"), store, wiring);
  store.subscribe(({ changed }) => {
    if (changed.has("answer")) stage.take();
    else if (changed.has("view")) stage.draw();
    else if (["step", "part", "row"].some((name) => changed.has(name))) stage.move(changed);
  });
  /** @param {any} trace @param {any} [more] */
  const say = (trace, more) =>
    store.dispatch(
      { answer: { phase: "ready", trace, model: /** @type {any} */ ({}), since: null, ...more } },
      { history: "none" },
    );
  const views = () => calls.splice(0).filter((call) => call !== "parts are drawn");
  return { stage, store, calls, views, say, peek };
}

test("a view that is shown for the first time is drawn once, and the parts are not drawn again", async () => {
  const { stage, store, calls, say } = opened();
  await stage.load("map");
  say(written(3));
  calls.splice(0);
  store.dispatch({ view: "ribbons" });
  await new Promise((settled) => setTimeout(settled));
  assert.deepEqual(calls.splice(0), ["parts are drawn", "ribbons draws 3 steps at 0"]);
});

test("a view that loads while another one is chosen is not drawn", async () => {
  const { stage, store, views, say } = opened();
  await stage.load("map");
  say(written(3));
  views();
  store.dispatch({ view: "ribbons" });
  store.dispatch({ view: "map" });
  await new Promise((settled) => setTimeout(settled));
  assert.deepEqual(views(), ["map draws 3 steps at 0"]);
});

test("another answer resets views and player", async () => {
  const { stage, views, say } = opened();
  await stage.load("map");
  say(written(3));
  stage.controls.toggle();
  assert.equal(stage.controls.player.playing, true);
  views();
  say(written(2, "b"));
  assert.deepEqual(views(), ["map forgets", "map draws 2 steps at 0"]);
  assert.equal(stage.controls.player.playing, false);
});

test("an answer from a step on leaves views and player as they are", async () => {
  const { stage, store, views, say } = opened("?step=2");
  await stage.load("map");
  say(written(3));
  stage.controls.toggle();
  views();
  say(written(5), { since: 3 });
  assert.deepEqual(views(), ["map draws 5 steps at 1"]);
  assert.equal(stage.controls.player.playing, true);
  assert.equal(store.settings.step, 1);
  stage.controls.player.pause();
});

test("a growing answer is shown at its newest step, and then where the address says", async () => {
  const { stage, views, say } = opened("?step=2");
  await stage.load("map");
  say(written(1), { phase: "growing" });
  say(written(4), { phase: "growing", since: 1 });
  assert.equal(find("stage").dataset.state, "growing");
  say(written(4), { since: 0 });
  assert.equal(find("stage").dataset.state, "ready");
  assert.deepEqual(views(), [
    "map forgets",
    "map draws 1 steps at 0",
    "map draws 4 steps at 3",
    "map draws 4 steps at 1",
  ]);
});

test("the player moves the position of the store, which the address has once it rests", async () => {
  const { stage, store, say } = opened();
  await stage.load("map");
  say(written(3));
  const heard = [];
  store.subscribe(({ history, changed }) => heard.push([history, ...changed]));
  stage.controls.player.to(2);
  assert.deepEqual(heard.splice(0), [["replace", "step"]]);
  stage.controls.toggle();
  assert.deepEqual(heard.splice(0), [["none", "step"]]);
  assert.equal(store.settings.step, 0, "from the beginning");
  stage.controls.player.pause();
  assert.deepEqual(heard.splice(0), [["replace"]]);
});

test("until its last part, nothing is said of a row but what its part does", async () => {
  const { stage, say } = opened("", 3);
  await stage.load("map");
  say(written(2));
  const said = () => find("sentence").textContent;
  assert.equal(said(), "row 0", "it is whole at first");
  const all = [0, 1, 2, 3].map(() => {
    stage.controls.by(1);
    return said();
  });
  assert.deepEqual(all, ["part 0 of row 0", "part 1 of row 0", "row 0", "part 0 of row 1"]);
  stage.controls.to(1);
  assert.equal(said(), "row 1");
});

test("of the rows that are still to be computed, none is shown under the pointer", async () => {
  const { stage, store, say, peek } = opened("?step=2&part=1", 3);
  await stage.load("map");
  say(written(3));
  const peeked = () => store.state.position.row;
  peek(2);
  assert.equal(peeked(), null);
  peek(0);
  assert.equal(peeked(), 0);
});

test("a position that is not the player's ends the playing", async () => {
  const { stage, store, say } = opened();
  await stage.load("map");
  say(written(5));
  stage.controls.toggle();
  store.dispatch({ step: 4 }, { history: "none" });
  assert.equal(stage.controls.player.playing, false);
  assert.equal(stage.controls.row, 4);
  assert.equal(stage.scene?.row, 4);
});

test("the row under the pointer is a position that no address has", async () => {
  const { stage, store, say } = opened("?step=2");
  await stage.load("map");
  say(written(3));
  store.dispatch({ row: 0 }, { history: "none" });
  assert.equal(stage.scene?.row, 1, "the selected row stays");
  assert.equal(STATE.toQuery(store.settings), "?step=2");
});

test("a map that is not loaded leaves the picture before on screen, until it is there", async () => {
  const { stage, store, views, say } = opened();
  await stage.load("map");
  /** @type {any} */
  const large = { ...written(3), run: "/runs/1", picked: { weights: [[1]] } };
  say(large);
  views();
  say({ ...large, picked: { weights: [] } }, { since: 0 });
  stage.draw();
  assert.deepEqual(views(), []);
  assert.equal(stage.scene?.trace, large);
  say({ ...large, picked: { weights: [] } });
  assert.deepEqual(views(), ["map forgets"], "nor is another answer drawn without it");
  say({ ...large }, { since: 0 });
  assert.deepEqual(views(), ["map draws 3 steps at 0"]);
  assert.equal(stage.scene?.trace, store.answer?.trace);
});

test("after a failure, more of the last trace is drawn, and not the same again", async () => {
  const { stage, store, views, say } = opened();
  await stage.load("map");
  say(written(3));
  views();
  const stale = (trace) => say(trace, { phase: "stale", since: 0 });
  stale(store.answer?.trace);
  assert.deepEqual(views(), []);
  stale(written(4));
  assert.deepEqual(views(), ["map draws 4 steps at 0"]);
});
