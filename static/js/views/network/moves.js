/** The motion of a part in the picture of a network: scores land, vectors run along their arrows, words are fed back. */

/** @import {Look} from "../../draw/marks.js" */
/** @import {Move} from "../../draw/motion.js" */
/** @import {Network} from "./model.js" */

import { svg } from "../../draw/dom.js";
import { APPEARS, inTurn } from "../../draw/motion.js";
import { elements } from "../../draw/page.js";
import { largest, means, vector } from "./marks.js";

/** The strongest keys, whose vectors run along their arrows, and the least weight of one. */
const RUNNERS = 8;
const LEAST = 0.02;
/** The size of a vector that runs, and its numbers. */
const RUNNER = { width: 16, height: 32, numbers: 8 };
/** Points of a way. */
const POINTS = 8;

/** @type {Keyframe[]} */
const FALLS = [{ offset: 0, opacity: 0, transform: "scaleY(0)" }];

/** The marks that are made for a motion, over those of the picture. */
export class Moves {
  #layer = svg("g", { class: "runners", "aria-hidden": "true" });
  #picture;

  /** @param {SVGElement} picture */
  constructor(picture) {
    this.#picture = picture;
    picture.append(this.#layer);
  }

  clear() {
    this.#layer.replaceChildren();
  }

  /** @param {string} part @param {Network} network @param {Look} look @returns {Move[]} */
  of(part, network, look) {
    this.clear();
    const all = (/** @type {string} */ selector) => this.#picture.querySelectorAll(selector);
    const named = (/** @type {string[]} */ ...names) =>
      all(names.map((name) => `[data-part="${name}"]`).join());
    const { step } = network;
    switch (part) {
      case "query":
        return inTurn(named("query"), APPEARS, { takes: 1 });
      case "scores":
        return [
          ...inTurn(all("[data-score]"), APPEARS, { takes: 0.2 }),
          ...inTurn(named("cells"), APPEARS, { takes: 1 }),
        ];
      case "weights":
        return [
          ...inTurn(all('[data-part="softmax"] > text'), APPEARS, { to: 0.6 }),
          ...inTurn(all('[data-part^="weight:"]'), FALLS, { from: 0.3, to: 0.9 }),
          ...inTurn(all("path[data-head]"), APPEARS, { from: 0.8 }),
        ];
      case "context":
        return [
          ...this.#vectors(network, look),
          ...inTurn(named("context", "gate"), APPEARS, { from: 0.6 }),
        ];
      case "state":
        return [
          ...this.#along(`feedback:${step - 1}`, `output:${step - 1}`),
          ...inTurn(named(`state:${step + 1}`), APPEARS, { from: 0.4 }),
        ];
      case "word":
        return [
          ...inTurn(named("readout"), APPEARS),
          ...inTurn(named(`output:${step}`), APPEARS, { from: 0.5 }),
        ];
      default:
        return [];
    }
  }

  /** The vectors of the strongest keys, scaled by their weights. @param {Network} network @param {Look} look @returns {Move[]} */
  #vectors({ keys, memory, attended }, look) {
    const strongest = keys
      .map(({ weight }, index) => ({ weight, index }))
      .filter(({ weight }) => weight >= LEAST)
      .sort((a, b) => b.weight - a.weight)
      .slice(0, RUNNERS);
    const { width, height, numbers } = RUNNER;
    return strongest.flatMap(({ weight, index }, place) => {
      const way = this.#wayOf(`weight:${index}`);
      if (!way) return [];
      const summary = attended === "cross" ? memory[index]?.summary : null;
      const values = summary ? means(summary, numbers) : null;
      const at = { x: 0, y: -height / 2, width, height };
      const marks = vector(values, at, largest([values]), look, { stroke: look.accent });
      const from = 0.05 * place;
      return this.#run(elements(marks), way, from, 0.6 + from, Math.max(weight, 0.2));
    });
  }

  /** A copy of a part runs along the line of another. @param {string} line @param {string} part @returns {Move[]} */
  #along(line, part) {
    const way = this.#wayOf(line);
    const text = this.#picture.querySelector(`[data-part="${part}"] text`);
    if (!way || !text) return [];
    const copy = svg("text", { "text-anchor": "middle", "font-size": 13, fill: "var(--accent)" });
    copy.textContent = text.textContent;
    return this.#run([copy], way, 0, 0.6, 1);
  }

  /** The line of a part. @param {string} part */
  #wayOf(part) {
    const path = this.#picture.querySelector(
      `[data-part="${part}"] path[fill="none"]:not([data-target])`,
    );
    return path instanceof SVGPathElement && path.getTotalLength() ? path : null;
  }

  /** @param {SVGElement[]} nodes around the origin @param {SVGPathElement} way @param {number} from @param {number} to @param {number} scale at its end @returns {Move[]} */
  #run(nodes, way, from, to, scale) {
    const runner = svg("g", { opacity: 0 }, nodes);
    this.#layer.append(runner);
    const length = way.getTotalLength();
    const frames = Array.from({ length: POINTS }, (_, index) => {
      const share = index / (POINTS - 1);
      const { x, y } = way.getPointAtLength(length * share);
      const size = 1 + (scale - 1) * Math.min(1, share * 2);
      const ends = index === 0 || index === POINTS - 1;
      return {
        transform: `translate(${x}px, ${y}px) scaleX(${size})`,
        opacity: ends ? 0 : 1,
      };
    });
    return [{ node: runner, frames, from, to }];
  }
}
