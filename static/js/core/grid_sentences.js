/** What the page of pictures says in words. Pure. */

/** @import {PictureScene} from "./types" */

import { entropy } from "./row_metrics.js";
import { named, percent, signed, weight } from "./text.js";
import { massByPlace, placeOf, rowAndColumn, strongestCell } from "./grid.js";
import { drawnAt, gateOf, lookedAt, probabilityOf } from "./grid_scene.js";

const MOST_NAMED = 2;
const WORTH_NAMING = 0.15;
/** Where no part of nine holds more, or the row is nearly as spread out as can be, it looks all over. */
const ALL_OVER = { part: 0.25, spread: 0.95 };

/**
 * The sentence of a row: what was written, how surely, where it looked meanwhile, and how much of
 * that it used.
 * @param {PictureScene} scene @param {number} row
 */
export function sentence(scene, row) {
  const item = scene.rows[row];
  if (!item) return "";
  const chance = probabilityOf(scene, row);
  const sure = chance === null ? "" : ` (${percent(chance)})`;
  const did = scene.output.finish === "forced" ? `given ${named(item)}${chance === null ? "" : `, which it held ${percent(chance)} likely`}` : item.special ? `ended the text${sure}` : `wrote ${named(item)}${sure}`;
  return `Step ${row + 1} of ${scene.rows.length}: ${did}, ${looking(scene, row)}.${extras(scene, row)}`;
}

/** @param {PictureScene} scene @param {number} row */
function looking({ trace, weights }, row) {
  const mass = massByPlace(trace.source, weights[row]);
  const spread = entropy(weights[row]) / Math.log2(weights[row].length);
  if (mass[0].weight < ALL_OVER.part || spread > ALL_OVER.spread) return "looking all over";
  const chosen = mass.slice(0, MOST_NAMED).filter((each, index) => index === 0 || each.weight >= WORTH_NAMING);
  return `looking mostly at the ${chosen.map((each) => `${each.place} (${weight(each.weight)})`).join(" and the ")}`;
}

/** @param {PictureScene} scene @param {number} row */
function extras(scene, row) {
  const [drawn, more] = drawnAt(scene, row);
  const cell = drawn && !more ? ` Drawn: ${rowAndColumn(scene.trace.source, drawn.cell)}, at the ${placeOf(scene.trace.source, drawn.cell)} (chance ${percent(Math.exp(drawn.log_probability))}).` : "";
  const gate = gateOf(scene, row);
  return `${cell}${gate === null ? "" : ` It used ${percent(gate)} of what it saw.`}`;
}

/**
 * What the places held say: which words looked there most.
 * @param {PictureScene} scene
 */
export function heldNote(scene) {
  const { cells, rows, weights, trace } = scene;
  if (!cells.length) return "Press a place of the photo, or draw over several, to see which words looked there.";
  const where = cells.length > 1 ? `${cells.length} places` : `${rowAndColumn(trace.source, cells[0])}, at the ${placeOf(trace.source, cells[0])}`;
  const given = lookedAt(weights, cells);
  const order = given.map((_, row) => row).sort((a, b) => given[b] - given[a]).slice(0, MOST_NAMED);
  return `Held: ${where}. Most looked at for ${order.map((row) => `${named(rows[row])} (${weight(given[row])})`).join(" and ")}. Escape lets go.`;
}

/** A cell under the pointer. @param {PictureScene} scene @param {number} row @param {number} cell */
export function cellNote(scene, row, cell) {
  const value = scene.weights[row]?.[cell] ?? 0;
  const score = scene.scores?.[row]?.[cell];
  const given = lookedAt(scene.weights, [cell]);
  const most = strongestCell(given);
  const numbers = [`α ${value.toFixed(4)}`, typeof score === "number" && scene.picked?.kind !== "drawn" ? `e ${signed(score, 2)}` : ""];
  return `${rowAndColumn(scene.trace.source, cell)}: ${numbers.filter(Boolean).join(", ")} for ${named(scene.rows[row])}\nmost for ${named(scene.rows[most])}, ${given[most].toFixed(4)}`;
}

/** How to read the picture, in one line. @param {PictureScene} scene */
export function viewNote({ view, style, picked, heads, pool, rows }) {
  const count = rows.filter(({ special }) => !special).length;
  switch (view) {
    case "sheet":
      return "Every word with its map. Press one to look at it alone.";
    case "step":
      return "One piece of the caption, number by number. Back and forth go from part to part.";
    case "compare":
      return "The same photo, captioned by each. Pointing at a place tells what each gave to it.";
    default: {
      const what = picked?.kind === "drawn" ? "how often it was drawn" : heads.length > 1 && pool ? `the ${pool === "mean" ? "mean" : "largest"} of ${heads.length} heads` : "where it looked";
      const how = { heat: "The brighter, the more", outline: "Lines surround half and four fifths of it", spotlight: "What is left in the light was looked at" }[style];
      return count ? `${how}: ${what} while it wrote the word.` : "";
    }
  }
}

