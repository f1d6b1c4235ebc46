import assert from "node:assert/strict";
import { test } from "node:test";

import {
  answers,
  partsOf,
  storyBody,
  storyModelOf,
  storySettings,
} from "../../../static/js/core/story_request.js";
import { STORY, STORY_MODEL, storyTrace } from "../stories.js";

test("the last line of an example is its question", () => {
  assert.deepEqual(partsOf("A.\nB.\nC?"), { story: "A.\nB.", question: "C?" });
  assert.deepEqual(partsOf(), { story: "", question: "" });
});

test("without a story the first example is requested", () => {
  assert.deepEqual(storyBody({ story: null, question: null }, STORY_MODEL), {
    story: "Mary left.",
    question: "Where is Mary?",
    model: "memory",
  });
});

test("a trace answers its own request", () => {
  const trace = storyTrace();
  const body = storyBody(storySettings(trace), STORY_MODEL);
  assert.deepEqual(body, { story: STORY, question: "Who has it", model: "memory" });
  assert.ok(answers(trace, body));
  assert.ok(!answers(trace, { ...body, question: "Where?" }));
});

test("a model that is not installed is described by its trace", () => {
  assert.equal(storyModelOf(storyTrace(), [STORY_MODEL]), STORY_MODEL);
  assert.equal(storyModelOf(storyTrace(), []).layers, 2);
});
