/** The exports of the page of stories. */

/** @import {StoryScene, StorySettings, StoryTrace} from "../core/types" */
/** @import {Exports} from "../shell/types" */

import { STORY } from "../core/api.js";
import { storyBody } from "../core/story_request.js";
import { STORY_STATE } from "../core/story_state.js";
import { savedAt } from "../core/saved.js";
import { csv, curl, fileName, python } from "../export/share.js";
import { box } from "../shell/dom.js";
import { copy, save } from "../shell/export_buttons.js";
import { viewNamed } from "../views/registry.js";

/** @type {Exports<StorySettings, StoryTrace, StoryScene>} */
export const exports = {
  link: (settings, { model }) => {
    const url = new URL(location.href);
    url.search = STORY_STATE.toQuery(
      savedAt(url.pathname)
        ? STORY_STATE.viewOnly(settings)
        : { ...settings, ...storyBody(settings, model), model: model.id },
    );
    url.hash = "";
    return { text: url.href, done: "Link copied." };
  },
  curl: (settings, model) => curl(location.origin, storyBody(settings, model), STORY),
  fileName: (trace, extension) => fileName({ ...trace, source: trace.question }, extension),
  drawings: [{ button: "save", view: null, suffix: "" }],
  animation: (scene) => ({
    scene: viewNamed("sentences", scene.viewName).parts ? scene : { ...scene, parts: 1 },
    view: scene.viewName,
  }),
  requestButtons: ["copy-link", "copy-curl", "copy-python", "curl"],
  more: (buttons) => {
    buttons.on("copy-python", ({ scene, settings }) =>
      copy(python(location.origin, storyBody(settings, scene.model), STORY), "Python copied."),
    );
    buttons.on("copy-latex", async ({ scene }) =>
      copy(
        (await import("../export/markup_table.js")).latex(scene),
        "LaTeX copied: a document with a TikZ drawing.",
      ),
    );
    buttons.on("copy-markdown", async ({ scene }) =>
      copy(
        (await import("../export/markup_table.js")).markdownTable(scene.view),
        "Markdown table copied.",
      ),
    );
    // With a byte order mark, or spreadsheets read accents wrong.
    buttons.on("save-csv", ({ scene }) =>
      save(`\ufeff${csv(scene.view)}`, "text/csv", exports.fileName(scene.trace, "csv")),
    );
    buttons.on("save-npz", async ({ scene }) =>
      save(
        (await import("../export/npz.js")).writeNpz(storyArrays(scene)),
        "application/octet-stream",
        exports.fileName(scene.trace, "npz"),
      ),
    );
  },
  draw: ({ view }) => {
    for (const id of ["copy-latex", "copy-markdown", "save-csv", "save-npz"])
      box(id).hidden = !view.weights;
  },
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
