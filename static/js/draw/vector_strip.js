/** A compact summary of a vector. */

/** @import {Vector} from "../core/types" */

import { vectorNote } from "../core/sentences.js";
import { signed } from "../core/text.js";
import { element, say, svg } from "./dom.js";

/** Share of the height above or below the axis that the longest bar fills. */
const TALLEST = 0.92;
/** Share of its width that a bar fills, and the minimum height at which it is visible. */
const FILLED = 0.88;
const LEAST = 0.03;

/** A vector as a row of bars, up for positive and down for negative: no colour scale to learn. */
export class Strip {
  #up = svg("path", { class: "up" });
  #down = svg("path", { class: "down" });
  #name = element("b");
  #meaning = element("span");
  #note = element("span", { class: "note" });
  #box = element("div", { class: "strip", role: "img" });
  #says = "";
  /** @type {number[]} */
  #summary = [];

  node = element(
    "figure",
    { class: "vector" },
    element("figcaption", {}, this.#name, " ", this.#meaning, " ", this.#note),
    this.#box,
  );

  constructor() {
    this.#box.addEventListener("pointermove", ({ clientX }) => {
      const { left, width } = this.#box.getBoundingClientRect();
      this.#box.title = signed(
        this.#summary[Math.floor(((clientX - left) / width) * this.#summary.length)] ?? 0,
        3,
      );
    });
  }

  /** Sets the name and the meaning. @param {string} name @param {string} meaning */
  call(name, meaning) {
    this.#says = `${name}, ${meaning}`;
    say(this.#name, name);
    say(this.#meaning, meaning);
    return this;
  }

  /** Shows a vector instead of the previous one. @param {Vector} vector */
  show(vector) {
    const { summary } = vector;
    if (summary.length !== this.#summary.length) {
      const frame = {
        viewBox: `0 -1 ${summary.length} 2`,
        preserveAspectRatio: "none",
        "aria-hidden": "true",
      };
      const drawing = svg("svg", frame);
      drawing.append(this.#up, this.#down);
      this.#box.replaceChildren(drawing);
    }
    this.#summary = summary;
    const most = Math.max(...summary.map(Math.abs)) || 1;
    const bar = (/** @type {number} */ value, /** @type {number} */ place) => {
      const height = Math.max((Math.abs(value) / most) * TALLEST, LEAST);
      return `M${place} 0h${FILLED}v${(value < 0 ? height : -height).toFixed(3)}h-${FILLED}z`;
    };
    this.#up.setAttribute(
      "d",
      summary.map((value, place) => (value < 0 ? "" : bar(value, place))).join(""),
    );
    this.#down.setAttribute(
      "d",
      summary.map((value, place) => (value < 0 ? bar(value, place) : "")).join(""),
    );
    const size = vectorNote(vector);
    say(this.#note, size);
    this.#box.setAttribute("aria-label", `${this.#says}: ${size}`);
    return this.node;
  }
}

/** A strip of a fixed vector. @param {string} name @param {string} meaning @param {Vector} vector */
export const strip = (name, meaning, vector) => new Strip().call(name, meaning).show(vector);
