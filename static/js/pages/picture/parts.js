/** The parts of the page of pictures beside its views: the caption, options, and the table. */

/** @import {PictureScene} from "../../core/types" */
/** @import {OwnParts} from "../../shell/types" */

import { PHOTO_NOTES } from "../../core/photo_notes.js";
import { PanelTable } from "../../shell/panels.js";
import { PhotoChoices } from "../../shell/photo_choices.js";
import { PieceChoice } from "../../shell/piece_choice.js";
import { Why } from "../../shell/why.js";
import { CaptionView } from "./caption_view.js";

/** @type {OwnParts<"grid">} */
export const parts = {
  note: (scene) => PHOTO_NOTES[scene.viewName]?.(scene) ?? "",
  terms: {},
  noteAt: "view-note",
  of: (wiring) => [
    new CaptionView(wiring),
    new PhotoChoices(wiring),
    new PieceChoice(wiring),
    new Why(wiring),
    new PanelTable(tableOf),
  ],
};

/** The table, whose module is loaded once it is opened. @param {PictureScene} scene */
async function tableOf(scene) {
  const table = await import("./table.js");
  return table.tableOf(scene);
}
