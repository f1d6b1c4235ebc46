/** Models that cannot be run: that of attention weights from a file, and those that a trace describes. Pure. */

/** @import {Model, Trace} from "./types" */

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
  unguided: "",
  learned_from: "",
  default: false,
  loaded: true,
  summary: "",
};

/**
 * The model of a trace: an installed one, or one described by the trace itself.
 * @param {{model: Trace["model"], maps: {layer: number, head: number}[]}} trace @param {Model[]} models
 * @param {Partial<Model>} [own] of a model that is not installed, what its maps do not tell
 * @returns {Model}
 */
export function modelOf({ model: { id, mechanism, order }, maps }, models, own = {}) {
  const count = (/** @type {"layer" | "head"} */ name) =>
    new Set(maps.map((map) => map[name])).size || 1;
  return (
    models.find((model) => model.id === id) ?? {
      ...IMPORTED_MODEL,
      name: id,
      mechanism,
      order,
      layers: count("layer"),
      heads: count("head"),
      ...own,
    }
  );
}
