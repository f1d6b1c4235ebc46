/** A compact summary of a vector. */

/** @import {Vector} from "../core/types" */

import { vectorNote } from "../core/sentences.js";
import { signed } from "../core/text.js";
import { html, say, svg } from "./dom.js";
import { barPaths } from "./vector.js";

/** A vector as a row of bars, with its name and its size. */
export class Strip {
  #up = svg("path", { class: "up" });
  #down = svg("path", { class: "down" });
  #name = html.b();
  #meaning = html.span();
  #note = html.span({ class: "note" });
  #box = html.div({ class: "strip", role: "img" });
  #says = "";
  /** @type {number[]} */
  #summary = [];

  node = html.figure(
    { class: "vector" },
    html.figcaption(this.#name, " ", this.#meaning, " ", this.#note),
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
    const { up, down } = barPaths(summary);
    this.#up.setAttribute("d", up);
    this.#down.setAttribute("d", down);
    const size = vectorNote(vector);
    say(this.#note, size);
    this.#box.setAttribute("aria-label", `${this.#says}: ${size}`);
    return this.node;
  }
}

/** A strip of a fixed vector. @param {string} name @param {string} meaning @param {Vector} vector */
export const strip = (name, meaning, vector) => new Strip().call(name, meaning).show(vector);
