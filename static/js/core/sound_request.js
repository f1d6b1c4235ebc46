/** The request for what is heard in a sound: its address and its form. Pure. */

/** @import {TranslateBody} from "./types" */

export const TRANSCRIBE = "/api/v1/transcribe";

/** The fields of the form beside the sound. @param {TranslateBody} body @returns {[string, string][]} */
export const soundFields = ({ text: _, ...body }) =>
  Object.entries(body).map(([name, value]) => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
