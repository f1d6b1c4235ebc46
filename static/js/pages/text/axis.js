/** The axis of the page of texts: scenes, sentences and parts for the stage, and the notes next to the views. */

/** @import {Scene, Settings, Trace} from "../../core/types" */
/** @import {Axis, Part} from "../../shell/types" */

import { sceneOf } from "../../core/scene.js";
import { noAttention, readingNote } from "../../core/sentences.js";
import { box, sayAny } from "../../draw/dom.js";
import { sayTermed } from "../../draw/term.js";
import { strip } from "../../draw/vector_strip.js";
import { noteOf } from "../../core/view_notes.js";
import { viewNamed } from "../../core/views.js";
import { Choices } from "./choices.js";
import { Numbers } from "./numbers.js";
import { SentenceView } from "./sentence_view.js";
import { DataTable } from "../../shell/data_table.js";

/** Words of the notes that explain themselves. */
const TERMS = {
  Attention: "attention",
  attention: "attention",
  coverage: "coverage",
  entropy: "entropy",
  head: "head",
  layer: "layer",
  token: "token",
  weight: "attention-weight",
};

/** @type {Axis<Settings, Trace, Scene>} */
export const axis = {
  kind: "tokens",
  sceneOf,
  sentence: (scene, row) => scene.kind.sentence(scene, row),
  whileGrowing: (_, settings) => (viewNamed("tokens", settings.view).complete ? null : settings),
  hasSelection: ({ selection: { rows, columns } }) => rows.length + columns.length > 0,
  noSelection: { rows: [], columns: [] },
  parts: (wiring) => [
    notes,
    new Choices(wiring),
    new DataTable(wiring),
    new Numbers(),
    new SentenceView(wiring),
  ],
};

/** @type {Part<Scene, Settings>} */
export const notes = {
  draw(scene) {
    const { view, output, trace } = scene;
    box("stage").toggleAttribute("data-blind", !view.weights);
    sayTermed(box("map-note"), noteOf("tokens", scene), TERMS);
    sayAny(box("unread"), readingNote(trace.source, output.target));
    if (view.weights) return;
    const vector = output.steps[0]?.context ?? null;
    box("blind-text").textContent = noAttention(vector?.size ?? 0);
    box("blind-strip").replaceChildren(
      ...(vector ? [strip("c", "the same at every step", vector)] : []),
    );
  },
};
