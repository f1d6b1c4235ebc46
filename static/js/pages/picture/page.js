/** The description of the page of pictures: a photo is read, a caption or an answer is written. Pure. */

import { modelOf, requestSettings } from "../../core/grid_request.js";
import { STATE } from "../../core/grid_state.js";
import { grid } from "../../core/kinds/grid.js";
import { photoPage } from "../../core/page.js";
import { viewNamed } from "../../core/views.js";

/** @type {import("../../core/types").PageFacts<"grid">} */
export const picture = photoPage({
  id: "picture",
  kind: grid.name,
  state: STATE,
  sceneOf: grid.sceneOf,
  sentence: grid.sentence,
  whileGrowing: (trace, settings) => {
    if (!trace.steps.length || !trace.picture) return null;
    if (!viewNamed("grid", settings.view).complete) return settings;
    // While words are given in the comparison, its cards stay.
    return settings.editing ? null : { ...settings, view: viewNamed("grid", "").name };
  },
  selection: ["cells"],
  settingsOf: requestSettings,
  modelOf,
  // The photo is in a file once, however many models have captioned it.
  unpack: (answer, { picture }) => ({ ...answer, picture }),
});
