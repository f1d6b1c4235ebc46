/** The step, number by number: state, scores, softmax, weighted sum, new state, next word. */

/** @import {Scene, Vector} from "../types" */
/** @import {Chain, PartName} from "../chain.js" */

import { chainOf, formula, sparkPath } from "../chain.js";
import { noSteps } from "../sentences.js";
import { heading, signed } from "../text.js";
import { joining, told } from "../told.js";
import { Bars } from "./bars.js";
import { box, element, place, say, svg } from "./dom.js";
import { Strip } from "./strip.js";
import { Tooltip } from "./tooltip.js";

export class ChainView {
  #box = box("chain");
  /** @type {Scene | null} */
  #scene = null;
  /** @type {{score: HTMLElement, shifted: HTMLElement, exponential: HTMLElement, weight: HTMLElement, meter: HTMLElement, faded: SVGElement | null}[]} */
  #keys = [];
  #parts = new Map(/** @type {[PartName, {section: HTMLElement, formula: HTMLElement, body: HTMLElement}][]} */ ([]));
  /** What stays from step to step and only shows other numbers. @type {Map<string, Strip>} */
  #strips = new Map();
  #bars = new Bars();
  #joined = element("p", { class: "note" });
  /** @type {HTMLTableElement | null} */
  #table = null;
  #tooltip = new Tooltip();
  /** The symbol of a formula that is pointed at. @type {Element | null} */
  #pointed = null;

  constructor() {
    const at = (/** @type {Event} */ { target }) => (target instanceof Element ? target.closest(".symbol") : null);
    for (const name of ["pointerover", "focusin"]) this.#box.addEventListener(name, (event) => this.#point(at(event)));
    for (const name of ["pointerleave", "focusout"]) this.#box.addEventListener(name, () => this.#point(null));
  }

  /** @param {Element | null} symbol */
  #point(symbol) {
    this.#pointed = symbol;
    this.#explain();
  }

  /** Says what the symbol pointed at stands for in this step. */
  #explain() {
    const meaning = this.#pointed?.querySelector(".meaning")?.textContent?.slice(2);
    if (this.#pointed?.isConnected && meaning) this.#tooltip.explain(meaning, this.#pointed.getBoundingClientRect());
    else this.#tooltip.hide();
  }

  /** @param {Scene} scene */
  draw(scene) {
    this.#scene = scene.parts > 1 ? scene : null;
    if (!this.#scene) {
      return this.#box.replaceChildren(element("p", { class: "note" }, noSteps(scene)));
    }
    const chain = chainOf(scene, scene.row);
    const { parts } = chain;
    this.#parts.clear();
    this.#strips.clear();
    for (const [index, name] of parts.entries()) {
      const { title: over, says } = told(name, chain);
      const symbols = element("p", { class: "formula" });
      const body = element("div", { class: "part-body" });
      const title = element("h3", {}, element("span", { class: "ordinal", "aria-hidden": "true" }, String(index + 1)), over);
      const section = element("section", { class: "part", "data-name": name }, title, symbols, says && element("p", { class: "note" }, says), body);
      this.#parts.set(name, { section, formula: symbols, body });
    }
    this.#table = null;
    if (this.#parts.has("scores")) this.#lay(chain);
    // What leads to the scores on one side, what follows from them on the other.
    const half = parts.includes("scores") ? parts.indexOf("scores") + 1 : parts.length;
    const sections = [...this.#parts.values()].map(({ section }) => section);
    const sides = [sections.slice(0, half), sections.slice(half)].filter((side) => side.length);
    this.#box.replaceChildren(...sides.map((side) => element("div", { class: "side" }, ...side)));
  }

  /** The table that scores, weights and sum have in common: a line for every token read. @param {Chain} chain */
  #lay({ parts, keys, head, summed }) {
    const own = head?.telling === "told";
    // What is compared with the query, and what is summed: projected by each head, or the memory for both.
    const compared = keys.map(({ key, memory }) => (own ? key : memory));
    const added = keys.map(({ value, memory }) => (own ? value : summed ? memory : null));
    const [most, highest] = [tallest(compared), tallest(added)];
    const lines = keys.map(({ item }, index) => {
      const [one, other] = [compared[index], added[index]];
      const { text, quiet } = heading(item);
      const [score, shifted, exponential, weight] = Array.from({ length: 4 }, () => element("span", { class: "number" }));
      const meter = element("span", { class: "bar", "aria-hidden": "true" });
      const faded = other && spark(other, highest);
      const row = element(
        "tr",
        {},
        element("th", { scope: "row", "data-quiet": quiet }, element("span", { dir: "auto" }, text)),
        element("td", { class: "of-memory" }, one && spark(one, most)),
        element("td", { class: "of-scores" }, score),
        element("td", { class: "of-weights wide" }, shifted),
        element("td", { class: "of-weights wide" }, exponential),
        element("td", { class: "of-weights" }, meter, weight),
        own && element("td", { class: "of-context wide" }, other && spark(other, highest)),
        element("td", { class: "of-context" }, faded),
      );
      return { row, cells: { score, shifted, exponential, weight, meter, faded: faded?.querySelector("g") ?? null } };
    });
    this.#keys = lines.map(({ cells }) => cells);
    /** @type {[string, string, string][]} */
    const titles = [
      ["", "", "token read"],
      own ? ["of-memory", "k", "what the head compares of it"] : ["of-memory", compared.some(Boolean) ? "h" : "", "what was kept of it"],
      ["of-scores", "e", "score"],
      ["of-weights wide", "e − max", "score less the largest"],
      ["of-weights wide", "exp", "its exponential"],
      ["of-weights", "α", "weight"],
      ...(own ? [/** @type {[string, string, string]} */ (["of-context wide", "v", "what the head sums of it"])] : []),
      ["of-context", own ? "α·v" : summed ? "α·h" : "", "faded to its weight"],
    ];
    const names = titles.map(([name, symbol, title]) => element(symbol || name ? "th" : "td", { scope: symbol || name ? "col" : null, class: name, title }, symbol));
    this.#table = element("table", { class: "figures keys", "data-summed": String(own || summed), "data-own": own, "data-first": parts[0] }, element("thead", {}, element("tr", {}, ...names)), element("tbody", {}, ...lines.map(({ row }) => row)));
    this.#parts.get("scores")?.body.append(element("div", { class: "keys-box", tabindex: 0, role: "region", "aria-label": "Scores and weights of every token read" }, this.#table));
  }

  /** @param {number} row @param {number} part the last one that is shown */
  at(row, part) {
    const scene = this.#scene;
    if (!scene) return;
    const chain = chainOf(scene, row);
    const names = chain.parts;
    for (const [index, name] of names.entries()) {
      const { section, formula: line } = /** @type {{section: HTMLElement, formula: HTMLElement}} */ (this.#parts.get(name));
      section.toggleAttribute("data-later", index > part);
      section.toggleAttribute("data-now", index === part && part < names.length - 1);
      const pieces = formula(name, chain, scene.model);
      if (!line.childNodes.length) {
        const nodes = pieces.map((piece) => (typeof piece === "string" ? piece : element("span", { class: "symbol", tabindex: 0 }, piece.symbol, element("span", { class: "visually-hidden meaning" }))));
        line.append(...nodes);
      }
      // Only what the symbols stand for changes; one that has the keyboard's focus keeps it.
      const meanings = pieces.flatMap((piece) => (typeof piece === "string" ? [] : piece.meaning));
      for (const [index, meaning] of line.querySelectorAll(".meaning").entries()) say(/** @type {HTMLElement} */ (meaning), `: ${meanings[index]} `);
    }
    this.#explain();
    if (this.#table) this.#table.dataset.until = names[Math.min(part, names.length - 1)];
    this.#fill(chain);
  }

  /** @param {Chain} chain */
  #fill(chain) {
    const show = (/** @type {number | null} */ value, /** @type {number} */ digits) => (value === null ? "–" : signed(value, digits));
    chain.keys.forEach((key, index) => {
      const cells = this.#keys[index];
      if (!cells) return;
      say(cells.score, show(key.score, 2));
      say(cells.shifted, show(key.shifted, 2));
      say(cells.exponential, show(key.exponential, 3));
      say(cells.weight, key.weight.toFixed(3));
      cells.meter.style.setProperty("--share", key.weight.toFixed(4));
      cells.faded?.setAttribute("transform", `translate(0 1) scale(1 ${Math.max(key.weight, 0.001).toFixed(4)})`);
    });
    const put = (/** @type {PartName} */ name, /** @type {(Node | null)[]} */ ...nodes) => {
      const body = this.#parts.get(name)?.body;
      if (body) place(body, nodes.filter((node) => node !== null));
    };
    const vector = (/** @type {string} */ name, /** @type {string} */ meaning, /** @type {Vector | null} */ value) => value && this.#strip(name, meaning).show(value);
    put("fixed", vector("c", "the same at every step", chain.context));
    const { head, layered } = chain;
    const asks = head && vector("q", `what head ${head.head} of layer ${head.layer} asks with`, head.query);
    put("ask", layered ? null : vector("query", "what asks", chain.query), asks);
    const seen = head && vector(`head ${head.head}`, "what it saw", head.sum);
    if (head) say(this.#joined, joining(head));
    const context = vector("c", head ? `what all heads of layer ${head.layer} saw` : "what was seen", chain.context);
    put("context", seen, head && this.#joined, !head || head.last ? context : null);
    const from = chain.before && vector("before", "the state it came from", chain.before);
    put("state", vector("s", "the state now", chain.state), from, this.#parts.has("ask") ? null : asks);
    put("word", this.#bars.show(chain.alternatives, chain.written));
  }

  /** @param {string} name @param {string} meaning */
  #strip(name, meaning) {
    const known = this.#strips.get(name + meaning) ?? new Strip(name, meaning);
    this.#strips.set(name + meaning, known);
    return known;
  }
}

/** The largest of all numbers drawn. @param {(Vector | null)[]} vectors */
const tallest = (vectors) => Math.max(1e-9, ...vectors.flatMap((vector) => vector?.picture.map(Math.abs) ?? []));

/** A vector in the space of a word: up for positive, down for negative. @param {Vector} vector @param {number} most */
function spark({ picture }, most) {
  const group = svg("g", { transform: "translate(0 1)" });
  group.append(svg("path", { d: sparkPath(picture, most) }));
  const drawing = svg("svg", { viewBox: `0 0 ${picture.length} 2`, class: "spark", preserveAspectRatio: "none", "aria-hidden": "true" });
  drawing.append(svg("path", { d: `M0 1H${picture.length}`, class: "axis", "vector-effect": "non-scaling-stroke" }), group);
  return drawing;
}
