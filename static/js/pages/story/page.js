/** The description of the page of stories: a question, answered in hops over the sentences of a story. Pure. */

/** @import {StoryScene} from "../../core/types" */

import { modelPage } from "../../core/model_page.js";
import { hopSentence, storySceneOf } from "../../core/story_scene.js";

/** An example of a model, whose last line is the question. @param {string} example */
export function partsOf(example) {
  const lines = example.split("\n");
  const question = lines.pop() ?? "";
  return { story: lines.join("\n"), question };
}

export const story = modelPage({
  id: "story",
  kind: "sentences",
  inputs: ["story", "question"],
  partsOf,
  nameOf: (example) => {
    const { story, question } = partsOf(example);
    return { text: question, title: story };
  },
  inputsOf: ({ request, question }) => ({ story: request.text, question: question.text }),
  described: ({ target }) => ({ layers: target.hops }),
  sceneOf: storySceneOf,
  sentence: hopSentence,
  arrays,
  title: ({ question }) => question.text,
  leave: { saved: "Ask another question", imported: "Ask another question" },
});

/** The map as arrays for NumPy: `weights` by layer, head, hop and sentence. @param {StoryScene} scene */
function arrays({ view: { rows, columns, weights } }) {
  return {
    weights: { shape: [1, 1, rows.length, columns.length], data: (weights ?? []).flat() },
    source: { shape: [columns.length], data: columns.map(({ text }) => text) },
    target: { shape: [rows.length], data: rows.map(({ text }) => text) },
  };
}
