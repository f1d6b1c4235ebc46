/** The description of the page of pictures: a photo is read, a caption or an answer is written. Pure. */

import { modelOf, requestSettings } from "../../core/grid_request.js";
import { sceneOf } from "../../core/grid_scene.js";
import { sentence } from "../../core/grid_sentences.js";
import { STATE } from "../../core/grid_state.js";
import { photoPage } from "../../core/model_page.js";
import { viewNamed } from "../../core/views.js";

/** @type {import("../../core/types").PageFacts<"grid">} */
export const picture = photoPage({
  id: "picture",
  kind: "grid",
  state: STATE,
  sceneOf,
  sentence,
  whileGrowing: (trace, settings) => {
    if (!trace.steps.length || !trace.picture) return null;
    return viewNamed("grid", settings.view).complete
      ? { ...settings, view: viewNamed("grid", "").name }
      : settings;
  },
  selection: ["cells"],
  settingsOf: requestSettings,
  modelOf,
  // The photo is in a file once, however many models have captioned it.
  unpack: (answer, { picture }) => ({ ...answer, picture }),
});
