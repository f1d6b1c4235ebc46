/** The export buttons of the pages whose drawing is a map of rows and columns. */

/** @import {MapScene, Model, Scene, Units} from "../core/types" */
/** @import {ExportButtons} from "./export_buttons.js" */

import { csv } from "../export/share.js";
import { FileUnits } from "./file_units.js";
import { box } from "../draw/dom.js";
import { save } from "../draw/download.js";
import { copy } from "./export_buttons.js";
import { paperChoices } from "./paper_choices.js";

/**
 * `archive` has the arrays of a trace that came without its maps; null for others. `cut` is the scene
 * in other units, where there are several.
 * @template S @template {MapScene} C
 * @param {{
 *   python: (settings: S, model: Model) => string,
 *   arrays: (scene: C) => Parameters<typeof import("../core/npz.js").writeNpz>[0],
 *   archive?: (trace: C["trace"]) => Promise<Blob | null>,
 *   fileName: (trace: C["trace"], extension: string) => string,
 *   cut?: (scene: C, settings: S, units: Units, view: string) => C,
 * }} page
 */
export const mapExports = ({ python, arrays, archive, fileName, cut }) => {
  /** @type {FileUnits | null} */
  let units = null;
  /** The scene of a view for a file, in the units that are chosen. @param {{scene: C, settings: S}} now @param {string} view */
  const cutFor = ({ scene, settings }, view) =>
    cut && units ? cut(scene, settings, units.chosen, view) : scene;
  const tableOf = (/** @type {{scene: C, settings: S}} */ now) => cutFor(now, "map");
  return {
    ...(cut && {
      inUnits: (/** @type {{scene: C, settings: S}} */ now) => cutFor(now, now.scene.viewName),
    }),
    requestButtons: ["copy-link", "copy-curl", "copy-python", "curl"],
    /** @param {ExportButtons<{scene: C, settings: S}>} buttons */
    more: (buttons) => {
      if (cut) units = new FileUnits();
      buttons.on("copy-python", ({ scene, settings }) =>
        copy(python(settings, scene.model), "Python copied."),
      );
      buttons.on("copy-latex", async (now) =>
        copy(
          (await import("../export/markup_table.js")).latex({
            ...tableOf(now),
            paper: paperChoices(),
          }),
          `LaTeX copied: a document with a TikZ drawing${said(tableOf(now))}.`,
        ),
      );
      buttons.on("copy-markdown", async (now) => {
        const scene = tableOf(now);
        const { markdownTable } = await import("../export/markup_table.js");
        return copy(
          markdownTable(scene.view, scene.kind.unit?.(scene)),
          `Markdown table copied${said(scene)}.`,
        );
      });
      // With a byte order mark, or spreadsheets read accents wrong.
      buttons.on("save-csv", (now) => {
        const scene = tableOf(now);
        const content = csv(scene.view, scene.kind.unit?.(scene));
        const saved = save(`\ufeff${content}`, "text/csv", fileName(scene.trace, "csv"));
        return said(scene) ? `${saved.slice(0, -1)}${said(scene)}.` : saved;
      });
      buttons.on("save-npz", async ({ scene }) =>
        save(
          (await archive?.(scene.trace)) ??
            (await import("../core/npz.js")).writeNpz(arrays(scene)),
          "application/octet-stream",
          fileName(scene.trace, "npz"),
        ),
      );
    },
    /** @param {C} scene */
    draw: (scene) => {
      const { view } = scene;
      units?.draw(/** @type {Scene} */ (/** @type {unknown} */ (scene)));
      for (const id of ["copy-latex", "copy-markdown", "save-csv", "save-npz"])
        box(id).hidden = !view.weights;
    },
  };
};

/** The units of a file, for the message about it. @param {MapScene} scene */
function said(scene) {
  const unit = scene.kind.unit?.(scene);
  return unit ? `, in ${unit}` : "";
}
