/** The request for a translation, from the settings, and from a trace. Pure. */

/** @import {Model, Settings, Trace, TranslateBody} from "./types" */

import { IMPORTED_MODEL, modelOf as described } from "./imported_model.js";
import { DEFAULTS } from "./state.js";
import { mayBeLarge } from "./trace.js";
import { viewNamed } from "./views.js";

/** Returns true if the vectors of a head of self-attention are shown: the server sends them only on request. @param {Settings} settings @param {Model} model */
const needsAllVectors = ({ view, map, pool }, model) =>
  viewNamed("tokens", view).parts &&
  model.mechanism === "multihead" &&
  !pool &&
  (map === "encoder-self" || map === "decoder-self");

/**
 * The body of `POST /translate`.
 * @param {Settings} settings @param {Model} model @returns {TranslateBody}
 */
export function requestBody(settings, model) {
  /** @type {TranslateBody} */
  const body = {
    text: settings.text ?? model.examples[0] ?? "",
    model: model.id,
    ...(needsAllVectors(settings, model) && { vectors: "all" }),
    ...(mayBeLarge(model) && { maps: "linked" }),
    ...(settings.edits.length && { edits: [...settings.edits] }),
  };
  if (settings.target !== null) return { ...body, target: settings.target };
  const { beam, seed, temperature, penalty } = settings;
  if (settings.search === "beam") body.search = { kind: "beam", beam, length_penalty: penalty };
  if (settings.search === "sample") body.search = { kind: "sample", seed, temperature };
  return body;
}

/**
 * The body of a request whose answer the next one replaces, during a drag: while only the map is
 * shown, without scores and vectors.
 * @param {Settings} settings @param {Model} model @returns {TranslateBody}
 */
export function passingBody(settings, model) {
  const body = requestBody(settings, model);
  return settings.view === "map" && !settings.show.length ? { ...body, detail: "weights" } : body;
}

/** The body of a call outside of the page, which gets every trace as a whole. @param {Settings} settings @param {Model} model */
export function callBody(settings, model) {
  const { maps: _, ...body } = requestBody(settings, model);
  return body;
}

/** The key of an answer: equal requests have equal keys. @param {Settings} settings @param {Model} model */
export const requestKey = (settings, model) => JSON.stringify(requestBody(settings, model));

/**
 * The sentence to keep when another model is chosen: always the user's own; an example of the old
 * model only where the new one has the same task and input language.
 * @param {string} text @param {Model} from @param {Model} to
 */
export function carriedText(text, from, to) {
  const other = from.task !== to.task || from.source.code !== to.source.code;
  const foreign = other && from.examples.includes(text);
  return (foreign && to.examples[0]) || text;
}

/**
 * The settings that request this trace again.
 * @param {Trace} trace @returns {Partial<Settings>}
 */
export function requestSettings({ model: { id }, request: { text, target, search, edits } }) {
  const { kind, seed, temperature } = search;
  const beam = kind === "beam" ? search.beam : DEFAULTS.beam;
  return {
    model: id,
    text,
    target,
    search: kind,
    beam,
    seed,
    temperature,
    penalty: search.length_penalty,
    edits: edits ?? [],
  };
}

/**
 * The model of a trace: an installed one, or one described by the trace itself.
 * @param {Trace} trace @param {Model[]} models @returns {Model}
 */
export function modelOf(trace, models) {
  const letters = trace.target.tokens.every(
    ({ text, special }) => special || Array.from(text).length < 2,
  );
  return described(trace, [...models, IMPORTED_MODEL], {
    granularity: letters ? "characters" : "subwords",
  });
}
