/** A saved trace of a picture that somebody brings along: looked through before it is drawn. Pure. */

/** @import {PictureTrace} from "../core/types" */

import { MOST_BYTES, checkAxis, checkRows, ofPicture, parsed } from "./trace_file.js";
import { ImportError } from "../core/imported_model.js";

/** What a preview begins with: it is shown as a picture, so it is one that cannot do anything else. */
const JPEG = "data:image/jpeg;base64,";
/** Cells that can be drawn over a photo. */
const MOST_CELLS = 4096;
const KINDS = ["cross", "drawn"];

/** Whether a file is no photo, but may be a trace. @param {{name: string, type: string}} file */
export const isTrace = ({ name, type }) => type === "application/json" || /\.json$/i.test(name);

/** @param {Uint8Array<ArrayBuffer>} bytes @returns {PictureTrace} */
export function brought(bytes) {
  if (bytes.length > MOST_BYTES) throw new ImportError("The file is larger than 32 MB.");
  const value = parsed(bytes);
  if (!ofPicture(value)) throw new ImportError("This is not the trace of a picture. Those of texts belong on the page of texts: drop it there.");
  const trace = /** @type {any} */ (value);
  const { source, picture } = trace;
  const whole = [source.rows, source.columns].every((count) => Number.isInteger(count) && count > 0) && [source.left, source.top, source.width, source.height, picture?.width, picture?.height].every(Number.isFinite);
  if (!whole || !(source.width > 0 && source.height > 0 && picture.width > 0 && picture.height > 0)) throw new ImportError("The trace does not say which part of its picture the cells cover.");
  if (source.rows * source.columns > MOST_CELLS) throw new ImportError(`The trace has ${source.rows * source.columns} cells; at most ${MOST_CELLS} can be drawn.`);
  if (typeof picture.preview !== "string" || !picture.preview.startsWith(JPEG)) throw new ImportError("The trace comes without its photo.");
  checkAxis(trace.target, "target");
  if (trace.question) checkAxis(trace.question, "question");
  if (!Array.isArray(trace.maps) || !Array.isArray(trace.steps)) throw new ImportError("The trace has no maps or no steps.");
  const written = trace.target.tokens.length;
  if (trace.steps.length && trace.steps.length !== written) throw new ImportError(`The trace has ${trace.steps.length} steps for ${written} tokens written.`);
  trace.maps.forEach((/** @type {any} */ map, /** @type {number} */ index) => {
    const read = { source: source.rows * source.columns, question: trace.question?.tokens.length }[/** @type {"source"} */ (map?.key)];
    if (!read || map.query !== "target" || !KINDS.includes(map.kind)) throw new ImportError(`Map ${index + 1} does not say what it lies between.`);
    checkRows(map.weights, written, read, trace.maps.length > 1 ? `Map ${index + 1}: ` : "");
  });
  if (typeof trace.text !== "string" || typeof trace.task !== "string" || typeof trace.model?.mechanism !== "string" || !["before", "after"].includes(trace.model.order)) throw new ImportError("The trace does not say what was written, or by what kind of model.");
  if (typeof trace.request?.search?.kind !== "string") throw new ImportError("The trace does not say what was asked.");
  return { ...trace, runners_up: [], timing: trace.timing ?? { encode_ms: 0, decode_ms: 0 } };
}
