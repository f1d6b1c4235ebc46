/** A saved trace of a story, checked before it is drawn. Pure. */

/** @import {StoryTrace} from "../core/types" */

import { ImportError } from "../core/errors.js";
import { MOST_TOKENS, checkAxis, checkRows, complete } from "./checks.js";
import { traceWith } from "./json.js";

const REFUSAL =
  "This file is not the trace of a story. Open the page of texts or of pictures and drop it there.";

/** @param {Uint8Array<ArrayBuffer>} bytes @returns {StoryTrace} */
export function readStoryTrace(bytes) {
  const trace = /** @type {Partial<StoryTrace>} */ (traceWith(bytes, "sentences", REFUSAL));
  const { source, target, question, maps, steps } = trace;
  if (typeof source?.text !== "string" || ![source.sentences, source.unknown_words].every(spans))
    throw new ImportError("The trace has no sentences, or one of them has no place in the story.");
  if (target?.kind !== "hops" || !Number.isInteger(target.hops) || target.hops < 1)
    throw new ImportError("The trace does not say how many hops it has.");
  checkAxis(question, "question");
  if (!Array.isArray(maps) || !Array.isArray(steps))
    throw new ImportError("The trace has no maps or no steps.");
  const [read, hops] = [source.sentences.length, target.hops];
  if (Math.max(read, hops) > MOST_TOKENS)
    throw new ImportError(`The trace has ${read} sentences; at most ${MOST_TOKENS} can be drawn.`);
  if (steps.length && steps.length !== hops)
    throw new ImportError(`The trace has ${steps.length} steps for ${hops} hops.`);
  if (maps.length !== 1 || maps[0]?.query !== "target" || maps[0].key !== "source")
    throw new ImportError("The trace should have one map, of hops and sentences.");
  checkRows(maps[0].weights, hops, read, "");
  return complete(trace);
}

/** True for a list of texts with a place. @param {unknown} value */
const spans = (value) =>
  Array.isArray(value) &&
  value.every(
    (each) =>
      typeof each?.text === "string" &&
      Number.isInteger(each.start) &&
      Number.isInteger(each.end) &&
      0 <= each.start &&
      each.start <= each.end,
  );
