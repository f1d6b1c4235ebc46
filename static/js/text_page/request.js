/** From what is set to what is asked of the server. Pure. */

/** @import {Model, Settings, TranslateBody} from "../core/types" */

/** What decides the answer; the rest is only how it is looked at. @type {(keyof Settings)[]} */
export const ASKED = ["model", "text", "target", "search", "beam", "seed", "temperature", "penalty"];

/** @param {Settings} one @param {Settings} other whether both get the same answer */
export function asksTheSame(one, other) {
  return ASKED.every((name) => one[name] === other[name]);
}

/** Whether a head of self-attention is taken apart: its vectors are told only where they are asked for. @param {Settings} settings @param {Model} model */
const tellsAll = ({ view, map, pool }, model) => view === "step" && model.mechanism === "multihead" && !pool && (map === "encoder-self" || map === "decoder-self");

/**
 * The body of `POST /translate`.
 * @param {Settings} settings @param {Model} model @returns {TranslateBody}
 */
export function requestBody(settings, model) {
  /** @type {TranslateBody} */
  const body = { text: settings.text ?? model.examples[0] ?? "", model: model.id, ...(tellsAll(settings, model) && { vectors: "all" }) };
  if (settings.target !== null) return { ...body, target: settings.target };
  const { beam, seed, temperature, penalty } = settings;
  if (settings.search === "beam") body.search = { kind: "beam", beam, length_penalty: penalty };
  if (settings.search === "sample") body.search = { kind: "sample", seed, temperature };
  return body;
}

/**
 * The sentence to keep when another model is chosen: the user's own always; an example of the old
 * model is no sentence for one of another task, or that reads another language.
 * @param {string} text @param {Model} from @param {Model} to
 */
export function carriedText(text, from, to) {
  const other = from.task !== to.task || from.source.code !== to.source.code;
  const foreign = other && from.examples.includes(text);
  return foreign && to.examples.length ? to.examples[0] : text;
}
