/** Checks of the parts of a trace. A failed check throws an `ImportError` that names the place. Pure. */

/** @import {AnyTrace, GridAxis, PictureSeen, TokenAxis, Trace} from "../core/types" */

import { ImportError } from "../core/errors.js";

export const KINDS = ["cross", "encoder-self", "decoder-self"];
export const MOST_TOKENS = 512;
const TOLERANCE = 0.01;
/** Maximum number of cells over a photo. */
const MOST_CELLS = 4096;

/**
 * A checked trace, with what a file may leave out.
 * @template {AnyTrace} T @param {Partial<T>} trace @returns {T}
 */
export function complete(trace) {
  checkOutput(trace);
  return /** @type {T} */ ({
    ...trace,
    runners_up: [],
    timing: trace.timing ?? { encode_ms: 0, decode_ms: 0 },
  });
}

/** The text and the model of a saved trace. @param {Pick<Partial<Trace>, "text" | "model">} trace */
function checkOutput({ text, model }) {
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
  for (const field of /** @type {const} */ (["rare_words", "unknown_words", "copied_words"])) {
    const places = axis?.[field] ?? [];
    if (!Array.isArray(places) || !places.every((place) => Number.isInteger(place) && words[place]))
      throw new ImportError(`The ${field} of the ${name} are not positions of its words.`);
  }
  const { written, frame_seconds: seconds } = axis ?? {};
  if (written !== undefined && !(Number.isInteger(written) && written >= 0))
    throw new ImportError(`The ${name} does not say where its answer begins.`);
  if (seconds !== undefined && !(Number.isFinite(seconds) && seconds > 0))
    throw new ImportError(`The ${name} does not say how long its frames are.`);
}

/** The only accepted prefix of a preview: a JPEG cannot run scripts. */
const JPEG = "data:image/jpeg;base64,";

/** @param {{preview?: unknown} | null | undefined} picture of a saved trace */
function checkPreview(picture) {
  if (typeof picture?.preview !== "string" || !picture.preview.startsWith(JPEG))
    throw new ImportError("The trace does not contain its photo.");
}

/**
 * @param {Partial<GridAxis> | null | undefined} grid @param {Partial<PictureSeen> | null | undefined} picture
 * @returns {asserts grid is GridAxis}
 */
export function checkGrid(grid, picture) {
  const { rows, columns, left, top, width, height } = grid ?? {};
  const numbers = [left, top, width, height, picture?.width, picture?.height];
  const sizes = [width, height, picture?.width, picture?.height];
  const whole =
    [rows, columns].every((count) => Number.isInteger(count) && Number(count) > 0) &&
    numbers.every(Number.isFinite) &&
    sizes.every((size) => Number(size) > 0);
  if (!whole)
    throw new ImportError("The trace does not say which part of its picture the cells cover.");
  const cells = Number(rows) * Number(columns);
  if (cells > MOST_CELLS)
    throw new ImportError(`The trace has ${cells} cells; at most ${MOST_CELLS} can be drawn.`);
  checkPreview(picture);
}

/**
 * @param {unknown} weights @param {number} rows @param {number} columns @param {string} where
 * @param {unknown} [sinks] of each row, the weight that is on no column
 */
export function checkRows(weights, rows, columns, where, sinks) {
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
    const sum = row.reduce((total, value) => total + value, sinkOf(sinks, i));
    if (!(Math.abs(sum - 1) <= TOLERANCE))
      throw new ImportError(`${where}Row ${i + 1} sums to ${sum.toFixed(3)}, not to 1.`);
  });
}

/** @param {unknown} sinks @param {number} row */
function sinkOf(sinks, row) {
  const sink = Array.isArray(sinks) ? sinks[row] : 0;
  return typeof sink === "number" && sink >= 0 ? sink : NaN;
}
