/** Token pieces of any tokenizer, joined into words and a text. Pure. */

/** @import {TokenAxis} from "../core/types" */

import { ImportError } from "../core/errors.js";
import { MOST_TOKENS } from "./checks.js";

const SPECIAL = /^(<\/?s>|<pad>|<bos>|<eos>|<unk>|\[(CLS|SEP|PAD|UNK|MASK)\]|<\|[^|]+\|>)$/;

/**
 * An axis from a list of pieces. Word boundaries follow the common markers: `▁` or `Ġ` before a
 * piece that begins a word, `##` before one that continues a word, `@@` after one that the next piece
 * continues. Without markers every piece is a word.
 * @param {unknown} pieces @param {string} name @param {"sum" | "mean"} merge @returns {TokenAxis}
 */
export function axisOf(pieces, name, merge) {
  if (typeof pieces === "string") return axisOf(pieces.split(/\s+/).filter(Boolean), name, merge);
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
  let open = false; // true after a piece that ends with `@@`
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
