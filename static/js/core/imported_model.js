/** What everybody knows of attention from outside; what reads it is loaded once there is some. Pure. */

/** @import {Model} from "./types" */

/** What cannot be shown; the message names the row and the column. */
export class ImportError extends Error {}

/** The model of what was brought along: nobody to be asked. @type {Model} */
export const NOBODY = {
  id: "imported",
  name: "Brought along",
  task: "imported",
  source: { code: "und", name: "read" },
  target: { code: "und", name: "written" },
  mechanism: "imported",
  order: "after",
  input_feeding: false,
  heads: 1,
  layers: 1,
  parameters: 0,
  bytes: 0,
  weights: "",
  granularity: "subwords",
  quality: {},
  limits: {},
  examples: [],
  hints: {},
  guided: "",
  default: false,
  loaded: true,
};
