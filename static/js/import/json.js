/** The JSON of a trace file. Pure. */

import { ImportError } from "../core/errors.js";
import { SCHEMA_1, upgradeSchema1 } from "./schema_1.js";

export const SCHEMA = "heed.trace/2";
export const MOST_BYTES = 32 * 1024 * 1024;

/** The object in a JSON file; a trace of schema 1 comes out in schema 2. @param {Uint8Array<ArrayBuffer>} bytes @returns {Record<string, unknown>} */
export function parsed(bytes) {
  if (bytes.length > MOST_BYTES) throw new ImportError("The file is larger than 32 MB.");
  let value;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new ImportError("The file is neither JSON nor an .npz archive.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new ImportError("The JSON should be an object with source, target and weights.");
  return value.schema === SCHEMA_1 ? upgradeSchema1(value, SCHEMA) : value;
}

/** Returns true if the source of the trace is the cells of a picture. @param {Record<string, unknown>} value */
export const ofPicture = (value) => hasSource(value, "grid");

/** Returns true if the source of the trace is a story. @param {Record<string, unknown>} value */
export const ofStory = (value) => hasSource(value, "sentences");

/** Returns true if the source of the trace is a graph. @param {Record<string, unknown>} value */
export const ofGraph = (value) => hasSource(value, "graph");

/** @param {Record<string, unknown>} value @param {string} kind */
const hasSource = ({ schema, source }, kind) =>
  schema === SCHEMA &&
  typeof source === "object" &&
  source !== null &&
  "kind" in source &&
  source.kind === kind;
