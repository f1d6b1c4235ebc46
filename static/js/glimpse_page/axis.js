/** The axis of the page of glimpses: scenes, sentences and parts for the stage. */

/** @import {GlimpseScene, GlimpseSettings, GlimpseTrace} from "../core/types" */
/** @import {Axis, Part} from "../shell/types" */

import { glimpseSceneOf, glimpseSentence } from "../core/glimpse_scene.js";
import { DataTable } from "../shell/data_table.js";
import { box, say } from "../shell/dom.js";
import { sayTermed } from "../shell/term.js";
import { viewNamed } from "../views/registry.js";

/** Words of the notes that explain themselves. */
const TERMS = { glimpse: "glimpse" };

/** @type {Axis<GlimpseSettings, GlimpseTrace, GlimpseScene>} */
export const axis = {
  kind: "glimpses",
  sceneOf: glimpseSceneOf,
  sentence: glimpseSentence,
  whileGrowing: (_, settings) => settings,
  hasSelection: ({ selection: { rows, columns } }) => rows.length + columns.length > 0,
  noSelection: { rows: [], columns: [] },
  parts: (wiring) => [notes, new DataTable(wiring)],
};

/** @type {Part<GlimpseScene, GlimpseSettings>} */
const notes = {
  draw(scene) {
    const { viewName, trace } = scene;
    const note = viewNamed("glimpses", viewName).note.glimpses?.(scene) ?? "";
    sayTermed(box("map-note"), note, TERMS);
    say(box("answer"), trace.text);
  },
};
