/** The request about a picture of a digit, from the settings; and the settings of a trace. Pure. */

/** @import {GlimpseBody, GlimpseSettings, GlimpseTrace, Model} from "./types" */

import { IMPORTED_MODEL } from "./imported_model.js";

/**
 * The body of `POST /glimpse`.
 * @param {Pick<GlimpseSettings, "picture">} settings @param {Model} model
 * @returns {GlimpseBody & {picture: string, model: string}}
 */
export const glimpseBody = ({ picture }, model) => ({
  picture: picture ?? model.examples[0] ?? "",
  model: model.id,
});

/** The key of an answer: equal requests have equal keys. @param {GlimpseSettings} settings @param {Model} model */
export const glimpseKey = (settings, model) => JSON.stringify(glimpseBody(settings, model));

/** The settings that request this trace again: the picture as the network has read it. @param {GlimpseTrace} trace @returns {Partial<GlimpseSettings>} */
export const glimpseSettings = ({ model, picture }) => ({
  model: model.id,
  picture: forAddress(picture.preview),
});

/** The picture in a `data:` address, for a parameter of an address. @param {string} uri */
export const forAddress = (uri) =>
  uri
    .slice(uri.indexOf(",") + 1)
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");

/** The `data:` address of a picture in a parameter. Browsers find out its format. @param {string} picture */
export const dataAddress = (picture) =>
  `data:image/png;base64,${picture.replaceAll("-", "+").replaceAll("_", "/")}`;

/** The model of a trace: an installed one, or one described by the trace itself. @param {GlimpseTrace} trace @param {Model[]} models @returns {Model} */
export function glimpseModelOf({ model: { id, mechanism, order } }, models) {
  const installed = models.find((model) => model.id === id);
  return installed ?? { ...IMPORTED_MODEL, name: id, mechanism, order, layers: 1 };
}
