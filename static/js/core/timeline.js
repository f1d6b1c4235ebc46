/** The timeline of a run: its operations in two phases, each in lanes. Pure. */

/** @import {Operation, Timeline} from "./wire" */

/** @type {Record<Operation["kind"], string>} */
const NAMES = {
  forwards: "a word, →",
  backwards: "a word, ←",
  attention: "attention",
  update: "new state",
  self: "self-attention",
  cross: "cross-attention",
  "feed-forward": "feed-forward",
  output: "next piece",
};

/**
 * A phase: reading by the encoder, or writing by the decoder. Its times count from its first operation.
 * @typedef {{name: "Reading" | "Writing", milliseconds: number, lanes: Lane[]}} Phase
 * @typedef {{name: string, median: number, bars: Bar[]}} Lane of one kind of operation, with the time of the middle one
 * @typedef {{start: number, end: number, title: string}} Bar
 */

/** @param {Timeline} timeline @returns {Phase[]} */
export function phasesOf({ operations, read, written }) {
  const cross = operations.findIndex(({ kind }) => kind === "cross");
  const first = cross > 0 ? cross - 1 : operations.findIndex(({ kind }) => !/wards$/.test(kind));
  let step = 0;
  const titled = operations.map((operation, at) => {
    const { kind, place } = operation;
    const word = /wards$/.test(kind) ? read[place] : at < first ? "all words" : written[step];
    const layer = ["self", "cross", "feed-forward"].includes(kind) ? `layer ${place + 1}, ` : "";
    if (kind === "output") step++;
    return { ...operation, of: `${layer}${word?.trim() || "⟨end⟩"}` };
  });
  return [phase("Reading", titled.slice(0, first)), phase("Writing", titled.slice(first))];
}

/** @param {Phase["name"]} name @param {(Operation & {of: string})[]} operations @returns {Phase} */
function phase(name, operations) {
  const began = Math.min(...operations.map(({ start }) => start));
  const kinds = [...new Set(operations.map(({ kind }) => kind))];
  const lanes = kinds.map((kind) => {
    const own = operations.filter((operation) => operation.kind === kind);
    return {
      name: NAMES[kind],
      median: median(own.map(({ start, end }) => end - start)),
      bars: own.map(({ start, end, of }) => ({
        start: start - began,
        end: end - began,
        title: `${of}: ${(end - start).toFixed(3)} ms`,
      })),
    };
  });
  return { name, milliseconds: Math.max(...operations.map(({ end }) => end - began)), lanes };
}

/** The middle one: a pause of the machine is in few of them. @param {number[]} times */
const median = (times) => times.toSorted((one, other) => one - other)[times.length >> 1];
