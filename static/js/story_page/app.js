/** The page of stories: what it requests, and from which form. */

/** @import {Model, StoryScene, StorySettings, StoryTrace} from "../core/types" */
/** @import {Page} from "../shell/types" */

import { answerStory } from "../core/api.js";
import { IMPORTED_MODEL } from "../core/imported_model.js";
import { answers, storyBody, storyModelOf, storySettings } from "../core/story_request.js";
import { STORY_STATE, restarted } from "../core/story_state.js";
import { visible } from "../core/text.js";
import { start } from "../shell/application.js";
import { byId } from "../shell/dom.js";
import { FileDrop } from "../shell/file_drop.js";
import { inlined } from "../shell/preloaded_trace.js";
import { axis } from "./axis.js";
import { StoryForm } from "./form.js";

/** @type {Model[]} */
const models = JSON.parse(byId("ask", HTMLFormElement).dataset.models ?? "[]");

/** @type {Page<StorySettings, StoryTrace, StoryScene>} */
const page = {
  axis,
  state: STORY_STATE,
  restarted,
  models,
  exports: async () => (await import("./exports.js")).exports,
  form: (submit) => new StoryForm(models, submit),
  files: ({ open }) => void new FileDrop(open),
  answer: (settings, model, signal, grows) =>
    answerStory(storyBody(settings, model), signal, grows),
  preloaded: (settings, model) => {
    const trace = /** @type {StoryTrace | null} */ (inlined());
    return trace && answers(trace, storyBody(settings, model)) ? trace : null;
  },
  read: async (bytes) => (await import("../import/story_trace.js")).readStoryTrace(bytes), // most users never import any
  modelOf: (trace) => storyModelOf(trace, models),
  importedModel: (trace) => ({ ...storyModelOf(trace, models), id: IMPORTED_MODEL.id }),
  adopt: (trace, model) => (model.id === IMPORTED_MODEL.id ? {} : storySettings(trace)),
  title: ({ question }, file) => file ?? question.text,
  frameTitle: ({ question, text }) => `${visible(question.text)} → ${visible(text)}`,
  refused: "empty",
  notices: {
    saved: "This is a saved result. Ask another question to continue.",
    imported: (file) => `This is the trace in ${file}. Ask another question to return.`,
  },
};

if (models.length) start(page);
