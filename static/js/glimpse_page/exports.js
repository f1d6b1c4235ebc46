/** The exports of the page of glimpses. */

/** @import {GlimpseScene, GlimpseSettings, GlimpseTrace} from "../core/types" */
/** @import {Exports} from "../shell/types" */

import { GLIMPSE } from "../core/api.js";
import { glimpseBody } from "../core/glimpse_request.js";
import { GLIMPSE_STATE } from "../core/glimpse_state.js";
import { curl, fileName, linkTo, python } from "../export/share.js";
import { mapExports } from "../shell/map_exports.js";

/** @type {Exports<GlimpseSettings, GlimpseTrace, GlimpseScene>} */
export const exports = {
  link: (settings, { model }) => ({
    text: linkTo(location.href, GLIMPSE_STATE, settings, glimpseBody(settings, model)),
    done: "Link copied. The picture is part of it.",
  }),
  curl: (settings, model) => curl(location.origin, glimpseBody(settings, model), GLIMPSE),
  fileName: nameOf,
  drawings: [{ button: "save", view: null, suffix: "" }],
  animation: (scene) => ({ scene: { ...scene, parts: 1 }, view: scene.viewName }),
  ...mapExports({
    python: (settings, model) => python(location.origin, glimpseBody(settings, model), GLIMPSE),
    arrays: glimpseArrays,
    fileName: nameOf,
  }),
  // The address of a page without a request, and so without a trace in it.
  standalone: {
    address: "/glimpse?picture=",
    entry: "glimpse_page/standalone_app.js",
    standIn: "shell/canvas_heatmap.js",
    pack: (trace) => trace,
  },
};

/** The glimpses as arrays for NumPy: `beliefs` by glimpse and digit, `boxes` (left, top, side) by glimpse and scale, and `seen`, the patches. @param {GlimpseScene} scene */
function glimpseArrays({ view: { rows, columns, weights }, trace: { steps, target } }) {
  const seen = steps.flatMap((step) => (step.seen ? [step.seen] : []));
  const [first] = seen;
  const { length: scales } = target.glimpses[0];
  return {
    beliefs: { shape: [rows.length, columns.length], data: (weights ?? []).flat() },
    digits: { shape: [columns.length], data: columns.map(({ text }) => text) },
    boxes: {
      shape: [rows.length, scales, 3],
      data: target.glimpses.flat().flatMap(({ left, top, side }) => [left, top, side]),
    },
    ...(first && {
      seen: {
        shape: [seen.length, first.length, first[0].length, first[0][0].length],
        data: seen.flat(3),
      },
    }),
  };
}

/** A file's name from the digit. @param {Pick<GlimpseTrace, "model" | "text">} trace @param {string} extension */
function nameOf({ model, text }, extension) {
  return fileName({ model, source: { text: `digit ${text}` } }, extension);
}
