/** A file of attention weights: a saved trace, or plain matrices from any framework. Pure: bytes in, a trace out. */

/** @import {AttentionMap, MapKind, TokenAxis, Trace} from "../core/types" */

import { ImportError } from "../core/errors.js";
import { IMPORTED_MODEL } from "../core/imported_model.js";
import { NpzError, readNpz } from "../export/npz.js";
import { SCHEMA_1, upgradeSchema1 } from "./schema_1.js";

const SCHEMA = "heed.trace/2";
const TOLERANCE = 0.01;
export const MOST_BYTES = 32 * 1024 * 1024;
const MOST_TOKENS = 512;
const KINDS = ["cross", "encoder-self", "decoder-self"];
const SPECIAL = /^(<\/?s>|<pad>|<bos>|<eos>|<unk>|\[(CLS|SEP|PAD|UNK|MASK)\]|<\|[^|]+\|>)$/;

/**
 * The trace in a file: the JSON of a saved trace, plain JSON, or an `.npz`.
 * @param {Uint8Array<ArrayBuffer>} bytes @returns {Promise<Trace>}
 */
export async function imported(bytes) {
  if (bytes.length > MOST_BYTES) throw new ImportError("The file is larger than 32 MB.");
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return plain(await fromNpz(bytes));
  const value = parsed(bytes);
  if (ofPicture(value))
    throw new ImportError(
      "This file is the trace of a picture. Open the Pictures page and drop it there.",
    );
  return "schema" in value ? ours(value) : plain(value);
}

/** The object in a JSON file; a trace of schema 1 comes out in schema 2. @param {Uint8Array<ArrayBuffer>} bytes @returns {Record<string, unknown>} */
export function parsed(bytes) {
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
export const ofPicture = ({ schema, source }) =>
  schema === SCHEMA &&
  typeof source === "object" &&
  source !== null &&
  "kind" in source &&
  source.kind === "grid";

/** @param {Uint8Array<ArrayBuffer>} bytes @returns {Promise<Record<string, unknown>>} */
async function fromNpz(bytes) {
  let arrays;
  try {
    arrays = await readNpz(bytes);
  } catch (error) {
    throw error instanceof NpzError ? new ImportError(error.message) : error;
  }
  return Object.fromEntries(
    Object.entries(arrays).map(([name, { shape, data }]) => [name, nested(shape, data)]),
  );
}

/** @param {number[]} shape @param {ArrayLike<unknown>} data @returns {unknown} */
function nested(shape, data) {
  const size = (/** @type {number[]} */ part) =>
    part.reduce((product, length) => product * length, 1);
  /** @type {(depth: number, from: number) => unknown} */
  const cut = (depth, from) =>
    depth === shape.length
      ? data[from]
      : Array.from({ length: shape[depth] }, (_, i) =>
          cut(depth + 1, from + i * size(shape.slice(depth + 1))),
        );
  return cut(0, 0);
}

/** @param {Record<string, unknown>} value @returns {Trace} */
function ours(value) {
  if (value.schema !== SCHEMA)
    throw new ImportError(
      `The schema of the file is ${JSON.stringify(value.schema)}; this page reads ${SCHEMA}.`,
    );
  const trace = /** @type {Partial<Trace>} */ (value);
  const { source, target, maps, steps } = trace;
  checkAxis(source, "source");
  checkAxis(target, "target");
  if (!Array.isArray(maps) || !Array.isArray(steps))
    throw new ImportError("The trace has no maps or no steps.");
  const [read, written] = [source.tokens.length, target.tokens.length];
  if (steps.length && steps.length !== written)
    throw new ImportError(`The trace has ${steps.length} steps for ${written} output tokens.`);
  const most = Math.max(read, written);
  if (most > MOST_TOKENS)
    throw new ImportError(
      `The trace has ${most} tokens on one side; at most ${MOST_TOKENS} can be drawn.`,
    );
  /** @type {Record<string, number>} */
  const length = { source: read, target: written, decoder_input: written };
  maps.forEach((map, index) => {
    const known = map && map.query in length && map.key in length && KINDS.includes(map.kind);
    if (!known) throw new ImportError(`Map ${index + 1} does not name its axes.`);
    checkRows(
      map.weights,
      length[map.query],
      length[map.key],
      maps.length > 1 ? `Map ${index + 1}: ` : "",
    );
  });
  checkOutput(trace);
  const request = trace.request ?? plainRequest(source.text);
  return /** @type {Trace} */ ({
    ...trace,
    runners_up: [],
    timing: trace.timing ?? { encode_ms: 0, decode_ms: 0 },
    request,
  });
}

/** The text and the model of a saved trace. @param {Pick<Partial<Trace>, "text" | "model">} trace */
export function checkOutput({ text, model }) {
  const known =
    typeof text === "string" &&
    typeof model?.mechanism === "string" &&
    ["before", "after", "fixed"].includes(model.order);
  if (!known)
    throw new ImportError("The trace does not name its output text or its kind of model.");
}

/** @param {string} text @returns {Trace["request"]} */
const plainRequest = (text) => ({
  text,
  target: null,
  search: { kind: "greedy", beam: 1, seed: 0, temperature: 1, length_penalty: 1 },
  detail: "weights",
});

/** @param {Record<string, unknown>} value @returns {Trace} */
function plain(value) {
  const source = axis(value.source, "source", "sum");
  const kind = /** @type {MapKind} */ (value.kind ?? "cross");
  if (!KINDS.includes(kind))
    throw new ImportError(
      `“${value.kind}” is not a kind of attention. Use cross, encoder-self or decoder-self.`,
    );
  const own = kind !== "cross" && value.target === undefined;
  const target = own
    ? { ...source, merge: /** @type {const} */ ("mean") }
    : axis(value.target, "target", "mean");
  const layers = depth(value.weights);
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

/**
 * @param {Partial<TokenAxis> | null | undefined} axis of a saved trace @param {string} name
 * @returns {asserts axis is TokenAxis}
 */
export function checkAxis(axis, name) {
  const { text, tokens, words } = axis ?? {};
  if (typeof text !== "string" || !Array.isArray(tokens) || !Array.isArray(words))
    throw new ImportError(`The trace has no ${name} with text, tokens and words.`);
  tokens.forEach((token, index) => {
    const complete =
      token &&
      typeof token.text === "string" &&
      Number.isInteger(token.word) &&
      words[token.word] &&
      token.start >= 0 &&
      token.end >= token.start;
    if (!complete) throw new ImportError(`Token ${index + 1} of the ${name} is incomplete.`);
  });
  const rareWords = axis?.rare_words ?? [];
  const known =
    Array.isArray(rareWords) && rareWords.every((place) => Number.isInteger(place) && words[place]);
  if (!known)
    throw new ImportError(`The rare_words of the ${name} are not positions of its words.`);
}

/** The matrices by layer and head, however deep they lie. @param {unknown} weights @returns {unknown[][]} */
function depth(weights) {
  let deep = 0;
  for (let at = weights; Array.isArray(at); at = at[0]) deep++;
  if (deep === 2) return [[weights]];
  if (deep === 3) return [/** @type {unknown[]} */ (weights)];
  if (deep === 4) return /** @type {unknown[][]} */ (weights);
  throw new ImportError(
    "weights should be a matrix: a list of rows, each a list of numbers (or a list of heads, or of layers and heads).",
  );
}

/** @param {unknown} weights @param {number} rows @param {number} columns @param {string} where */
export function checkRows(weights, rows, columns, where) {
  if (!Array.isArray(weights)) throw new ImportError(`${where}The weights are not a list of rows.`);
  if (weights.length !== rows)
    throw new ImportError(
      `${where}There are ${weights.length} rows of weights for ${rows} output tokens.`,
    );
  weights.forEach((row, i) => {
    if (!Array.isArray(row) || row.length !== columns)
      throw new ImportError(
        `${where}Row ${i + 1} has ${Array.isArray(row) ? row.length : "no"} weights for ${columns} input tokens.`,
      );
    row.forEach((value, j) => {
      if (typeof value !== "number" || !Number.isFinite(value))
        throw new ImportError(`${where}Row ${i + 1}, column ${j + 1} is not a number.`);
      if (value < 0)
        throw new ImportError(`${where}Row ${i + 1}, column ${j + 1} is negative: ${value}.`);
    });
    const sum = row.reduce((total, value) => total + value, 0);
    if (Math.abs(sum - 1) > TOLERANCE)
      throw new ImportError(`${where}Row ${i + 1} sums to ${sum.toFixed(3)}, not to 1.`);
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
  if (
    !Array.isArray(pieces) ||
    !pieces.length ||
    !pieces.every((piece) => typeof piece === "string")
  )
    throw new ImportError(`${name} should be a list of strings, one for each token.`);
  if (pieces.length > MOST_TOKENS)
    throw new ImportError(
      `${name} has ${pieces.length} tokens; at most ${MOST_TOKENS} can be drawn.`,
    );
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
