/** The exports of the page of pictures. */

/** @import {PictureScene, PictureSettings, PictureTrace} from "../../core/types" */
/** @import {Exports} from "../../shell/types" */

import { curl } from "../../core/grid_request.js";
import { YOURS, toQuery } from "../../core/grid_state.js";
import { fileName } from "../../export/file_name.js";

/** @param {() => string} photoName the name of the photo's file @returns {Exports<PictureSettings, PictureTrace, PictureScene>} */
export const exportsOf = (photoName) => ({
  link: (settings) => ({
    text: `${location.origin}/picture${toQuery(settings)}`,
    done:
      settings.sample === YOURS
        ? "Link copied, without your photo: save the trace for a link that shows it."
        : "Link copied.",
  }),
  curl: (settings, model) => curl(location.origin, settings, model, photoName()),
  fileName: named,
  drawings: [
    { button: "save", view: null, suffix: "" },
    { button: "save-sheet", view: "sheet", suffix: "sheet." },
    { button: "save-word", view: "photo", suffix: "word." },
    { button: "save-network", view: "network", suffix: "network." },
  ],
  animation: (scene) => ({ scene: { ...scene, parts: 1 }, view: "photo" }),
  heat: async () => (await import("../../draw/photo_heat.js")).heatAddress,
  requestButtons: ["copy-link", "copy-curl", "curl"],
  more: () => {},
  standalone: {
    address: "/picture?view=sheet",
    entry: "pages/picture/standalone_app.js",
    standIn: "draw/no_plotly.js",
    // The photo is stored once, however many models have captioned it.
    pack: (trace) => ({ ...trace, picture: { ...trace.picture, preview: "" } }),
  },
});

/** A file's name from the caption. @param {PictureTrace} trace @param {string} extension */
const named = ({ model, text }, extension) => fileName({ model, source: { text } }, extension);
