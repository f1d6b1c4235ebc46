import assert from "node:assert/strict";
import { test } from "node:test";

import { partsOf, story } from "../../../../static/js/pages/story/page.js";
import { STORY, STORY_MODEL, storyTrace } from "../../stories.js";

test("the last line of an example is its question", () => {
  assert.deepEqual(partsOf("A.\nB.\nC?"), { story: "A.\nB.", question: "C?" });
  assert.deepEqual(partsOf(""), { story: "", question: "" });
});

test("without a story the first example is requested", () => {
  assert.deepEqual(story.body({ story: null, question: null }, STORY_MODEL), {
    story: "Mary left.",
    question: "Where is Mary?",
    model: "memory",
  });
});

test("a trace answers its own request", () => {
  /** @type {any} */
  const trace = storyTrace();
  /** @type {any} */
  const body = story.body(story.settingsOf(trace), STORY_MODEL);
  assert.deepEqual(body, { story: STORY, question: "Who has it", model: "memory" });
  assert.ok(story.answers(trace, body));
  assert.ok(!story.answers(trace, { ...body, question: "Where?" }));
  assert.ok(!story.answers(trace, { ...body, model: "another" }));
});

test("a model that is not installed is described by its trace", () => {
  assert.equal(story.modelOf(storyTrace(), [STORY_MODEL]), STORY_MODEL);
  assert.equal(story.modelOf(storyTrace(), []).layers, 2);
});

test("the description names the page, its call and its titles", () => {
  assert.equal(story.endpoint, "/api/v1/story");
  assert.equal(
    story.state.toQuery({ ...story.state.DEFAULTS, question: "Who?" }),
    "?question=Who%3F",
  );
  assert.equal(story.frameTitle(storyTrace()), "Who has it → Zoe");
  assert.equal(story.fileText(storyTrace()), "Who has it");
});
