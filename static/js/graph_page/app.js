/** The page of graphs: what it requests, and from which form. */

/** @import {GraphScene, GraphSettings, GraphTrace, Model} from "../core/types" */
/** @import {Page} from "../shell/types" */

import { classify } from "../core/api.js";
import { keepingPlaces } from "../core/graph_edit.js";
import { answers, graphBody, graphModelOf, graphSettings } from "../core/graph_request.js";
import { GRAPH_STATE, restarted } from "../core/graph_state.js";
import { IMPORTED_MODEL } from "../core/imported_model.js";
import { visible } from "../core/text.js";
import { start } from "../shell/application.js";
import { byId } from "../shell/dom.js";
import { FileDrop } from "../shell/file_drop.js";
import { inlined } from "../shell/preloaded_trace.js";
import { axis } from "./axis.js";
import { GraphForm } from "./form.js";

/** @type {Model[]} */
const models = JSON.parse(byId("ask", HTMLFormElement).dataset.models ?? "[]");

/** The last answer, whose nodes keep their places when it is edited. @type {GraphTrace | null} */
let last = null;

/** @param {GraphTrace} trace */
const kept = (trace) => (last = keepingPlaces(trace, last));

/** @type {Page<GraphSettings, GraphTrace, GraphScene>} */
const page = {
  axis,
  state: GRAPH_STATE,
  restarted,
  models,
  exports: async () => (await import("./exports.js")).exports,
  form: (submit) => new GraphForm(models, submit),
  files: ({ open }) => void new FileDrop(open),
  answer: async (settings, model, signal) =>
    kept(await classify(graphBody(settings, model), signal)),
  preloaded: (settings, model) => {
    const trace = /** @type {GraphTrace | null} */ (inlined());
    return trace && answers(trace, graphBody(settings, model)) ? kept(trace) : null;
  },
  read: async (bytes) => (await import("../import/graph_trace.js")).readGraphTrace(bytes), // most users never import any
  modelOf: (trace) => graphModelOf(trace, models),
  importedModel: (trace) => ({ ...graphModelOf(trace, models), id: IMPORTED_MODEL.id }),
  adopt: (trace, model) => (model.id === IMPORTED_MODEL.id ? {} : graphSettings(kept(trace))),
  title: ({ source }, file) => file ?? source.text,
  frameTitle: ({ source, text }) => `${visible(source.text)} → ${visible(text)}`,
  refused: "empty",
  notices: {
    saved: "This is a saved result. Edit the graph to continue.",
    imported: (file) => `This is the trace in ${file}. Choose another graph to return.`,
  },
};

if (models.length) start(page);
