/** The model of attention weights from a file, which cannot be run. Pure. */

/** @import {Model} from "./types" */

/** @type {Model} */
export const IMPORTED_MODEL = {
  id: "imported",
  name: "Imported weights",
  task: "imported",
  source: { code: "und", name: "input" },
  target: { code: "und", name: "output" },
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
  learned_from: "",
  default: false,
  loaded: true,
  summary: "",
};
