/** Attention brought along: a trace of ours, or plain matrices from anywhere. Pure: bytes in, a trace out. */

/** @import {AttentionMap, MapKind, TokenAxis, Trace} from "../core/types" */

import { NpzError, readNpz } from "../export/npz.js";
import { ImportError, NOBODY } from "../core/imported_model.js";

const SCHEMA = "heed.trace/2";
const TOLERANCE = 0.01;
export const MOST_BYTES = 32 * 1024 * 1024;
const MOST_TOKENS = 512;
const SPECIAL = /^(<\/?s>|<pad>|<bos>|<eos>|<unk>|\[(CLS|SEP|PAD|UNK|MASK)\]|<\|[^|]+\|>)$/;

/**
 * What stands in a file: the JSON of a trace, plain JSON, or an `.npz`.
 * @param {Uint8Array<ArrayBuffer>} bytes @returns {Promise<Trace>}
 */
export async function imported(bytes) {
  if (bytes.length > MOST_BYTES) throw new ImportError("The file is larger than 32 MB.");
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return plain(await fromNpz(bytes));
  const value = parsed(bytes);
  if (ofPicture(value)) throw new ImportError("This is the trace of a picture: it belongs on the page of pictures. Open Pictures above, and drop it there.");
  return "schema" in value ? ours(value) : plain(value);
}

/** The object in a file of JSON. @param {Uint8Array<ArrayBuffer>} bytes @returns {Record<string, unknown>} */
export function parsed(bytes) {
  let value;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new ImportError("The file is neither JSON nor an .npz archive.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new ImportError("The JSON should be an object with source, target and weights.");
  return value;
}

/** Whether it is a trace whose source is the cells of a picture. @param {Record<string, unknown>} value */
export const ofPicture = (value) => value.schema === SCHEMA && /** @type {any} */ (value.source)?.kind === "grid";

/** @param {Uint8Array<ArrayBuffer>} bytes @returns {Promise<Record<string, unknown>>} */
async function fromNpz(bytes) {
  let arrays;
  try {
    arrays = await readNpz(bytes);
  } catch (error) {
    throw error instanceof NpzError ? new ImportError(error.message) : error;
  }
  return Object.fromEntries(Object.entries(arrays).map(([name, { shape, data }]) => [name, nested(shape, data)]));
}

/** @param {number[]} shape @param {ArrayLike<unknown>} data @returns {unknown} */
function nested(shape, data) {
  const size = (/** @type {number[]} */ part) => part.reduce((product, length) => product * length, 1);
  /** @type {(depth: number, from: number) => unknown} */
  const cut = (depth, from) =>
    depth === shape.length ? data[from] : Array.from({ length: shape[depth] }, (_, i) => cut(depth + 1, from + i * size(shape.slice(depth + 1))));
  return cut(0, 0);
}

/** @param {Record<string, unknown>} value @returns {Trace} */
function ours(value) {
  if (value.schema !== SCHEMA) throw new ImportError(`The file says it is ${JSON.stringify(value.schema)}; ${SCHEMA} is what this page reads.`);
  const trace = /** @type {any} */ (value);
  checkAxis(trace.source, "source");
  checkAxis(trace.target, "target");
  if (!Array.isArray(trace.maps) || !Array.isArray(trace.steps)) throw new ImportError("The trace has no maps or no steps.");
  if (trace.steps.length && trace.steps.length !== trace.target.tokens.length) throw new ImportError(`The trace has ${trace.steps.length} steps for ${trace.target.tokens.length} tokens written.`);
  const most = Math.max(trace.source.tokens.length, trace.target.tokens.length);
  if (most > MOST_TOKENS) throw new ImportError(`The trace has ${most} pieces on a side; at most ${MOST_TOKENS} can be drawn.`);
  const length = { source: trace.source.tokens.length, target: trace.target.tokens.length, decoder_input: trace.target.tokens.length };
  trace.maps.forEach((/** @type {any} */ map, /** @type {number} */ index) => {
    const known = map && map.query in length && map.key in length && ["cross", "encoder-self", "decoder-self"].includes(map.kind);
    if (!known) throw new ImportError(`Map ${index + 1} does not say what it lies between.`);
    checkRows(map.weights, length[/** @type {"source"} */ (map.query)], length[/** @type {"source"} */ (map.key)], trace.maps.length > 1 ? `Map ${index + 1}: ` : "");
  });
  if (typeof trace.text !== "string" || typeof trace.model?.mechanism !== "string" || !["before", "after", "fixed"].includes(trace.model.order)) throw new ImportError("The trace does not say what was written, or by what kind of model.");
  return { ...trace, runners_up: [], timing: trace.timing ?? { encode_ms: 0, decode_ms: 0 }, request: trace.request ?? { text: trace.source.text } };
}

/** @param {Record<string, unknown>} value @returns {Trace} */
function plain(value) {
  const source = axis(value.source, "source", "sum");
  const kind = /** @type {MapKind} */ (value.kind ?? "cross");
  if (!["cross", "encoder-self", "decoder-self"].includes(kind)) throw new ImportError(`“${value.kind}” is no kind of attention: cross, encoder-self or decoder-self.`);
  const own = kind !== "cross" && value.target === undefined;
  const target = own ? { ...source, merge: /** @type {const} */ ("mean") } : axis(value.target, "target", "mean");
  const layers = depth(value.weights);
  /** @type {AttentionMap[]} */
  const maps = layers.flatMap((heads, layer) =>
    heads.map((weights, head) => {
      const many = layers.length * heads.length > 1;
      checkRows(weights, target.tokens.length, source.tokens.length, many ? `Layer ${layer + 1}, head ${head + 1}: ` : "");
      return { kind: "cross", layer, head, query: "target", key: "source", weights: /** @type {number[][]} */ (weights), scores: null };
    }),
  );
  return {
    schema: SCHEMA,
    model: { id: NOBODY.id, weights: "", mechanism: "imported", order: "after" },
    task: NOBODY.task,
    request: { text: source.text, target: null, search: { kind: "greedy", beam: 1, seed: 0, temperature: 1, length_penalty: 1 }, detail: "weights" },
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

/** @param {any} axis of a saved trace @param {string} name */
export function checkAxis(axis, name) {
  const whole = axis && typeof axis.text === "string" && Array.isArray(axis.tokens) && Array.isArray(axis.words);
  if (!whole) throw new ImportError(`The trace has no ${name} with text, tokens and words.`);
  axis.tokens.forEach((/** @type {any} */ token, /** @type {number} */ index) => {
    const fits = token && typeof token.text === "string" && Number.isInteger(token.word) && axis.words[token.word] && token.start >= 0 && token.end >= token.start;
    if (!fits) throw new ImportError(`Token ${index + 1} of the ${name} is not whole.`);
  });
  const rare_words = axis.rare_words ?? [];
  const known = Array.isArray(rare_words) && rare_words.every((place) => Number.isInteger(place) && axis.words[place]);
  if (!known) throw new ImportError(`The rare_words of the ${name} are no places of its words.`);
}

/** The matrices by layer and head, however deep they lie. @param {unknown} weights @returns {unknown[][]} */
function depth(weights) {
  let deep = 0;
  for (let at = weights; Array.isArray(at); at = at[0]) deep++;
  const list = /** @type {any} */ (weights);
  if (deep === 2) return [[list]];
  if (deep === 3) return [list];
  if (deep === 4) return list;
  throw new ImportError("weights should be a matrix: a list of rows, each a list of numbers (or heads of such, or layers of heads).");
}

/** @param {unknown} weights @param {number} rows @param {number} columns @param {string} where */
export function checkRows(weights, rows, columns, where) {
  if (!Array.isArray(weights)) throw new ImportError(`${where}The weights are no list of rows.`);
  if (weights.length !== rows) throw new ImportError(`${where}There are ${weights.length} rows of weights for ${rows} pieces written.`);
  weights.forEach((row, i) => {
    if (!Array.isArray(row) || row.length !== columns) throw new ImportError(`${where}Row ${i + 1} has ${Array.isArray(row) ? row.length : "no"} weights for ${columns} pieces read.`);
    row.forEach((value, j) => {
      if (typeof value !== "number" || !Number.isFinite(value)) throw new ImportError(`${where}Row ${i + 1}, column ${j + 1} is not a number.`);
      if (value < 0) throw new ImportError(`${where}Row ${i + 1}, column ${j + 1} is negative: ${value}.`);
    });
    const sum = row.reduce((total, value) => total + value, 0);
    if (Math.abs(sum - 1) > TOLERANCE) throw new ImportError(`${where}Row ${i + 1} sums to ${sum.toFixed(3)}, not to 1.`);
  });
}

/**
 * An axis from a list of pieces. The usual signs say where words begin: `▁` or `Ġ` before a piece
 * that begins one, `##` before one that goes on, `@@` behind one that is gone on from. Without
 * signs every piece is a word.
 * @param {unknown} pieces @param {string} name @param {"sum" | "mean"} merge @returns {TokenAxis}
 */
function axis(pieces, name, merge) {
  if (typeof pieces === "string") return axis(pieces.split(/\s+/).filter(Boolean), name, merge);
  if (!Array.isArray(pieces) || !pieces.length || !pieces.every((piece) => typeof piece === "string")) throw new ImportError(`${name} should be a list of the pieces, as texts.`);
  if (pieces.length > MOST_TOKENS) throw new ImportError(`${name} has ${pieces.length} pieces; at most ${MOST_TOKENS} can be drawn.`);
  const begins = pieces.some((piece) => /^[▁Ġ]/u.test(piece));
  let text = "";
  let open = false; // whether the piece before is gone on from
  /** @type {TokenAxis} */
  const made = { kind: "tokens", text, tokens: [], words: [], merge };
  pieces.forEach((piece, id) => {
    const special = SPECIAL.test(piece);
    const follows = made.words.length > 0 && !special && !made.words.at(-1)?.special;
    const goesOn = follows && (open || (begins ? !/^[▁Ġ]/u.test(piece) : piece.startsWith("##")));
    const bare = special ? piece : piece.replace(/^(▁|Ġ|##)/u, "").replace(/@@$/, "");
    open = !special && piece.endsWith("@@");
    if (!special && !goesOn && text) text += " ";
    const start = Array.from(text).length;
    if (!special) text += bare;
    const end = Array.from(text).length;
    const last = made.words.at(-1);
    if (goesOn && last) {
      last.text += bare;
      last.end = end;
    } else made.words.push({ text: bare, start, end, special });
    made.tokens.push({ id, text: bare, start, end, word: made.words.length - 1, special });
  });
  return { ...made, text };
}
