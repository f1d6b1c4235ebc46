/** The parts of the page of glimpses beside its views: the digit. */

/** @import {GlimpseScene, GlimpseSettings} from "../../core/types" */
/** @import {OwnParts, Part} from "../../shell/types" */

import { box, say } from "../../draw/dom.js";
import { DataTable } from "../../shell/data_table.js";

/** @type {OwnParts<"glimpses">} */
export const parts = {
  terms: { glimpse: "glimpse" },
  of: (wiring) => [new DataTable(wiring), answer],
};

/** @type {Part<GlimpseScene, GlimpseSettings>} */
const answer = { draw: ({ trace }) => say(box("answer"), trace.text) };
