/** The axis of the page of stories: scenes, sentences and parts for the stage. */

/** @import {StoryScene, StorySettings, StoryTrace} from "../core/types" */
/** @import {Axis, Part} from "../shell/types" */

import { hopSentence, storySceneOf, unknownNote } from "../core/story_scene.js";
import { box, sayAny } from "../shell/dom.js";
import { sayTermed } from "../shell/term.js";
import { viewNamed } from "../views/registry.js";
import { DataTable } from "../shell/data_table.js";
import { Answer } from "./answer.js";
import { ScaleChoice } from "./scale_choice.js";
import { StoryView } from "./story_view.js";

/** Words of the notes that explain themselves. */
const TERMS = { hop: "hop", attends: "attention", query: "query", sentence: "memory" };

/** @type {Axis<StorySettings, StoryTrace, StoryScene>} */
export const axis = {
  kind: "sentences",
  sceneOf: storySceneOf,
  sentence: hopSentence,
  whileGrowing: (_, settings) => (viewNamed("sentences", settings.view).complete ? null : settings),
  hasSelection: ({ selection: { rows, columns } }) => rows.length + columns.length > 0,
  noSelection: { rows: [], columns: [] },
  parts: (wiring) => [
    notes,
    new ScaleChoice(wiring),
    new DataTable(wiring),
    new StoryView(wiring),
    new Answer(),
  ],
};

/** @type {Part<StoryScene, StorySettings>} */
const notes = {
  draw(scene) {
    const { viewName, trace } = scene;
    const note = viewNamed("sentences", viewName).note.sentences?.(scene) ?? "";
    sayTermed(box("map-note"), note, TERMS);
    sayAny(box("unread"), unknownNote(trace));
  },
};
