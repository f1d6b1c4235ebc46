/** The exports that the pages of photos share. */

/** @import {Address} from "../core/address.js" */
/** @import {PatchSettings, PictureSettings, Trace} from "../core/types" */

import { YOURS } from "../core/grid_state.js";
import { fileName as nameOf } from "../export/file_name.js";

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

/** A file's name from the output. @param {Pick<Trace, "text" | "model">} trace @param {string} extension */
export const fileName = ({ text, model }, extension) =>
  nameOf({ model, source: { text } }, extension);
