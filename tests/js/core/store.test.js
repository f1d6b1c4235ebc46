import assert from "node:assert/strict";
import { test } from "node:test";

import { address, place, setting, word } from "../../../static/js/core/address.js";
import { PAGE_FIELDS } from "../../../static/js/core/page_fields.js";
import { STATE } from "../../../static/js/core/state.js";
import { Store } from "../../../static/js/core/store.js";

/** A store of the page of texts, and what its listeners were called with. */
function opened(query = "?text=red", saved = null) {
  const store = new Store(STATE, STATE.fromQuery(query), saved);
  const heard = [];
  store.subscribe((change) => heard.push(change));
  return { store, heard };
}

/** @returns {any} */
const answer = (trace) => ({ phase: "ready", trace, model: { id: "m" }, since: null });

test("each setting belongs to the request, to the view or to the position", () => {
  const { store } = opened("?text=red&beam=3&view=ribbons&step=4&part=2");
  const { request, view, position, edits, answer } = store.state;
  assert.equal(request.text, "red");
  assert.equal(request.beam, 3);
  assert.equal(view.view, "ribbons");
  assert.deepEqual(position, { step: 3, part: 1, row: null, column: null });
  assert.deepEqual(edits, []);
  assert.equal(answer, null);
});

test("the settings are those of the address", () => {
  const query = "?text=red&search=beam&beam=3&step=4&view=ribbons";
  const { store } = opened(query);
  assert.equal(STATE.toQuery(store.settings), query);
  store.dispatch({ mass: 50 });
  assert.equal(STATE.toQuery(store.settings), `${query}&mass=50`);
});

test("listeners hear what changed, and whether something else is asked", () => {
  const { store, heard } = opened();
  store.dispatch({ view: "ribbons", scale: "whole" });
  assert.deepEqual([...heard[0].changed], ["view"], "the scale was whole before");
  assert.equal(heard[0].asks, false);
  store.dispatch({ text: "blue" }, { history: "push" });
  assert.deepEqual([...heard[1].changed], ["text"]);
  assert.equal(heard[1].asks, true);
  assert.equal(heard[1].history, "push");
  assert.equal(heard[1].before.request.text, "red");
});

test("what stays the same is no change", () => {
  const { store, heard } = opened("?rows=1+2");
  const { state } = store;
  store.dispatch({ rows: [0, 1], view: "map" }, { history: "none" });
  assert.equal(heard.length, 0);
  assert.equal(store.state, state);
  store.dispatch({});
  assert.equal(heard.length, 1, "an address is to be written");
});

test("parts of the state that do not change stay the same objects", () => {
  const { store } = opened();
  const { request, position } = store.state;
  store.dispatch({ view: "ribbons" });
  assert.equal(store.state.request, request);
  assert.equal(store.state.position, position);
});

test("a request that comes with its answer is not asked again", () => {
  const { store, heard } = opened("", "abc");
  store.dispatch({ text: "red", answer: answer({}) }, { history: "none" });
  assert.equal(heard[0].asks, false);
  assert.equal(store.saved, "abc");
  store.dispatch({ saved: null }, { history: "push" });
  assert.equal(heard[1].asks, true);
});

test("a change within a listener is heard by all after the first", () => {
  const store = new Store(STATE, STATE.fromQuery("?text=red"));
  const heard = [];
  store.subscribe(({ changed }) => {
    if (changed.has("text")) store.dispatch({ view: "ribbons" }, { history: "none" });
  });
  store.subscribe(({ changed }) => heard.push([...changed].join()));
  store.dispatch({ text: "blue" });
  assert.deepEqual(heard, ["text", "view"]);
});

test("an error of a listener does not silence the next change", () => {
  const { store, heard } = opened();
  const end = store.subscribe(() => {
    throw new Error("broken");
  });
  assert.throws(() => store.dispatch({ view: "ribbons" }), /broken/);
  end();
  store.dispatch({ view: "step" });
  assert.equal(heard.length, 2);
});

test("undo leads back through requests and views, and redo forth", () => {
  const { store, heard } = opened();
  store.dispatch({ view: "ribbons" });
  store.dispatch({ text: "blue" }, { history: "push" });
  store.dispatch({ head: 3 });
  store.undo();
  assert.equal(store.settings.head, null);
  store.undo();
  assert.equal(store.settings.text, "red");
  assert.equal(heard.at(-1)?.history, "push");
  assert.equal(heard.at(-1)?.asks, true);
  store.undo();
  assert.equal(store.settings.view, "map");
  assert.equal(store.canUndo, false);
  store.undo();
  for (let count = 0; count < 3; count++) store.redo();
  assert.equal(store.canRedo, false);
  const { view, text, head } = store.settings;
  assert.deepEqual({ view, text, head }, { view: "ribbons", text: "blue", head: 3 });
});

test("the player is not undone, nor is what no person did", () => {
  const { store } = opened();
  store.dispatch({ view: "ribbons" });
  store.dispatch({ step: 4 });
  store.dispatch({ speed: 2 });
  store.dispatch({ row: 2 }, { history: "none" });
  store.dispatch({ answer: answer({}) }, { history: "none" });
  store.undo();
  const { view, step, speed } = store.settings;
  assert.deepEqual({ view, step, speed }, { view: "map", step: 4, speed: 1 });
  assert.equal(store.canUndo, false);
});

test("another request that is undone has its old position", () => {
  const { store } = opened("?text=red&step=3");
  store.dispatch({ text: "blue", step: 0 }, { history: "push" });
  store.undo();
  assert.equal(store.settings.step, 2);
});

test("the changes of one control in a row are undone as one", () => {
  const { store } = opened();
  store.dispatch({ mass: 60 }, { by: "mass" });
  store.dispatch({ mass: 50 }, { by: "mass" });
  store.dispatch({ mass: 40 }, { by: "mass" });
  store.undo();
  assert.equal(store.settings.mass, 75);
  store.redo();
  assert.equal(store.settings.mass, 40);
});

test("what is done after an undo cannot be redone", () => {
  const { store } = opened();
  store.dispatch({ view: "ribbons" });
  store.undo();
  store.dispatch({ view: "step" });
  store.redo();
  assert.equal(store.settings.view, "step");
  assert.equal(store.canRedo, false);
});

test("one entry makes edits part of the request and of the address", () => {
  const edits = {
    read: (/** @type {string} */ raw) => raw.split("~").map((op) => ({ op })),
    write: (/** @type {any} */ all) => all.map(({ op }) => op).join("~") || null,
  };
  const fields = {
    text: setting(word(), null),
    edits: setting(edits, []),
    step: setting(place(), null),
    ...PAGE_FIELDS,
  };
  /** @type {any} */
  const state = address(fields, { path: "/", request: ["text", "edits"] });
  const store = new Store(state, state.fromQuery("?text=red&edits=block"));
  const heard = [];
  store.subscribe((change) => heard.push(change));
  assert.deepEqual(store.state.edits, [{ op: "block" }]);
  store.dispatch({ edits: [{ op: "block" }, { op: "only" }] });
  assert.equal(heard[0].asks, true);
  assert.equal(state.toQuery(store.settings), "?text=red&edits=block%7Eonly");
  store.undo();
  assert.equal(state.toQuery(store.settings), "?text=red&edits=block");
  assert.equal(heard[1].asks, true);
  store.dispatch({ edits: [{ op: "block" }] });
  assert.equal(heard[2].asks, false, "equal edits are no change");
});
