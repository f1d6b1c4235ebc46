/** The views of a grown model in a file, which has the page of texts for them: in a frame over its own page. */

/** @import {Trace} from "../../core/types" */

import { modelOf } from "../../core/imported_model.js";
import { byId } from "../../draw/dom.js";
import { Framed } from "../../shell/framed.js";

const dialog = byId("grow-views", HTMLDialogElement);
const frame = byId("grow-frame", HTMLIFrameElement);
const framed = new Framed(frame);
byId("grow-close", HTMLButtonElement).addEventListener("click", () => dialog.close());
dialog.addEventListener("close", () => (frame.srcdoc = ""));

/** Opens a view. @param {string} shell of the page of texts @param {string} view @param {Trace} trace */
export function openView(shell, view, trace) {
  framed.show(shell, {
    query: `?view=${view}`,
    trace,
    models: [modelOf(trace, [], { granularity: "characters" })],
    answers: [],
  });
  dialog.showModal();
}
