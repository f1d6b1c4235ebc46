/** The schema of a trace, and the request of one that has none. Pure. */

/** @import {Trace} from "./types" */

export const SCHEMA = "heed.trace/2";

/** The request of a trace without one. @param {string} text @returns {Trace["request"]} */
export const plainRequest = (text) => ({
  text,
  target: null,
  search: { kind: "greedy", beam: 1, seed: 0, temperature: 1, length_penalty: 1 },
  detail: "weights",
});
