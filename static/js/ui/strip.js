/** A compact picture of a vector. */

/** @import {Vector} from "../types" */

import { signed } from "../text.js";
import { element } from "./dom.js";

/**
 * A vector as a row of bars, up for positive and down for negative: no colour scale to learn.
 * @param {string} name @param {string} meaning @param {Vector} vector
 */
export function strip(name, meaning, vector) {
  const most = Math.max(...vector.picture.map(Math.abs)) || 1;
  const bars = vector.picture.map((value) => {
    const bar = element("i", { title: signed(value, 3), "data-negative": value < 0 });
    bar.style.setProperty("--size", String(Math.abs(value) / most));
    return bar;
  });
  const drawn = vector.picture.length < vector.size ? `, drawn as ${vector.picture.length} means` : "";
  const length = vector.norm === null ? "" : `, length ${vector.norm.toFixed(2)}`;
  const size = `${vector.size} numbers${drawn}${length}`;
  return element(
    "figure",
    { class: "vector" },
    element("figcaption", {}, element("b", {}, name), ` ${meaning} `, element("span", { class: "note" }, size)),
    element("div", { class: "strip", role: "img", "aria-label": `${name}, ${meaning}: ${size}` }, ...bars),
  );
}
