/** The description of the page of patches, the parts of a photo that attend to each other. Pure. */

import { patches } from "../../core/kinds/patches.js";
import { photoPage } from "../../core/page.js";
import { patchModelOf } from "../../core/patch_request.js";
import { PATCH_STATE } from "../../core/patch_state.js";

/** @type {import("../../core/types").PageFacts<"patches">} */
export const see = photoPage({
  id: "see",
  kind: patches.name,
  state: PATCH_STATE,
  sceneOf: patches.sceneOf,
  sentence: patches.sentence,
  settingsOf: ({ model, request }) => ({ model: model.id, edits: request.edits ?? [] }),
  modelOf: patchModelOf,
});
