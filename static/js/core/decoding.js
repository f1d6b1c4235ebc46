/** How an output came about: given by the user, sampled, or found by a beam search. Pure. */

/** @import {Model, Output, PictureOutput, PictureTrace, Trace} from "./types" */

/** The name of the output of a model that reads pictures. @param {Pick<Model, "task">} model */
export const outputName = ({ task }) => (task === "ask" ? "answer" : "caption");

/**
 * Returns true if the user gave the output; a growing trace says so only in its request.
 * @param {Trace | PictureTrace} trace @param {{finish: Output["finish"]}} output
 */
export const isGiven = ({ request }, { finish }) =>
  finish === "forced" || (finish === "writing" && request.target != null);

/**
 * The decoding of an output in a few words; empty for greedy decoding and for a given output.
 * @param {Trace | PictureTrace} trace @param {Output | PictureOutput} output
 */
export function decodingNote(trace, output) {
  const { search } = trace.request;
  if (!search || isGiven(trace, output) || output.finish === "writing") return "";
  if (search.kind === "sample")
    return `Sampled at random: temperature ${search.temperature}, seed ${search.seed}`;
  if (search.kind !== "beam") return "";
  const place = [trace, ...trace.runners_up].indexOf(/** @type {typeof trace} */ (output));
  return `Beam search, width ${search.beam}: ${place > 0 ? `runner-up ${place}` : "the best hypothesis"}`;
}
