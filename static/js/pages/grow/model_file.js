/** A grown model as a folder that Python and a server read (`models/checkpoint.py`), in a zip archive. Pure. */

/** @import {Run} from "./run.js" */

import { joined, word, writeZip } from "../../core/zip.js";
import { END, PAD, START, sizeOf, tensorsOf } from "./network.js";
import { NEVER } from "./run.js";
import { idOf } from "./trace.js";
import { shareOf } from "./training.js";

const encoder = new TextEncoder();
const MARKS = ["<pad>", "<s>", "</s>"];
/** The tensors with a row for each token. */
const OF_TOKENS = ["embedding.weight", "decoder.output.weight", "decoder.output.bias"];
/** Pieces never cross these, as in `models/text/tokenizer.py`. */
const CHUNK = " ?[\\p{L}\\p{M}\\p{N}]+'?| ?[^\\s\\p{L}\\p{M}\\p{N}]|\\s";
const ROOM = 2;

/** @param {Run} run */
export function modelFile(run) {
  const id = idOf(run);
  const bytes = bytePieces(run.vocabulary.symbols);
  const files = {
    "config.json": json(config(run, id, bytes.size)),
    "model.safetensors": safetensors(run, bytes),
    "tokenizer.json": json(tokenizer(bytes)),
    "CARD.md": encoder.encode(card(run, id)),
  };
  const named = Object.entries(files).map(([name, content]) => [`${id}/${name}`, content]);
  return { name: `${id}.zip`, bytes: writeZip(Object.fromEntries(named)) };
}

/** @param {unknown} value */
const json = (value) => encoder.encode(`${JSON.stringify(value, null, 2)}\n`);

/** The printable symbol of each byte, as byte-level BPE has them. */
function symbolsOfBytes() {
  const printable = (/** @type {number} */ byte) =>
    (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xff && byte !== 0xad);
  let others = 256;
  return Array.from({ length: 256 }, (_, byte) =>
    String.fromCharCode(printable(byte) ? byte : others++),
  );
}

/**
 * The ids of all pieces: a byte each, and those that the characters of several bytes are merged from.
 * @param {string[]} symbols
 */
function bytePieces(symbols) {
  const bytes = symbolsOfBytes();
  const ids = new Map([...MARKS, ...bytes.toSorted()].map((piece, id) => [piece, id]));
  /** @type {Map<string, [string, string]>} */
  const merges = new Map();
  const places = symbols.map((symbol) => {
    const pieces = Array.from(encoder.encode(symbol), (byte) => bytes[byte]);
    const whole = pieces.reduce((left, right) => {
      merges.set(left + right, [left, right]);
      if (!ids.has(left + right)) ids.set(left + right, ids.size);
      return left + right;
    });
    return /** @type {number} */ (ids.get(whole));
  });
  return { ids, merges: [...merges.values()], places, size: ids.size };
}

/** @typedef {ReturnType<typeof bytePieces>} Pieces */

/** @param {Pieces} pieces */
const tokenizer = ({ ids, merges }) => ({
  version: "1.0",
  truncation: null,
  padding: null,
  added_tokens: [],
  normalizer: {
    type: "Sequence",
    normalizers: [
      { type: "NFC" },
      { type: "Strip", strip_left: true, strip_right: true },
      { type: "Replace", pattern: { Regex: "\\s+" }, content: " " },
    ],
  },
  pre_tokenizer: {
    type: "Sequence",
    pretokenizers: [
      { type: "Split", pattern: { Regex: CHUNK }, behavior: "Isolated", invert: false },
      { type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: false },
    ],
  },
  post_processor: null,
  decoder: null,
  model: {
    type: "BPE",
    dropout: null,
    unk_token: null,
    continuing_subword_prefix: null,
    end_of_word_suffix: null,
    fuse_unk: false,
    byte_fallback: false,
    ignore_merges: false,
    vocab: Object.fromEntries(ids),
    merges,
  },
});

/** @param {Run} run @param {string} id @param {number} vocabulary */
function config(run, id, vocabulary) {
  const { task, limits, network, settings } = run;
  const { mechanism, order, embedding, width, attention } = network.shape;
  const tensors = tensorsOf({ ...network.shape, vocabulary });
  return {
    format: "heed.checkpoint/1",
    version: 1,
    id,
    name: `${task.title}, grown in the page`,
    task: "grown",
    source: { code: "und", name: "text" },
    target: { code: "und", name: "text" },
    granularity: "characters",
    limits: { characters: ROOM * limits[0], tokens: ROOM * limits[0] + 1, steps: limits[1] + 1 },
    examples: run.examples,
    learned_from: settings.examples ? `${settings.examples} examples` : "examples made at random",
    parameters: tensors.reduce((total, tensor) => total + sizeOf(tensor), 0),
    network: {
      family: "recurrent",
      vocabulary,
      mechanism,
      order,
      embedding,
      encoder_width: width / 2,
      decoder_width: width,
      attention_width: attention,
    },
    quality: { exact_match: shareOf(run.shares()) },
  };
}

/** @param {Run} run @param {Pieces} pieces */
function safetensors({ network, vocabulary }, pieces) {
  const places = [PAD, START, END, ...pieces.places];
  /** @type {Record<string, {dtype: string, shape: number[], data_offsets: number[]}>} */
  const header = {};
  /** @type {Uint16Array[]} */
  const parts = [];
  let at = 0;
  for (const tensor of tensorsOf(network.shape)) {
    const { name, columns } = tensor;
    let values = network.weight(name);
    let rows = tensor.rows;
    if (OF_TOKENS.includes(name)) {
      const own = columns || 1;
      rows = pieces.size;
      const spread = new Float32Array(rows * own).fill(columns ? 0 : NEVER);
      for (let token = 0; token < vocabulary.used; token++)
        spread.set(values.subarray(token * own, (token + 1) * own), places[token] * own);
      values = spread;
    }
    parts.push(Uint16Array.from(values, half));
    header[name] = {
      dtype: "F16",
      shape: columns ? [rows, columns] : [rows],
      data_offsets: [at, (at += values.length * 2)],
    };
  }
  const text = JSON.stringify(header);
  const head = encoder.encode(text.padEnd(Math.ceil(text.length / 8) * 8));
  return joined([
    Uint8Array.from([...word(head.length, 4), 0, 0, 0, 0]),
    head,
    ...parts.map(({ buffer }) => new Uint8Array(buffer)),
  ]);
}

const bits = new DataView(new ArrayBuffer(4));

/** A number as a 16-bit float, rounded to the nearest. @param {number} value */
export function half(value) {
  bits.setFloat32(0, Math.min(Math.max(value, -65504), 65504));
  const whole = bits.getUint32(0);
  const sign = (whole >>> 16) & 0x8000;
  const size = Math.abs(bits.getFloat32(0));
  // Below the smallest normal number, the steps are all alike.
  if (size < 2 ** -14) return sign | Math.round(size * 2 ** 24);
  const rest = (whole & 0x7fffffff) - ((127 - 15) << 23);
  return sign | ((rest + 0xfff + ((rest >>> 13) & 1)) >>> 13);
}

/** @param {Run} run @param {string} id */
function card({ task, network, settings, updates }, id) {
  const { mechanism, order, width } = network.shape;
  const examples = settings.examples || "new";
  return `# ${id}

${task.title}: ${task.says}. Grown in a browser on the page \`/learn/grow\`.

## Recipe
${updates} updates of ${settings.rows} ${examples} examples with Adam, ${settings.rate}, clipped at 1; seed ${settings.seed}. Bidirectional GRU of 2 × ${width / 2}, GRU decoder of ${width}, attention: ${mechanism}, order: ${order}; tokens are characters.
`;
}
