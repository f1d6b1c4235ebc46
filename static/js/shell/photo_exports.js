/** The exports that the pages of photos share. */

/** @import {Address} from "../core/address.js" */
/** @import {PatchSettings, PictureSettings, Trace} from "../core/types" */

import { YOURS } from "../core/grid_state.js";

/** @template {PictureSettings | PatchSettings} S @param {Address<S>} state @param {string} path of the page */
export const photoExports = (state, path) => ({
  link: (/** @type {S} */ settings) => ({
    text: `${location.origin}${path}${state.toQuery(settings)}`,
    done:
      settings.sample === YOURS
        ? "Link copied, without your photo: save the trace for a link that shows it."
        : "Link copied.",
  }),
  fileName,
  heat: async () => (await import("../draw/photo_heat.js")).heatAddress,
  requestButtons: ["copy-link", "copy-curl", "curl"],
});

/** A file's name from the output, safe on every system. @param {Pick<Trace, "text" | "model">} trace @param {string} extension */
export function fileName({ text, model }, extension) {
  const words = text.normalize("NFKC").match(/[\p{L}\p{N}]+/gu) ?? [];
  const stem = Array.from(words.join("-")).slice(0, 40).join("");
  return `heed-${model.id}${stem && `-${stem}`}.${extension}`;
}
