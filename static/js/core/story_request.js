/** The request about a story, from the settings; and the settings of a trace. Pure. */

/** @import {Model, StoryBody, StorySettings, StoryTrace} from "./types" */

import { IMPORTED_MODEL } from "./imported_model.js";

/** An example of a model, whose last line is the question. @param {string} [example] */
export function partsOf(example = "") {
  const lines = example.split("\n");
  const question = lines.pop() ?? "";
  return { story: lines.join("\n"), question };
}

/**
 * The body of `POST /story`.
 * @param {Pick<StorySettings, "story" | "question">} settings @param {Model} model
 * @returns {StoryBody}
 */
export function storyBody(settings, model) {
  const example = partsOf(model.examples[0]);
  return {
    story: settings.story ?? example.story,
    question: settings.question ?? example.question,
    model: model.id,
  };
}

/** The key of an answer: equal requests have equal keys. @param {StorySettings} settings @param {Model} model */
export const storyKey = (settings, model) => JSON.stringify(storyBody(settings, model));

/** The settings that request this trace again. @param {StoryTrace} trace @returns {Partial<StorySettings>} */
export const storySettings = ({ model, request, question }) => ({
  model: model.id,
  story: request.text,
  question: question.text,
});

/** True if the trace answers this request. @param {StoryTrace} trace @param {StoryBody} body */
export const answers = ({ model, source, question }, body) =>
  model.id === body.model && source.text === body.story && question.text === body.question;

/** The model of a trace: an installed one, or one described by the trace itself. @param {StoryTrace} trace @param {Model[]} models @returns {Model} */
export function storyModelOf({ model: { id, mechanism, order }, target }, models) {
  const installed = models.find((model) => model.id === id);
  return installed ?? { ...IMPORTED_MODEL, name: id, mechanism, order, layers: target.hops };
}
