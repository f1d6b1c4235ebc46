/** The exports of the page of patches. */

/** @import {PatchScene, PatchSettings, PatchTrace} from "../../core/types" */
/** @import {Exports} from "../../shell/types" */

import { YOURS } from "../../core/grid_state.js";
import { seeCurl } from "../../core/patch_request.js";
import { PATCH_STATE } from "../../core/patch_state.js";
import { fileName } from "../../export/file_name.js";
import { csv } from "../../export/share.js";
import { save } from "../../shell/export_buttons.js";

/** @param {() => string} photoName the name of the photo's file @returns {Exports<PatchSettings, PatchTrace, PatchScene>} */
export const exportsOf = (photoName) => ({
  link: (settings) => ({
    text: `${location.origin}/see${PATCH_STATE.toQuery(settings)}`,
    done:
      settings.sample === YOURS
        ? "Link copied, without your photo: save the trace for a link that shows it."
        : "Link copied.",
  }),
  curl: (_, model) => seeCurl(location.origin, model, photoName()),
  fileName: named,
  drawings: [
    { button: "save-photo", view: "photo", suffix: "photo." },
    { button: "save-positions", view: "positions", suffix: "positions." },
    { button: "save-view", view: null, suffix: "" },
  ],
  animation: (scene) => ({ scene, view: "photo" }),
  heat: async () => (await import("../../draw/photo_heat.js")).heatAddress,
  requestButtons: ["copy-link", "copy-curl", "curl"],
  more: (buttons) => {
    // With a byte order mark, or spreadsheets read accents wrong.
    buttons.on("save-csv", ({ scene }) =>
      save(`\ufeff${csv(scene.view)}`, "text/csv", named(scene.trace, "csv")),
    );
    buttons.on("save-npz", async ({ scene }) =>
      save(
        scene.trace.run
          ? await (await import("../../core/linked_maps.js")).archive(scene.trace)
          : (await import("../../core/npz.js")).writeNpz(arraysOf(scene)),
        "application/octet-stream",
        named(scene.trace, "npz"),
      ),
    );
  },
  standalone: {
    address: "/see",
    entry: "pages/see/standalone_app.js",
    standIn: "draw/canvas_heatmap.js",
    pack: (trace) => trace,
  },
});

/** All maps as arrays for NumPy: `weights` by layer, head, query and key. @param {PatchScene} scene */
function arraysOf({ trace, layers, heads, rows }) {
  const maps = layers.flatMap((layer) =>
    heads.map((head) =>
      trace.maps.find((map) => map.query === "source" && map.layer === layer && map.head === head),
    ),
  );
  const names = rows.map(({ text }) => text);
  return {
    weights: {
      shape: [layers.length, heads.length, rows.length, rows.length],
      data: maps.flatMap((map) => map?.weights.flat() ?? []),
    },
    source: { shape: [rows.length], data: names },
    target: { shape: [rows.length], data: names },
  };
}

/** A file's name from the class. @param {PatchTrace} trace @param {string} extension */
const named = ({ model, text }, extension) => fileName({ model, source: { text } }, extension);
