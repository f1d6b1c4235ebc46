/** A file of attention weights: a saved trace, or plain matrices from any framework. Pure: bytes in, a trace out. */

/** @import {Trace} from "../core/types" */

import { ImportError } from "../core/errors.js";
import { MOST_BYTES, hasSource, parsed } from "./json.js";
import { csvFields, isCsv } from "./csv.js";
import { npyMatrix, npzFields, traceOf, withNames } from "./matrices.js";
import { ofTape } from "./reading_trace.js";
import { readTrace } from "./saved_trace.js";

/** The traces that other pages show. @type {{fits: (value: Record<string, unknown>) => boolean, name: string, page: string}[]} */
const ELSEWHERE = [
  { fits: (value) => hasSource(value, "grid"), name: "picture", page: "Pictures" },
  { fits: (value) => hasSource(value, "sentences"), name: "story", page: "Story" },
  { fits: (value) => hasSource(value, "graph"), name: "graph", page: "Graph" },
  { fits: ofTape, name: "sentence that was read word by word", page: "Reading" },
];

/** The first byte of an `.npy`. */
const NUMPY = 0x93;

/**
 * The trace in a file: the JSON of a saved trace, plain JSON, an `.npz`, an `.npy` or a CSV.
 * @param {Uint8Array<ArrayBuffer>} bytes @returns {Promise<Trace>}
 */
export async function imported(bytes) {
  if (bytes.length > MOST_BYTES) throw new ImportError("The file is larger than 32 MB.");
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return traceOf(await npzFields(bytes));
  if (bytes[0] === NUMPY) return traceOf(withNames(npyMatrix(bytes)));
  const text = textOf(bytes);
  if (isCsv(text)) return traceOf(csvFields(text));
  const value = parsed(bytes);
  const elsewhere = ELSEWHERE.find(({ fits }) => fits(value));
  if (elsewhere)
    throw new ImportError(
      `This file is the trace of a ${elsewhere.name}. Open the ${elsewhere.page} page and drop it there.`,
    );
  return "schema" in value ? readTrace(value) : traceOf(value);
}

/** @param {Uint8Array<ArrayBuffer>} bytes */
function textOf(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new ImportError("The file is neither JSON, CSV, .npy nor .npz.");
  }
}
