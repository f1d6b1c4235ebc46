/** The JSON of a trace file. Pure. */

import { ImportError } from "../core/errors.js";
import { SCHEMA } from "../core/trace_schema.js";
import { SCHEMA_1, upgradeSchema1 } from "./schema_1.js";

export const MOST_BYTES = 32 * 1024 * 1024;

/** The object in a JSON file; a trace of schema 1 comes out in schema 2. @param {Uint8Array<ArrayBuffer>} bytes @returns {Record<string, unknown>} */
export function parsed(bytes) {
  if (bytes.length > MOST_BYTES) throw new ImportError("The file is larger than 32 MB.");
  let value;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new ImportError("The file is not JSON, or its JSON is damaged.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new ImportError("The JSON should be an object with source, target and weights.");
  return value.schema === SCHEMA_1 ? upgradeSchema1(value, SCHEMA) : value;
}

/** Returns true if a value is a trace whose source is of this kind. @param {Record<string, unknown>} value @param {string} kind */
export const hasSource = ({ schema, source }, kind) =>
  schema === SCHEMA &&
  typeof source === "object" &&
  source !== null &&
  "kind" in source &&
  source.kind === kind;

/** The trace in a file whose source is of this kind. @param {Uint8Array<ArrayBuffer>} bytes @param {string} kind @param {string} refusal of another file @returns {unknown} */
export function traceWith(bytes, kind, refusal) {
  const value = parsed(bytes);
  if (!hasSource(value, kind)) throw new ImportError(refusal);
  return value;
}
