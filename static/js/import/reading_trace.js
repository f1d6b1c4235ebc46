/** A saved trace of a sentence that was read word by word, checked before it is drawn. Pure. */

/** @import {Trace} from "../core/types" */

import { ImportError } from "../core/errors.js";
import { MOST_BYTES, parsed } from "./json.js";
import { readTrace } from "./saved_trace.js";

/** Returns true if the model read with a memory tape (Cheng et al. 2016). @param {{model?: {mechanism?: unknown}}} trace */
export const ofTape = ({ model }) => model?.mechanism === "intra";

/** @param {Uint8Array<ArrayBuffer>} bytes @returns {Trace} */
export function readReadingTrace(bytes) {
  if (bytes.length > MOST_BYTES) throw new ImportError("The file is larger than 32 MB.");
  const value = parsed(bytes);
  if (!ofTape(/** @type {Partial<Trace>} */ (value)))
    throw new ImportError(
      "This file is not the trace of a sentence that was read word by word. Open the page of texts and drop it there.",
    );
  const trace = readTrace(value);
  const [map] = trace.maps;
  if (trace.maps.length !== 1 || map?.query !== "target" || map.key !== "decoder_input")
    throw new ImportError("The trace should have one map, of the words and those before.");
  return trace;
}
