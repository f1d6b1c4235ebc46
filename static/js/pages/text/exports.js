/** The exports of the page of texts. */

/** @import {Scene, Settings, Trace} from "../../core/types" */
/** @import {Exports} from "../../shell/types" */

import { soundCurl, soundPython } from "../../core/sound_calls.js";
import { hears } from "../../core/sound_task.js";
import { textPictureScene } from "../../core/text_picture_scene.js";
import { callBody } from "../../core/token_request.js";
import { sceneOf } from "../../core/scene.js";
import { fileName } from "../../export/file_name.js";
import { arrays, curl, link, python } from "../../export/share.js";
import { mapExports } from "../../shell/map_exports.js";
import { viewNamed } from "../../core/views.js";

/** @type {Exports<Settings, Trace, Scene>} */
export const exports = {
  link: (settings, { model }) => ({
    text: link(location.href, settings, model),
    done: "Link copied.",
  }),
  curl: (settings, model) =>
    (hears(model) ? soundCurl : curl)(location.origin, callBody(settings, model)),
  fileName,
  // Of a picture within the text.
  heat: async () => {
    const { heatAddress } = await import("../../draw/photo_heat.js");
    return (scene, row) => {
      const seen = textPictureScene(scene);
      return seen ? heatAddress(seen, row) : "";
    };
  },
  drawings: [{ button: "save", view: null, suffix: "" }],
  animation: (scene) => ({
    scene: viewNamed("tokens", scene.viewName).byRow ? { ...scene, parts: 1 } : scene,
    view: scene.viewName,
  }),
  ...mapExports({
    python: (settings, model) =>
      (hears(model) ? soundPython : python)(location.origin, callBody(settings, model)),
    arrays,
    archive: async (trace) =>
      trace.run ? (await import("../../core/linked_maps.js")).archive(trace) : null,
    fileName,
    cut: ({ trace, model }, settings, units, view) =>
      sceneOf(trace, { ...settings, units, view }, model),
  }),
  standalone: { page: "text", pack: (trace) => trace },
};
