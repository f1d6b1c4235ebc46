/** Traces of schema `heed.trace/1`, which earlier versions saved, converted to schema 2. Pure. */

export const SCHEMA_1 = "heed.trace/1";

/** The fields that schema 2 renamed. @type {Readonly<Record<string, string>>} */
const RENAMED = Object.freeze({ strangers: "rare_words" });
const VECTORS = ["query", "context", "state"];
const VECTOR_LISTS = ["queries", "keys", "values"];

/** @typedef {Record<string, unknown>} Fields */

/**
 * Renames the fields of a trace to those of schema 2. Values of unexpected types are kept: the checks
 * after it refuse them.
 * @param {Fields} trace @param {string} schema @returns {Fields}
 */
export function upgradeSchema1(trace, schema) {
  const { memory, runners_up: others } = trace;
  return {
    ...hypothesis(trace),
    schema,
    ...("source" in trace && { source: axis(trace.source) }),
    ...("question" in trace && { question: axis(trace.question) }),
    ...("memory" in trace && { memory: each(memory, vector) }),
    ...("runners_up" in trace && { runners_up: each(others, hypothesis) }),
  };
}

/** @param {Fields} output */
function hypothesis(output) {
  return {
    ...output,
    ...("target" in output && { target: axis(output.target) }),
    ...("maps" in output && { maps: each(output.maps, map) }),
    ...("steps" in output && {
      steps: each(output.steps, (step) => changed(step, VECTORS, vector)),
    }),
  };
}

/** @param {Fields} fields */
function map(fields) {
  const named = changed(fields, ["query", "key"], (name) =>
    name === "fed" ? "decoder_input" : name,
  );
  return changed(named, VECTOR_LISTS, (vectors) => each(vectors, vector));
}

/** @param {unknown} value */
function axis(value) {
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [RENAMED[name] ?? name, field]),
  );
}

/** @param {unknown} value */
function vector(value) {
  if (!isFields(value) || !("picture" in value)) return value;
  const { picture: summary, ...rest } = value;
  return { ...rest, summary };
}

/** @param {Fields} fields @param {string[]} names @param {(value: unknown) => unknown} convert */
function changed(fields, names, convert) {
  const present = names.filter((name) => name in fields);
  return { ...fields, ...Object.fromEntries(present.map((name) => [name, convert(fields[name])])) };
}

/** @param {unknown} list @param {(fields: Fields) => unknown} convert */
const each = (list, convert) =>
  Array.isArray(list) ? list.map((item) => (isFields(item) ? convert(item) : item)) : list;

/** @param {unknown} value @returns {value is Fields} */
const isFields = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
