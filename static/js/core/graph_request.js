/** The request about a graph, from the settings; and the settings of a trace. Pure. */

/** @import {GraphBody, GraphSettings, GraphTrace, Model} from "./types" */

import { IMPORTED_MODEL } from "./imported_model.js";

/**
 * The body of `POST /graph`.
 * @param {Pick<GraphSettings, "graph">} settings @param {Model} model
 * @returns {GraphBody & {graph: string, model: string}}
 */
export const graphBody = (settings, model) => ({
  graph: settings.graph ?? model.examples[0] ?? "",
  model: model.id,
});

/** The key of an answer: equal requests have equal keys. @param {GraphSettings} settings @param {Model} model */
export const graphKey = (settings, model) => JSON.stringify(graphBody(settings, model));

/** The settings that request this trace again. @param {GraphTrace} trace @returns {Partial<GraphSettings>} */
export const graphSettings = ({ model, request }) => ({ model: model.id, graph: request.text });

/** True if the trace answers this request. @param {GraphTrace} trace @param {{graph: string, model: string}} body */
export const answers = ({ model, request }, body) =>
  model.id === body.model && request.text === body.graph;

/** The model of a trace: an installed one, or one described by the trace itself. @param {GraphTrace} trace @param {Model[]} models @returns {Model} */
export function graphModelOf({ model: { id, mechanism, order }, maps }, models) {
  const installed = models.find((model) => model.id === id);
  const count = (/** @type {"layer" | "head"} */ name) =>
    new Set(maps.map((each) => each[name])).size;
  const [layers, heads] = [count("layer"), count("head")];
  return installed ?? { ...IMPORTED_MODEL, name: id, mechanism, order, layers, heads };
}

/** The title of the text of a graph, which is its first line. @param {string} text */
export const titleOf = (text) => /^#[ \t]*(.*)/.exec(text)?.[1].trim() ?? "";
