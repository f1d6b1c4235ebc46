/** The axis of the page of graphs: scenes, sentences and parts for the stage. */

/** @import {GraphScene, GraphSettings, GraphTrace} from "../core/types" */
/** @import {Axis, Part} from "../shell/types" */

import { graphSceneOf, nodeSentence } from "../core/graph_scene.js";
import { DataTable } from "../shell/data_table.js";
import { box } from "../shell/dom.js";
import { sayTermed } from "../shell/term.js";
import { viewNamed } from "../views/registry.js";
import { GraphChoices } from "./choices.js";
import { Classes } from "./classes.js";

/** Words of the notes that explain themselves. */
const TERMS = { attention: "attention", node: "node", class: "known-class", head: "head" };

/** @type {Axis<GraphSettings, GraphTrace, GraphScene>} */
export const axis = {
  kind: "graph",
  sceneOf: graphSceneOf,
  sentence: nodeSentence,
  whileGrowing: () => null,
  hasSelection: ({ selection: { rows, columns } }) => rows.length + columns.length > 0,
  noSelection: { rows: [], columns: [] },
  parts: (wiring) => [notes, new GraphChoices(wiring), new DataTable(wiring), new Classes()],
};

/** @type {Part<GraphScene, GraphSettings>} */
const notes = {
  at(scene, row) {
    const note = viewNamed("graph", scene.viewName).note.graph?.({ ...scene, row }) ?? "";
    sayTermed(box("map-note"), note, TERMS);
  },
};
