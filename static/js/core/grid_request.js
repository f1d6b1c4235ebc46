/** The request about a photo, from the settings. Pure. */

/** @import {Model, PictureSettings, PictureTrace} from "./types" */

import { modelOf as described } from "./imported_model.js";
import { DEFAULTS, DRAWS } from "./grid_state.js";
import { mayBeLarge } from "./trace.js";

const PATHS = { caption: "/api/v1/caption", ask: "/api/v1/ask" };

/** True if the model answers questions. @param {Model} model */
export const asks = (model) => model.task === "ask";

/** True for hard attention, which attends to one random cell. @param {Model} model */
export const draws = (model) => model.mechanism === "hard";

/** @param {Model} model */
export const pathOf = (model) => (asks(model) ? PATHS.ask : PATHS.caption);

/**
 * The fields of the form, without the picture.
 * @param {PictureSettings} settings @param {Model} model @returns {[string, string][]}
 */
export function fieldsOf(settings, model) {
  /** @type {[string, string][]} */
  const fields = [["model", model.id]];
  if (asks(model)) fields.push(["question", settings.question ?? model.examples[0] ?? ""]);
  if (settings.target !== null) fields.push(["target", settings.target]);
  const search = searchOf(settings, model);
  if (search) fields.push(["search", JSON.stringify(search)]);
  if (draws(model) && settings.draws > 0) fields.push(["draws", String(settings.draws)]);
  if (settings.edits.length) fields.push(["edits", JSON.stringify(settings.edits)]);
  return fields;
}

/**
 * The fields of a request of the page, where the maps of a large trace may be left out.
 * @param {PictureSettings} settings @param {Model} model @returns {[string, string][]}
 */
export function requestFields(settings, model) {
  const fields = fieldsOf(settings, model);
  return asks(model) ? fields : withoutMaps(fields, model);
}

/**
 * The fields of a form, and the wish to leave the maps of a large trace out.
 * @param {[string, string][]} fields @param {Model} model @returns {[string, string][]}
 */
export const withoutMaps = (fields, model) =>
  mayBeLarge(model) ? [...fields, ["maps", "linked"]] : fields;

/** @param {PictureSettings} settings @param {Model} model */
function searchOf({ search, beam, seed, temperature, target }, model) {
  const seeded = draws(model) && seed !== DEFAULTS.seed ? { seed } : {};
  if (search === "beam" && target === null) return { kind: "beam", beam, ...seeded };
  if (search === "sample" && target === null) return { kind: "sample", seed, temperature };
  return "seed" in seeded ? { kind: "greedy", ...seeded } : null;
}

/** The models for pictures, captioners first. @param {Model[]} models */
export const pictureModels = (models) => [
  ...models.filter(({ task }) => task === "caption"),
  ...models.filter(({ task }) => task === "ask"),
];

/**
 * The settings that request this trace again.
 * @param {PictureTrace} trace @returns {Partial<PictureSettings>}
 */
export function requestSettings({ model, request, question: asked }) {
  const { kind, seed, temperature, beam } = request.search;
  const search = { search: kind, beam: kind === "beam" ? beam : DEFAULTS.beam, seed, temperature };
  return {
    model: model.id,
    question: asked?.text ?? null,
    target: request.target,
    ...search,
    draws: request.draws ? DRAWS : 0,
    edits: request.edits ?? [],
  };
}

/** The model of a trace: an installed one, or one described by the trace itself. @param {PictureTrace} trace @param {Model[]} models @returns {Model} */
export const modelOf = (trace, models) => described(trace, models, { task: trace.task });
