/** The parts of the page of graphs beside its views: layer and head, scale, classes. */

/** @import {OwnParts} from "../../shell/types" */

import { noteOf } from "../../core/view_notes.js";
import { DataTable } from "../../shell/data_table.js";
import { HeadMenus } from "../../shell/head_menus.js";
import { ScaleChoice } from "../../shell/scale_choice.js";
import { Classes } from "./classes.js";

/** @type {OwnParts<"graph">} */
export const parts = {
  note: (scene) => noteOf("graph", scene),
  terms: { attention: "attention", node: "node", class: "known-class", head: "head" },
  noteByRow: true,
  of: (wiring) => [
    new DataTable(wiring),
    new HeadMenus(wiring),
    new ScaleChoice(wiring),
    new Classes(),
  ],
};
