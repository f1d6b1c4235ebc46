/** A saved trace of a text, checked before it is drawn. Pure. */

/** @import {Trace} from "../core/types" */

import { ImportError } from "../core/errors.js";
import { SCHEMA, plainRequest } from "../core/trace_schema.js";
import { KINDS, MOST_TOKENS, checkAxis, checkGrid, checkRows, complete } from "./checks.js";

/** @param {Record<string, unknown>} value @returns {Trace} */
export function readTrace(value) {
  if (value.schema !== SCHEMA)
    throw new ImportError(
      `The schema of the file is ${JSON.stringify(value.schema)}; this page reads ${SCHEMA}.`,
    );
  const trace = /** @type {Partial<Trace>} */ (value);
  const { source, target, maps, steps } = trace;
  checkAxis(source, "source");
  checkAxis(target, "target");
  checkPatches(trace);
  if (typeof (trace.links ?? "") !== "string")
    throw new ImportError("The links of the trace are no text, such as 0-0 2-1.");
  if (!Array.isArray(maps) || !Array.isArray(steps))
    throw new ImportError("The trace has no maps or no steps.");
  const [read, written] = [source.tokens.length, target.tokens.length];
  if (steps.length && steps.length !== written)
    throw new ImportError(`The trace has ${steps.length} steps for ${written} output tokens.`);
  // The patches of a picture are one word, and have a limit of their own.
  const { rows, columns } = source.patches?.grid ?? { rows: 0, columns: 0 };
  const most = Math.max(read - rows * columns, written);
  if (most > MOST_TOKENS)
    throw new ImportError(
      `The trace has ${most} tokens on one side; at most ${MOST_TOKENS} can be drawn.`,
    );
  /** @type {Record<string, number>} */
  const lengths = { source: read, target: written, decoder_input: written };
  maps.forEach((map, index) => {
    const [queries, keys] = [lengths[map?.query], lengths[map?.key]];
    if (queries === undefined || keys === undefined || !KINDS.includes(map.kind))
      throw new ImportError(`Map ${index + 1} does not name its axes.`);
    checkRows(map.weights, queries, keys, maps.length > 1 ? `Map ${index + 1}: ` : "", map.sinks);
  });
  return { ...complete(trace), request: trace.request ?? plainRequest(source.text) };
}

/** The picture within a text. @param {Partial<Trace>} trace */
function checkPatches({ source, picture }) {
  const patches = source?.patches;
  if (!patches) {
    if (picture) throw new ImportError("There is a picture, but the source is text.");
    return;
  }
  checkGrid(patches.grid, picture);
  const { first, grid } = patches;
  const last = first + grid.rows * grid.columns;
  if (!(Number.isInteger(first) && first >= 0 && last <= (source?.tokens.length ?? 0)))
    throw new ImportError("The patches of the picture are not tokens of the text.");
}
