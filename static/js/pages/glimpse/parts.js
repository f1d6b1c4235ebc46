/** The parts of the page of glimpses beside its views: the digit. */

/** @import {GlimpseScene, GlimpseSettings} from "../../core/types" */
/** @import {OwnParts, Part} from "../../shell/types" */

import { noteOf } from "../../core/view_notes.js";
import { box, say } from "../../draw/dom.js";
import { DataTable } from "../../shell/data_table.js";

/** @type {OwnParts<"glimpses">} */
export const parts = {
  note: (scene) => noteOf("glimpses", scene),
  terms: { glimpse: "glimpse" },
  of: (wiring) => [new DataTable(wiring), answer],
};

/** @type {Part<GlimpseScene, GlimpseSettings>} */
const answer = { draw: ({ trace }) => say(box("answer"), trace.text) };
