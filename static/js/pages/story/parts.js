/** The parts of the page of stories beside its views: scale, story, answer. */

/** @import {StoryScene, StorySettings} from "../../core/types" */
/** @import {OwnParts, Part} from "../../shell/types" */

import { unknownNote } from "../../core/kinds/sentences.js";
import { noteOf } from "../../core/view_notes.js";
import { box, sayAny } from "../../draw/dom.js";
import { Answer } from "./answer.js";
import { DataTable } from "../../shell/data_table.js";
import { ScaleChoice } from "../../shell/scale_choice.js";
import { StoryView } from "./story_view.js";

/** @type {OwnParts<"sentences">} */
export const parts = {
  note: (scene) => noteOf("sentences", scene),
  terms: { hop: "hop", attends: "attention", query: "query", sentence: "memory" },
  of: (wiring) => [
    new DataTable(wiring),
    unread,
    new ScaleChoice(wiring),
    new StoryView(wiring),
    new Answer(),
  ],
};

/** @type {Part<StoryScene, StorySettings>} */
const unread = { draw: ({ trace }) => sayAny(box("unread"), unknownNote(trace)) };
