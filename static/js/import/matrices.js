/** A trace of plain attention matrices, from any framework. Pure. */

/** @import {AttentionMap, MapKind, Trace} from "../core/types" */

import { ImportError } from "../core/errors.js";
import { IMPORTED_MODEL } from "../core/imported_model.js";
import { NpzError, readNpy } from "../core/npy.js";
import { readNpz } from "../core/npz.js";
import { SCHEMA, plainRequest } from "../core/trace_schema.js";
import { KINDS, checkRows } from "./checks.js";
import { axisOf } from "./pieces.js";

const NO_MATRIX =
  "weights should be a matrix: a list of rows, each a list of numbers (or a list of heads, or of layers and heads).";

/** The arrays of an `.npz` as nested lists, by their names. @param {Uint8Array<ArrayBuffer>} bytes @returns {Promise<Record<string, unknown>>} */
export async function npzFields(bytes) {
  const arrays = await readNpz(bytes).catch(refused);
  return Object.fromEntries(
    Object.entries(arrays).map(([name, { shape, data }]) => [name, nested(shape, data)]),
  );
}

/** The array of an `.npy` as nested lists. @param {Uint8Array<ArrayBuffer>} bytes @returns {unknown} */
export function npyMatrix(bytes) {
  try {
    const { shape, data } = readNpy(bytes, "The file");
    return nested(shape, data);
  } catch (error) {
    return refused(error);
  }
}

/** Weights without names: their rows and columns are counted. @param {unknown} weights */
export function withNames(weights) {
  let matrix = weights;
  while (Array.isArray(matrix) && Array.isArray(matrix[0]?.[0])) matrix = matrix[0];
  const counted = (/** @type {unknown} */ list) =>
    Array.isArray(list) ? list.map((_, place) => String(place + 1)) : [];
  const [row] = Array.isArray(matrix) ? matrix : [];
  if (!Array.isArray(row)) throw new ImportError(NO_MATRIX);
  return { source: counted(row), target: counted(matrix), weights };
}

/** @param {unknown} error @returns {never} */
function refused(error) {
  throw error instanceof NpzError ? new ImportError(error.message) : error;
}

/** An array of this shape as nested lists. @param {number[]} shape @param {ArrayLike<unknown>} data @returns {unknown} */
function nested(shape, data) {
  const size = (/** @type {number[]} */ part) =>
    part.reduce((product, length) => product * length, 1);
  /** @type {(shape: number[], from: number) => unknown} */
  const cut = ([length, ...inner], from) =>
    length === undefined
      ? data[from]
      : Array.from({ length }, (_, i) => cut(inner, from + i * size(inner)));
  return cut(shape, 0);
}

/** @param {Record<string, unknown>} value @returns {Trace} */
export function traceOf(value) {
  const source = axisOf(value.source, "source", "sum");
  const kind = /** @type {MapKind} */ (value.kind ?? "cross");
  if (!KINDS.includes(kind))
    throw new ImportError(
      `“${value.kind}” is not a kind of attention. Use cross, encoder-self or decoder-self.`,
    );
  const own = kind !== "cross" && value.target === undefined;
  const target = own
    ? { ...source, merge: /** @type {const} */ ("mean") }
    : axisOf(value.target, "target", "mean");
  const layers = matricesOf(value.weights);
  /** @type {AttentionMap[]} */
  const maps = layers.flatMap((heads, layer) =>
    heads.map((weights, head) => {
      const many = layers.length * heads.length > 1;
      checkRows(
        weights,
        target.tokens.length,
        source.tokens.length,
        many ? `Layer ${layer + 1}, head ${head + 1}: ` : "",
      );
      return {
        kind: "cross",
        layer,
        head,
        query: "target",
        key: "source",
        weights: /** @type {number[][]} */ (weights),
        scores: null,
      };
    }),
  );
  return {
    schema: SCHEMA,
    model: { id: IMPORTED_MODEL.id, weights: "", mechanism: "imported", order: "after" },
    task: IMPORTED_MODEL.task,
    request: plainRequest(source.text),
    text: target.text,
    source,
    target,
    maps,
    steps: [],
    runners_up: [],
    log_probability: 0,
    score: 0,
    finish: "end",
    timing: { encode_ms: 0, decode_ms: 0 },
  };
}

/** The matrices by layer and head, from one matrix, a list of heads, or a list of layers. @param {unknown} weights @returns {unknown[][]} */
function matricesOf(weights) {
  let depth = 0;
  for (let at = weights; Array.isArray(at); at = at[0]) depth++;
  if (depth === 2) return [[weights]];
  if (depth === 3) return [/** @type {unknown[]} */ (weights)];
  if (depth === 4) return /** @type {unknown[][]} */ (weights);
  throw new ImportError(NO_MATRIX);
}
