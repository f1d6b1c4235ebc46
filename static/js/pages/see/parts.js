/** The parts of the page of patches beside its views: the classes, options, and the table. */

/** @import {PatchScene, PatchSettings} from "../../core/types" */
/** @import {OwnParts, Part, PartWiring} from "../../shell/types" */

import { PATCH_NOTES } from "../../core/patch_notes.js";
import { box } from "../../draw/dom.js";
import { PanelTable } from "../../shell/panels.js";
import { PhotoChoices } from "../../shell/photo_choices.js";
import { Classes } from "./classes.js";
import { tableOf } from "./table.js";

/** @type {OwnParts<"patches">} */
export const parts = {
  note: (scene) => PATCH_NOTES[scene.viewName]?.(scene) ?? "",
  terms: {},
  noteAt: "view-note",
  of: (wiring) => [letGo(wiring), new Classes(), new PhotoChoices(wiring), new PanelTable(tableOf)],
};

/** The button that leads back to the class token. @param {PartWiring<PatchSettings>} wiring @returns {Part<PatchScene, PatchSettings>} */
function letGo({ select }) {
  const back = box("let-go");
  back.addEventListener("click", () => select(0));
  return { at: (_, row) => void (back.hidden = row === 0) };
}
