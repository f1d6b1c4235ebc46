/** Text of tokens for display: visible spaces and controls, grey marks, offsets in code points. */

/** @import {AxisName, Item, Model, Word} from "./types" */

const MARKS = new Map([
  ["</s>", "⟨end⟩"],
  ["<s>", "⟨start⟩"],
]);
/** The empty sentence before a story. */
const NO_SENTENCE = "<no sentence>";
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
const LETTER = /\p{L}/u;
const LONE_MARK = /^\p{M}/u;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const JOINERS = new Set(["\u200c", "\u200d"]);

/**
 * The characters from `start` to `end`, counted as the trace counts them: in code points.
 * @param {string} text @param {number} start @param {number} [end]
 */
export function slice(text, start, end) {
  return Array.from(text).slice(start, end).join("");
}

/**
 * Reading direction, from the first letter that has one.
 * @param {string} text @returns {"ltr" | "rtl"}
 */
export function direction(text) {
  for (const character of text) {
    if (RIGHT_TO_LEFT.test(character)) return "rtl";
    if (LETTER.test(character)) return "ltr";
  }
  return "ltr";
}

/**
 * The language of the text of an axis, as a `lang` attribute has it; empty for a notation such as ISO 8601.
 * @param {Pick<Model, "source" | "target">} model @param {AxisName} axis
 */
export function languageOf({ source, target }, axis) {
  const { code } = axis === "source" ? source : target;
  return /^[a-z]{2}$/.test(code) ? code : "";
}

/**
 * The text with a sign for each invisible character. Spaces between words are kept.
 * @param {string} text
 */
export function visible(text) {
  return text.replace(UNSEEN, (character) => {
    const code = /** @type {number} */ (character.codePointAt(0));
    if (character === "\n") return "↵";
    if (character === "\t") return "⇥";
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    if (JOINERS.has(character) && text.length > 1) return character;
    return "▯";
  });
}

/**
 * The text of a heading: the token's text, or a grey sign if that is invisible.
 * @param {Word} item @returns {{text: string, quiet: "mark" | "blank" | null}}
 */
export function heading(item) {
  if (item.special)
    return { text: MARKS.get(item.text) ?? item.text.replace(/[<>]/g, ""), quiet: "mark" };
  if (/^\p{Zs}*$/u.test(item.text)) return { text: "␣", quiet: "blank" };
  const text = visible(item.text.trim() || item.text);
  if (LONE_MARK.test(text)) return { text: `◌${text}`, quiet: null };
  return { text, quiet: /^[↵⇥▯␀-␟]+$/u.test(text) ? "blank" : null };
}

/**
 * The name of a token in a sentence.
 * @param {Word & Pick<Item, "sound">} item
 */
export function named(item) {
  if (item.sound) return `the sound at ${item.text}`;
  if (item.text === NO_SENTENCE) return "no sentence";
  if (item.special)
    return `the ${item.text === "</s>" ? "end" : item.text === "<s>" ? "start" : heading(item).text} token`;
  if (heading(item).text === "␣") return "a space";
  const text = visible(item.text.trim() || item.text);
  // Isolated, because a right-to-left word would reorder the brackets and numbers after it.
  return RIGHT_TO_LEFT.test(text) ? `“\u2068${text}\u2069”` : `“${text}”`;
}

/** @param {number} value a probability */
export function percent(value) {
  if (value < 0.001) return "< 0.1\u00a0%";
  return `${(value * 100).toFixed(value >= 0.9995 ? 0 : 1)}\u00a0%`;
}

/** @param {number} value with a minus sign, but not before zero @param {number} digits */
export function signed(value, digits) {
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/** @param {number} value a weight α, shown to two digits */
export function weight(value) {
  return value > 0 && value < 0.005 ? "< 0.01" : value.toFixed(2);
}

/** A number as a subscript. @param {number} value */
export const below = (value) =>
  String(value).replace(/\d/g, (digit) => "₀₁₂₃₄₅₆₇₈₉".charAt(Number(digit)));
