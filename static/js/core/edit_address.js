/**
 * Edits of attention in the address: `block_wnot set_p0.8_k3_q4_l1_h2`. Edits are apart by spaces; each
 * is an operation and fields of one letter. Places count from 1: one (`q4`), several (`q4-7`), a range
 * (`q4*7`), all (`q*`). Pure, and linear in the length of the text.
 */

/** @import {Edit} from "./types" */

/** @typedef {Exclude<Edit["layers"], undefined>} Places */

const OPERATIONS = [
  ...["block", "only", "scale", "set", "silence"],
  ...["temperature", "uniform", "permute", "row", "gate"],
];
/** The field that an operation needs. @type {Record<string, string>} */
const NEEDS = {
  scale: "factor",
  set: "weight",
  temperature: "temperature",
  row: "weights",
  gate: "value",
};
const MOST = 200;
const MOST_PLACES = 1000;
const LAST = 10_000;

/**
 * The meaning of each letter: the reader of its value, which returns undefined for what it cannot be,
 * and its writer.
 * @type {Record<string, {name: string, read: (raw: string) => unknown, write: (value: any) => string}>}
 */
const FIELDS = {
  m: { name: "kind", read: word, write: String },
  x: { name: "axis", read: word, write: String },
  l: { name: "layers", read: places, write: placed },
  h: { name: "heads", read: places, write: placed },
  q: { name: "queries", read: places, write: placed },
  k: { name: "keys", read: places, write: placed },
  w: { name: "words", read: words, write: spelled },
  r: { name: "box", read: numbers, write: (box) => box.join("*") },
  c: { name: "factor", read: number, write: String },
  p: { name: "weight", read: number, write: String },
  t: { name: "temperature", read: number, write: String },
  s: { name: "seed", read: number, write: String },
  a: { name: "weights", read: numbers, write: (weights) => weights.join("*") },
  b: { name: "value", read: number, write: String },
};
const LETTERS = Object.fromEntries(
  Object.entries(FIELDS).map(([letter, { name }]) => [name, letter]),
);

/** The field of the address. An edit that cannot be read leaves out all of them. */
export const editsField = () => ({
  read: (/** @type {string} */ raw) => {
    const texts = raw.split(" ").filter(Boolean);
    const edits = texts.length > MOST ? [null] : texts.map(editOf);
    return edits.includes(null) ? undefined : /** @type {Edit[]} */ (edits);
  },
  write: (/** @type {readonly Edit[]} */ edits) => edits.map(textOf).join(" ") || null,
});

/** @param {string} text @returns {Edit | null} null if it cannot be read */
function editOf(text) {
  const [op = "", ...fields] = text.split("_");
  if (!OPERATIONS.includes(op)) return null;
  /** @type {Record<string, unknown>} */
  const edit = { op };
  for (const field of fields) {
    const { name, read } = FIELDS[field.slice(0, 1)] ?? {};
    const value = read?.(field.slice(1));
    if (name === undefined || value === undefined || name in edit) return null;
    edit[name] = value;
  }
  const needed = NEEDS[op];
  return needed && !(needed in edit) ? null : /** @type {Edit} */ (/** @type {unknown} */ (edit));
}

/** @param {Edit} edit */
function textOf({ op, ...fields }) {
  const texts = Object.entries(fields)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${LETTERS[name]}${FIELDS[LETTERS[name] ?? ""]?.write(value)}`);
  return [op, ...texts].join("_");
}

/** @param {string} raw */
function word(raw) {
  return /^[a-z-]{1,20}$/.test(raw) ? raw : undefined;
}

/** @param {string} raw */
function number(raw) {
  const value = raw === "" ? NaN : Number(raw);
  return Number.isFinite(value) ? value : undefined;
}

/** @param {string} raw */
function numbers(raw) {
  const values = raw.split("*").map(number);
  return values.includes(undefined) || values.length > MOST_PLACES ? undefined : values;
}

/** @param {string} raw */
function place(raw) {
  const value = number(raw);
  return value !== undefined && Number.isInteger(value) && value >= 1 && value <= LAST + 1
    ? value - 1
    : undefined;
}

/** @param {string} raw @returns {Places | undefined} */
function places(raw) {
  if (raw === "*") return "all";
  const range = raw.includes("*");
  const found = raw.split(range ? "*" : "-").map(place);
  if (found.includes(undefined) || found.length > MOST_PLACES) return undefined;
  const all = /** @type {number[]} */ (found);
  const [first = 0, last = 0] = all;
  if (!range) return all.length === 1 ? first : all;
  return all.length === 2 ? { first, last } : undefined;
}

/** @param {Places} value */
function placed(value) {
  if (value === "all") return "*";
  if (typeof value === "number") return String(value + 1);
  return Array.isArray(value)
    ? value.map((each) => each + 1).join("-")
    : `${value.first + 1}*${value.last + 1}`;
}

/** @param {string} raw */
function words(raw) {
  try {
    const found = raw.split("-").map(decodeURIComponent);
    return found.length === 1 ? found[0] : found;
  } catch {
    return undefined; // a percent sign without its number
  }
}

/** @param {string | string[]} value */
function spelled(value) {
  return [value]
    .flat()
    .map((each) => each.replace(/[\ud800-\udfff]/gu, "\ufffd")) // half a character has no code
    .map((each) => encodeURIComponent(each).replace(/_/g, "%5F").replace(/-/g, "%2D"))
    .join("-");
}
