/** The exports of the page of texts. */

/** @import {Scene, Settings, Trace} from "../core/types" */
/** @import {Exports} from "../shell/types" */

import { requestBody } from "../core/token_request.js";
import { arrays, csv, curl, fileName, link, python } from "../export/share.js";
import { box } from "../shell/dom.js";
import { copy, save } from "../shell/export_buttons.js";
import { viewNamed } from "../views/registry.js";

/** @type {Exports<Settings, Trace, Scene>} */
export const exports = {
  link: (settings, { model }) => ({
    text: link(location.href, settings, model),
    done: "Link copied.",
  }),
  curl: (settings, model) => curl(location.origin, requestBody(settings, model)),
  fileName,
  drawings: [{ button: "save", view: null, suffix: "" }],
  animation: (scene) => ({
    scene: viewNamed("tokens", scene.viewName).byRow ? { ...scene, parts: 1 } : scene,
    view: scene.viewName,
  }),
  requestButtons: ["copy-link", "copy-curl", "copy-python", "curl"],
  more: (buttons) => {
    buttons.on("copy-python", ({ scene, settings }) =>
      copy(python(location.origin, requestBody(settings, scene.model)), "Python copied."),
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
      save(`\ufeff${csv(scene.view)}`, "text/csv", fileName(scene.trace, "csv")),
    );
    buttons.on("save-npz", async ({ scene }) =>
      save(
        (await import("../export/npz.js")).writeNpz(arrays(scene)),
        "application/octet-stream",
        fileName(scene.trace, "npz"),
      ),
    );
  },
  draw: ({ view }) => {
    for (const id of ["copy-latex", "copy-markdown", "save-csv", "save-npz"])
      box(id).hidden = !view.weights;
  },
  // The address of a page without a request, and so without a trace in it.
  standalone: {
    address: "/?text=&view=ribbons",
    entry: "text_page/standalone_app.js",
    standIn: "shell/canvas_heatmap.js",
    pack: (trace) => trace,
  },
};
