/** The notes beside the views, and the statement of a model without attention. */

/** @import {Scene, Settings} from "../core/types" */
/** @import {Part} from "../shell/types" */

import { noAttention, readingNote } from "../core/sentences.js";
import { box, sayAny } from "../shell/dom.js";
import { strip } from "../shell/vector_strip.js";
import { viewNamed } from "../views/registry.js";

/** @type {Part<Scene, Settings>} */
export const notes = {
  draw(scene) {
    const { view, output, viewName, trace } = scene;
    box("stage").toggleAttribute("data-blind", !view.weights);
    box("map-note").textContent = viewNamed("tokens", viewName).note.tokens?.(scene) ?? "";
    sayAny(box("unread"), readingNote(trace.source));
    if (view.weights) return;
    const vector = output.steps[0]?.context ?? null;
    box("blind-text").textContent = noAttention(vector?.size ?? 0);
    box("blind-strip").replaceChildren(
      ...(vector ? [strip("c", "the same at every step", vector)] : []),
    );
  },
};
