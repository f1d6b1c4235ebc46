/** A string cut at its tokens, so that each segment can be coloured or pressed. */

/** @import {Item} from "./types" */

import { heading, visible } from "./text.js";

/**
 * A segment of the string. `items` are its rows or columns: none between tokens, several if tokens
 * share a character (its bytes).
 * @typedef {{text: string, items: number[], special: boolean}} Segment
 */

/** The CSS class of a segment: a special token, a token, or ignored text. @param {Segment} segment */
export function kindOf({ text, items, special }) {
  if (special) return "mark";
  return items.length || !text.trim() ? "piece" : "passed";
}

/** The text of a segment on the page. @param {Segment} segment */
export function shown(segment) {
  return segment.special ? heading({ ...segment, start: 0, end: 0 }).text : visible(segment.text);
}

/**
 * Every character of `text` once and in order, then the special tokens, which have no text.
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
      else cut.at(-1)?.items.push(index);
      return;
    }
    if (item.end <= at) {
      cut.at(-1)?.items.push(index);
      return;
    }
    cut.push({ text: characters.slice(at, item.end).join(""), items: [index], special: false });
    at = item.end;
  });
  if (at < characters.length)
    cut.push({ text: characters.slice(at).join(""), items: [], special: false });
  return cut;
}
