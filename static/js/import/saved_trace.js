/** A saved trace of a text, checked before it is drawn. Pure. */

/** @import {Trace} from "../core/types" */

import { ImportError } from "../core/errors.js";
import { KINDS, MOST_TOKENS, checkAxis, checkOutput, checkRows } from "./checks.js";
import { SCHEMA } from "./json.js";
import { plainRequest } from "./matrices.js";

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
  if (!Array.isArray(maps) || !Array.isArray(steps))
    throw new ImportError("The trace has no maps or no steps.");
  const [read, written] = [source.tokens.length, target.tokens.length];
  if (steps.length && steps.length !== written)
    throw new ImportError(`The trace has ${steps.length} steps for ${written} output tokens.`);
  const most = Math.max(read, written);
  if (most > MOST_TOKENS)
    throw new ImportError(
      `The trace has ${most} tokens on one side; at most ${MOST_TOKENS} can be drawn.`,
    );
  /** @type {Record<string, number>} */
  const length = { source: read, target: written, decoder_input: written };
  maps.forEach((map, index) => {
    const known = map && map.query in length && map.key in length && KINDS.includes(map.kind);
    if (!known) throw new ImportError(`Map ${index + 1} does not name its axes.`);
    checkRows(
      map.weights,
      length[map.query],
      length[map.key],
      maps.length > 1 ? `Map ${index + 1}: ` : "",
    );
  });
  checkOutput(trace);
  const request = trace.request ?? plainRequest(source.text);
  return /** @type {Trace} */ ({
    ...trace,
    runners_up: [],
    timing: trace.timing ?? { encode_ms: 0, decode_ms: 0 },
    request,
  });
}
