/** The exports of the page of stories. */

/** @import {StoryScene, StorySettings, StoryTrace} from "../core/types" */
/** @import {Exports} from "../shell/types" */

import { STORY } from "../core/api.js";
import { storyBody } from "../core/story_request.js";
import { STORY_STATE } from "../core/story_state.js";
import { curl, fileName, linkTo, python } from "../export/share.js";
import { mapExports } from "../shell/map_exports.js";
import { viewNamed } from "../views/registry.js";

/** @type {Exports<StorySettings, StoryTrace, StoryScene>} */
export const exports = {
  link: (settings, { model }) => ({
    text: linkTo(location.href, STORY_STATE, settings, {
      ...storyBody(settings, model),
      model: model.id,
    }),
    done: "Link copied.",
  }),
  curl: (settings, model) => curl(location.origin, storyBody(settings, model), STORY),
  fileName: nameOf,
  drawings: [{ button: "save", view: null, suffix: "" }],
  animation: (scene) => ({
    scene: viewNamed("sentences", scene.viewName).parts ? scene : { ...scene, parts: 1 },
    view: scene.viewName,
  }),
  ...mapExports({
    python: (settings, model) => python(location.origin, storyBody(settings, model), STORY),
    arrays: storyArrays,
    fileName: nameOf,
  }),
  // The address of a page without a request, and so without a trace in it.
  standalone: {
    address: "/story?story=&question=",
    entry: "story_page/standalone_app.js",
    standIn: "shell/canvas_heatmap.js",
    pack: (trace) => trace,
  },
};

/** The map as arrays for NumPy: `weights` by layer, head, hop and sentence. @param {StoryScene} scene */
function storyArrays({ view: { rows, columns, weights } }) {
  return {
    weights: { shape: [1, 1, rows.length, columns.length], data: (weights ?? []).flat() },
    source: { shape: [columns.length], data: columns.map(({ text }) => text) },
    target: { shape: [rows.length], data: rows.map(({ text }) => text) },
  };
}

/** A file's name from the question. @param {StoryTrace} trace @param {string} extension */
function nameOf(trace, extension) {
  return fileName({ ...trace, source: trace.question }, extension);
}
