/** The exports of the page of patches. */

/** @import {PatchScene, PatchSettings, PatchTrace} from "../../core/types" */
/** @import {Exports} from "../../shell/types" */

import { seeCurl } from "../../core/patch_request.js";
import { patches } from "../../core/kinds/patches.js";
import { PATCH_STATE } from "../../core/patch_state.js";
import { csv } from "../../export/share.js";
import { save } from "../../draw/download.js";
import { fileName, photoExports } from "../../shell/photo_exports.js";

/** @param {(settings: PatchSettings) => string} photoName the name of the photo's file @returns {Exports<PatchSettings, PatchTrace, PatchScene>} */
export const exportsOf = (photoName) => ({
  ...photoExports(PATCH_STATE, "/see"),
  curl: (settings, model) => seeCurl(location.origin, model, photoName(settings), settings.edits),
  drawings: [
    { button: "save-photo", view: "photo", suffix: "photo." },
    { button: "save-positions", view: "positions", suffix: "positions." },
    { button: "save-view", view: null, suffix: "" },
  ],
  animation: (scene) => ({ scene, view: "photo" }),
  more: (buttons) => {
    // With a byte order mark, or spreadsheets read accents wrong.
    buttons.on("save-csv", ({ scene }) =>
      save(`\ufeff${csv(scene.view)}`, "text/csv", fileName(scene.trace, "csv")),
    );
    buttons.on("save-npz", async ({ scene }) =>
      save(
        scene.trace.run
          ? await (await import("../../core/linked_maps.js")).archive(scene.trace)
          : (await import("../../core/npz.js")).writeNpz(patches.arrays(scene)),
        "application/octet-stream",
        fileName(scene.trace, "npz"),
      ),
    );
  },
  standalone: { page: "see", pack: (trace) => trace },
});
