/** A saved trace of a picture, checked before it is drawn. Pure. */

/** @import {PictureTrace} from "../core/types" */

import { ImportError } from "../core/errors.js";
import { checkAxis, checkGrid, checkRows, complete } from "./checks.js";
import { traceWith } from "./json.js";

const KINDS = ["cross", "drawn"];

const REFUSAL = "This file is not the trace of a picture. Open the Text page and drop it there.";

/** @param {Uint8Array<ArrayBuffer>} bytes @returns {PictureTrace} */
export function readPictureTrace(bytes) {
  const trace = /** @type {Partial<PictureTrace>} */ (traceWith(bytes, "grid", REFUSAL));
  const { source, picture, target, question, maps, steps } = trace;
  checkGrid(source, picture);
  checkAxis(target, "target");
  if (question) checkAxis(question, "question");
  if (!Array.isArray(maps) || !Array.isArray(steps))
    throw new ImportError("The trace has no maps or no steps.");
  const written = target.tokens.length;
  if (steps.length && steps.length !== written)
    throw new ImportError(`The trace has ${steps.length} steps for ${written} output tokens.`);
  const cells = source.rows * source.columns + (source.marks?.length ?? 0);
  /** @type {Record<string, number | undefined>} */
  const length = { source: cells, question: question?.tokens.length };
  maps.forEach((map, index) => {
    const read = length[map?.key];
    if (!read || map.query !== "target" || !KINDS.includes(map.kind))
      throw new ImportError(`Map ${index + 1} does not name its axes.`);
    checkRows(map.weights, written, read, maps.length > 1 ? `Map ${index + 1}: ` : "", map.sinks);
  });
  const made = /** @type {PictureTrace} */ (complete(trace));
  if (typeof trace.task !== "string" || trace.model?.order === "fixed")
    throw new ImportError("The trace does not name its output text or its kind of model.");
  if (typeof trace.request?.search?.kind !== "string")
    throw new ImportError("The trace does not contain its request.");
  return made;
}
