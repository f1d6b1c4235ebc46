/** The trace that another page has handed to this one. */

import { HANDED } from "../../core/handed.js";

/** The trace, once. @returns {{name: string, bytes: Uint8Array<ArrayBuffer>} | null} */
export function handed() {
  const kept = HANDED.json;
  HANDED.keep(null);
  if (!Array.isArray(kept)) return null;
  const [name, json] = kept;
  return { name, bytes: new TextEncoder().encode(json) };
}
