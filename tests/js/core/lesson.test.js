import assert from "node:assert/strict";
import { test } from "node:test";

import { isTurned, ownText, withText } from "../../../static/js/core/lesson.js";
import { STATE } from "../../../static/js/core/state.js";

test("a sentence is the user's own if the step has another one", () => {
  assert.equal(ownText("mine", "authored"), "mine");
  assert.equal(ownText("authored", "authored"), null);
  assert.equal(ownText(null, "authored"), null);
  assert.equal(ownText("mine", ""), null, "a step on a photo");
});

test("the next step takes the sentence along, without the selection of the old one", () => {
  const href = "http://localhost/?model=m&text=old&step=3&rows=1+2&pick=1&lesson=attention&at=3";
  const url = new URL(withText(href, "a & b?"));
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    model: "m",
    text: "a & b?",
    step: "3",
    lesson: "attention",
    at: "3",
  });
  const photo = "http://localhost/picture?sample=cat&lesson=attention&at=7";
  assert.equal(withText(photo, "mine"), photo);
});

test("a change of the view stays on the lesson, and a saved trace leaves it", () => {
  const settings = STATE.fromQuery("?model=m&text=a&lesson=attention&at=3");
  assert.match(STATE.toQuery({ ...settings, view: "step" }), /lesson=attention&at=3/);
  assert.doesNotMatch(STATE.savedQuery(settings), /lesson|at=/);
});

test("a page is turned to from another one of the same lesson alone", () => {
  const here = "http://heed/learn/cost?lesson=fast&at=4";
  assert.ok(isTurned("http://heed/?lesson=fast&at=3", here));
  assert.ok(!isTurned("http://heed/?lesson=worth&at=3", here));
  assert.ok(!isTurned("http://elsewhere/?lesson=fast&at=3", here));
  assert.ok(!isTurned("http://heed/learn", here));
  assert.ok(!isTurned("", here));
});
