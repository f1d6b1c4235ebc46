import assert from "node:assert/strict";
import { test } from "node:test";

import {
  cutAtUnknown,
  sentences,
  unknownNote,
} from "../../../../static/js/core/kinds/sentences.js";
import { story } from "../../../../static/js/pages/story/page.js";
import { STORY_MODEL, WEIGHTS, storyTrace } from "../../stories.js";

const scene = (change = {}) =>
  sentences.sceneOf(storyTrace(), { ...story.state.DEFAULTS, ...change }, STORY_MODEL);

test("rows are hops and columns are sentences", () => {
  const { view, row, viewName } = scene();
  assert.deepEqual(
    view.rows.map(({ text }) => text),
    ["hop 1", "hop 2"],
  );
  assert.deepEqual(
    view.columns.map(({ text }) => text),
    ["<no sentence>", "Mary left.", "Zoe has it."],
  );
  assert.deepEqual(view.weights, WEIGHTS);
  assert.equal(viewName, "map");
  assert.equal(row, 1, "it stands at the last hop, which answers");
});

test("edits of a story are shown by what they changed", () => {
  const uniform = [0, 1].map(() => [1 / 3, 1 / 3, 1 / 3]);
  const made = storyTrace();
  const trace = { ...made, baseline: { ...made, maps: [{ ...made.maps[0], weights: uniform }] } };
  const settings = { ...story.state.DEFAULTS, editing: /** @type {const} */ ("difference") };
  const { view } = sentences.sceneOf(trace, settings, STORY_MODEL);
  const changes = view.difference?.[1].map((value) => Number(value.toFixed(2)));
  assert.deepEqual(changes, [-0.33, -0.28, 0.62]);
  assert.equal(sentences.sceneOf(made, settings, STORY_MODEL).view.difference, null);
});

test("a hop past the end is the last one, and a view that does not fit is the map", () => {
  assert.equal(scene({ step: 9 }).row, 1);
  assert.equal(scene({ view: "ribbons" }).viewName, "map");
  assert.ok(scene({ view: "step" }).parts > 1);
});

test("the sentence of a hop names what it attends to and its answer", () => {
  assert.equal(
    sentences.sentence(scene(), 0),
    "Hop 1 of 2: attends mostly to “Mary left.” (0.70), “Zoe has it.” (0.20) and no sentence (0.10). Its answer so far: “Zoe” (probability 60.0\u00a0%).",
  );
  assert.match(sentences.sentence(scene(), 1), /The answer: “Zoe”/);
});

test("unknown words are named, and cut out of their sentence", () => {
  assert.match(unknownNote(storyTrace()), /: “Zoe”\.$/);
  assert.deepEqual(cutAtUnknown("Zoe has it.", 11, [{ start: 11, end: 14 }]), [
    { text: "Zoe", unknown: true },
    { text: " has it.", unknown: false },
  ]);
  assert.deepEqual(cutAtUnknown("Mary left.", 0, [{ start: 11, end: 14 }]), [
    { text: "Mary left.", unknown: false },
  ]);
});

test("the address has the story, the question and the view", () => {
  const settings = {
    ...story.state.DEFAULTS,
    story: "A b.\nC.",
    question: "D?",
    step: 0,
    view: "step",
  };
  assert.deepEqual(story.state.fromQuery(story.state.toQuery(settings)), settings);
  assert.equal(story.state.restarted(settings).step, null);
});
