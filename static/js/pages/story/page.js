/** The description of the page of stories: a question, answered in hops over the sentences of a story. Pure. */

import { modelPage } from "../../core/model_page.js";
import { sentences } from "../../core/kinds/sentences.js";

/** An example of a model, whose last line is the question. @param {string} example */
export function partsOf(example) {
  const lines = example.split("\n");
  const question = lines.pop() ?? "";
  return { story: lines.join("\n"), question };
}

export const story = modelPage({
  id: "story",
  kind: sentences,
  edited: true,
  inputs: ["story", "question"],
  partsOf,
  nameOf: (example) => {
    const { story, question } = partsOf(example);
    return { text: question, title: story };
  },
  inputsOf: ({ request, question }) => ({ story: request.text, question: question.text }),
  described: ({ target }) => ({ layers: target.hops }),
  title: ({ question }) => question.text,
  leave: { saved: "Ask another question", imported: "Ask another question" },
});
