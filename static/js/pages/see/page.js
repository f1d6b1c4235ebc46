/** The description of the page of patches, the parts of a photo that attend to each other. Pure. */

import { photoPage } from "../../core/model_page.js";
import { patchModelOf } from "../../core/patch_request.js";
import { patchSceneOf, patchSentence } from "../../core/patch_scene.js";
import { PATCH_STATE } from "../../core/patch_state.js";

/** @type {import("../../core/types").PageFacts<"patches">} */
export const see = photoPage({
  id: "see",
  kind: "patches",
  state: PATCH_STATE,
  sceneOf: patchSceneOf,
  sentence: patchSentence,
  settingsOf: ({ model }) => ({ model: model.id }),
  modelOf: patchModelOf,
});
