/** The export buttons of the pages whose drawing is a map of rows and columns. */

/** @import {MapScene, Model} from "../core/types" */
/** @import {ExportButtons} from "./export_buttons.js" */

import { csv } from "../export/share.js";
import { box } from "../draw/dom.js";
import { copy, save } from "./export_buttons.js";

/**
 * `archive` has the arrays of a trace that came without its maps; null for others.
 * @template S @template {MapScene} C
 * @param {{
 *   python: (settings: S, model: Model) => string,
 *   arrays: (scene: C) => Parameters<typeof import("../core/npz.js").writeNpz>[0],
 *   archive?: (trace: C["trace"]) => Promise<Blob | null>,
 *   fileName: (trace: C["trace"], extension: string) => string,
 * }} page
 */
export const mapExports = ({ python, arrays, archive, fileName }) => ({
  requestButtons: ["copy-link", "copy-curl", "copy-python", "curl"],
  /** @param {ExportButtons<{scene: C, settings: S}>} buttons */
  more: (buttons) => {
    buttons.on("copy-python", ({ scene, settings }) =>
      copy(python(settings, scene.model), "Python copied."),
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
        (await archive?.(scene.trace)) ?? (await import("../core/npz.js")).writeNpz(arrays(scene)),
        "application/octet-stream",
        fileName(scene.trace, "npz"),
      ),
    );
  },
  /** @param {C} scene */
  draw: ({ view }) => {
    for (const id of ["copy-latex", "copy-markdown", "save-csv", "save-npz"])
      box(id).hidden = !view.weights;
  },
});
