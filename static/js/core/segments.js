/** A string cut where its tokens lie, so that each piece can be tinted or pressed. */

/** @import {Item} from "./types" */

import { heading, visible } from "./text.js";

/**
 * A stretch of the string. `items` are the rows or columns drawn on it: none for what lies
 * between tokens, several where tokens share characters (pieces of one character's bytes).
 * @typedef {{text: string, items: number[], special: boolean}} Segment
 */

/** A mark that stands in no string, a piece of it, or what was passed over. @param {Segment} segment */
export function kindOf({ text, items, special }) {
  if (special) return "mark";
  return items.length || !text.trim() ? "piece" : "passed";
}

/** What a page says for it. @param {Segment} segment */
export function shown(segment) {
  return segment.special ? heading({ ...segment, start: 0, end: 0 }).text : visible(segment.text);
}

/**
 * Every character of `text` once and in order, then the marks that stand in no string.
 * @param {string} text @param {Item[]} items @returns {Segment[]}
 */
export function segments(text, items) {
  const characters = Array.from(text);
  /** @type {Segment[]} */
  const cut = [];
  let at = 0;
  items.forEach((item, index) => {
    if (item.start > at && (item.special || item.end > item.start)) {
      cut.push({ text: characters.slice(at, item.start).join(""), items: [], special: false });
      at = item.start;
    }
    if (item.end <= item.start) {
      if (item.special || cut.length === 0)
        cut.push({ text: item.text, items: [index], special: item.special });
      else cut[cut.length - 1].items.push(index);
      return;
    }
    if (item.end <= at) {
      cut[cut.length - 1].items.push(index);
      return;
    }
    cut.push({ text: characters.slice(at, item.end).join(""), items: [index], special: false });
    at = item.end;
  });
  if (at < characters.length)
    cut.push({ text: characters.slice(at).join(""), items: [], special: false });
  return cut;
}
