/** Checks of the parts of a trace. A failed check throws an `ImportError` that names the place. Pure. */

/** @import {TokenAxis, Trace} from "../core/types" */

import { ImportError } from "../core/errors.js";

export const KINDS = ["cross", "encoder-self", "decoder-self"];
export const MOST_TOKENS = 512;
const TOLERANCE = 0.01;

/** The text and the model of a saved trace. @param {Pick<Partial<Trace>, "text" | "model">} trace */
export function checkOutput({ text, model }) {
  const known =
    typeof text === "string" &&
    typeof model?.mechanism === "string" &&
    ["before", "after", "fixed"].includes(model.order);
  if (!known)
    throw new ImportError("The trace does not name its output text or its kind of model.");
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
