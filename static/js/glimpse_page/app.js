/** The page of glimpses: what it requests, and from which form. */

/** @import {GlimpseScene, GlimpseSettings, GlimpseTrace, Model} from "../core/types" */
/** @import {Page} from "../shell/types" */

import { readDigit } from "../core/api.js";
import { glimpseBody, glimpseModelOf, glimpseSettings } from "../core/glimpse_request.js";
import { GLIMPSE_STATE } from "../core/glimpse_state.js";
import { IMPORTED_MODEL } from "../core/imported_model.js";
import { restarted } from "../core/story_state.js";
import { start } from "../shell/application.js";
import { byId } from "../shell/dom.js";
import { FileDrop } from "../shell/file_drop.js";
import { inlined } from "../shell/preloaded_trace.js";
import { axis } from "./axis.js";
import { GlimpseForm } from "./form.js";

const { models: listed = "[]", picture: asked } = byId("ask", HTMLFormElement).dataset;
/** @type {Model[]} */
const models = JSON.parse(listed);
/** @type {GlimpseForm | null} */
let form = null;

/** @type {Page<GlimpseSettings, GlimpseTrace, GlimpseScene>} */
const page = {
  axis,
  state: GLIMPSE_STATE,
  restarted,
  models,
  exports: async () => (await import("./exports.js")).exports,
  form: (submit) => (form = new GlimpseForm(models, submit)),
  // A file is a picture, or else the trace of one.
  files: ({ open }) =>
    void new FileDrop(async (name, bytes) => {
      if (!(await form?.take(new Blob([bytes])))) await open(name, bytes);
    }),
  answer: (settings, model, signal, grows) =>
    readDigit(glimpseBody(settings, model), signal, grows),
  preloaded: (settings, model) => {
    const trace = /** @type {GlimpseTrace | null} */ (inlined());
    const body = glimpseBody(settings, model);
    return trace?.model.id === body.model && asked === body.picture ? trace : null;
  },
  read: async (bytes) => (await import("../import/glimpse_trace.js")).readGlimpseTrace(bytes), // most users never import any
  modelOf: (trace) => glimpseModelOf(trace, models),
  importedModel: (trace) => ({ ...glimpseModelOf(trace, models), id: IMPORTED_MODEL.id }),
  adopt: (trace, model) => (model.id === IMPORTED_MODEL.id ? {} : glimpseSettings(trace)),
  title: ({ text }, file) => file ?? `A digit read in glimpses: ${text}`,
  frameTitle: ({ text }) => `A digit read in glimpses: ${text}`,
  refused: "empty",
  notices: {
    saved: "This is a saved result. Draw another digit to continue.",
    imported: (file) => `This is the trace in ${file}. Draw another digit to return.`,
  },
};

if (models.length) start(page);
