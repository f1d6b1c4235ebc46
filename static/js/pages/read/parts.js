/** The parts of the page of reading beside its views: scale, sentence, expected words. */

/** @import {ReadingSettings, Scene} from "../../core/types" */
/** @import {OwnParts, Part} from "../../shell/types" */

import { unknownNote } from "../../core/reading_scene.js";
import { noteOf } from "../../core/view_notes.js";
import { box, sayAny } from "../../draw/dom.js";
import { DataTable } from "../../shell/data_table.js";
import { ScaleChoice } from "../../shell/scale_choice.js";
import { Expected } from "./expected.js";
import { Words } from "./words.js";

/** @type {OwnParts<"reading">} */
export const parts = {
  note: (scene) => noteOf("reading", scene),
  terms: { weight: "attention-weight", weights: "attention-weight", query: "query" },
  of: (wiring) => [
    new DataTable(wiring),
    unread,
    new ScaleChoice(wiring),
    new Words(wiring),
    new Expected(),
  ],
};

/** @type {Part<Scene, ReadingSettings>} */
const unread = { draw: ({ trace }) => sayAny(box("unread"), unknownNote(trace)) };
