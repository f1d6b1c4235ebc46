/** The parts of the page of texts beside its views: options, numbers, and the two sentences. */

/** @import {Scene, Settings} from "../../core/types" */
/** @import {OwnParts, Part} from "../../shell/types" */

import { noAttention, noSentenceNote, piecesNote } from "../../core/sentences.js";
import { readingNote } from "../../core/word_notes.js";
import { noteOf } from "../../core/view_notes.js";
import { box, sayAny } from "../../draw/dom.js";
import { strip } from "../../draw/vector_strip.js";
import { DataTable } from "../../shell/data_table.js";
import { PieceChoice } from "../../shell/piece_choice.js";
import { Why } from "../../shell/why.js";
import { Choices } from "./choices.js";
import { Numbers } from "./numbers.js";
import { SentenceView } from "./sentence_view.js";

/** @type {OwnParts<"tokens">} */
export const parts = {
  note: (scene) => noteOf("tokens", scene),
  terms: {
    Attention: "attention",
    attention: "attention",
    coverage: "coverage",
    entropy: "entropy",
    head: "head",
    layer: "layer",
    token: "token",
    weight: "attention-weight",
  },
  of: (wiring) => [
    notes,
    new Choices(wiring),
    new DataTable(wiring),
    new Numbers(),
    new PieceChoice(wiring),
    new Why(wiring),
    new SentenceView(wiring),
  ],
};

/** @type {Part<Scene, Settings>} */
const notes = {
  draw(scene) {
    const { view, output, trace } = scene;
    box("stage").toggleAttribute("data-blind", !view.weights);
    const said = [
      noSentenceNote(trace, output),
      readingNote(trace.source, output.target),
      piecesNote(scene),
    ];
    sayAny(box("unread"), said.filter(Boolean).join(" "));
    if (view.weights) return;
    const vector = output.steps[0]?.context ?? null;
    box("blind-text").textContent = noAttention(vector?.size ?? 0);
    box("blind-strip").replaceChildren(
      ...(vector ? [strip("c", "the same at every step", vector)] : []),
    );
  },
};
