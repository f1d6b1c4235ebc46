/** The exports of the page of pictures. */

/** @import {PictureScene, PictureSettings, PictureTrace} from "../../core/types" */
/** @import {Exports} from "../../shell/types" */

import { curl } from "../../core/photo_curl.js";
import { STATE } from "../../core/grid_state.js";
import { questionAbout } from "../../shell/samples.js";
import { photoExports } from "../../shell/photo_exports.js";

/** @param {(settings: PictureSettings) => string} photoName the name of the photo's file @returns {Exports<PictureSettings, PictureTrace, PictureScene>} */
export const exportsOf = (photoName) => ({
  ...photoExports(STATE, "/picture"),
  curl: (settings, model) => {
    const question = settings.question ?? questionAbout(settings.sample);
    return curl(location.origin, { ...settings, question }, model, photoName(settings));
  },
  drawings: [
    { button: "save", view: null, suffix: "" },
    { button: "save-sheet", view: "sheet", suffix: "sheet." },
    { button: "save-word", view: "photo", suffix: "word." },
    { button: "save-network", view: "network", suffix: "network." },
  ],
  animation: (scene) => ({ scene: { ...scene, parts: 1 }, view: "photo" }),
  more: () => {},
  standalone: {
    page: "picture",
    // The photo is stored once, however many models have captioned it.
    pack: (trace) => ({ ...trace, picture: { ...trace.picture, preview: "" } }),
  },
});
