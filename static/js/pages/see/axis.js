/** The axis of the page of patches: scenes, sentences and parts for the stage. */

/** @import {PatchScene, PatchSettings, PatchTrace} from "../../core/types" */
/** @import {Axis, Part, PartWiring} from "../../shell/types" */

import { patches } from "../../core/kinds/patches.js";
import { box } from "../../draw/dom.js";
import { PanelTable } from "../../shell/panels.js";
import { noteOf } from "../../core/view_notes.js";
import { PatchChoices } from "./choices.js";
import { Classes } from "./classes.js";
import { tableOf } from "./table.js";

/** @type {Axis<PatchSettings, PatchTrace, PatchScene>} */
export const axis = {
  kind: patches.name,
  sceneOf: patches.sceneOf,
  sentence: patches.sentence,
  whileGrowing: () => null,
  hasSelection: ({ selection: { rows, columns } }) => rows.length + columns.length > 0,
  noSelection: { rows: [], columns: [] },
  parts: (wiring) => {
    /** @type {PanelTable<PatchScene>} */
    const table = new PanelTable(tableOf);
    return [
      notes(wiring),
      new Classes(),
      new PatchChoices(wiring),
      { draw: (scene) => table.draw(scene), settle: (_, row) => table.at(row) },
    ];
  },
};

/** The note of the view, and the button that leads back to the class token. @param {PartWiring<PatchSettings>} wiring @returns {Part<PatchScene, PatchSettings>} */
function notes({ select }) {
  const back = box("let-go");
  back.addEventListener("click", () => select(0));
  return {
    draw(scene) {
      box("stage").dataset.style = scene.style;
      box("view-note").textContent = noteOf("patches", scene);
    },
    at(_, row) {
      back.hidden = row === 0;
    },
  };
}
