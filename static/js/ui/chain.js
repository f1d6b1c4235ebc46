/** The step, number by number: state, scores, softmax, weighted sum, new state, next word. */

/** @import {Scene, Vector} from "../types" */
/** @import {Chain, PartName} from "../chain.js" */

import { chainOf, formula, sparkPath } from "../chain.js";
import { noSteps } from "../sentences.js";
import { heading, signed } from "../text.js";
import { joining, outcome, told } from "../told.js";
import { Bars } from "./bars.js";
import { box, element, place, say, svg } from "./dom.js";
import { Strip } from "./strip.js";
import { Tooltip } from "./tooltip.js";

/** @typedef {ReturnType<typeof spark>} Spark */
/** @typedef {{section: HTMLElement, title: HTMLElement, formula: HTMLElement, note: HTMLElement, body: HTMLElement, symbols: string}} Part `symbols` are those of the formula as it stands */

export class ChainView {
  #box = box("chain");
  /** @type {Scene | null} */
  #scene = null;
  /** @type {{row: HTMLElement, score: HTMLElement, shifted: HTMLElement, exponential: HTMLElement, weight: HTMLElement, meter: HTMLElement, compares: Spark, adds: Spark, faded: Spark}[]} */
  #keys = [];
  #parts = new Map(/** @type {[PartName, Part][]} */ ([]));
  /** What stays from step to step, and from head to head, and only shows other numbers. @type {Map<string, Strip>} */
  #strips = new Map();
  #bars = new Bars();
  #joined = element("p", { class: "note" });
  /** @type {HTMLTableElement | null} */
  #table = null;
  /** What the table is made for; of the same shape it stays. */
  #shape = "";
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
      this.#parts.clear();
      return this.#box.replaceChildren(element("p", { class: "note" }, noSteps(scene)));
    }
    const chain = chainOf(scene, scene.row);
    // Another head has the same parts: what is laid out already is laid out only where it changes.
    if (chain.parts.join() !== [...this.#parts.keys()].join()) this.#frame(chain.parts);
    for (const [name, { title, note }] of this.#parts) {
      const { title: over, says } = told(name, chain);
      say(title, over);
      say(note, says);
      note.hidden = !says;
    }
    if (this.#parts.has("scores")) this.#lay(chain);
  }

  /** The parts, still empty. @param {PartName[]} parts */
  #frame(parts) {
    this.#parts.clear();
    this.#strips.clear();
    for (const [index, name] of parts.entries()) {
      const [title, formula, note, body] = [element("span"), element("p", { class: "formula" }), element("p", { class: "note" }), element("div", { class: "part-body" })];
      const over = element("h3", {}, element("span", { class: "ordinal", "aria-hidden": "true" }, String(index + 1)), title);
      const section = element("section", { class: "part", "data-name": name }, over, formula, note, body);
      this.#parts.set(name, { section, title, formula, note, body, symbols: "" });
    }
    // What leads to the scores on one side, what follows from them on the other.
    const half = parts.includes("scores") ? parts.indexOf("scores") + 1 : parts.length;
    const sections = [...this.#parts.values()].map(({ section }) => section);
    const sides = [sections.slice(0, half), sections.slice(half)].filter((side) => side.length);
    this.#box.replaceChildren(...sides.map((side) => element("div", { class: "side" }, ...side)));
  }

  /** The table that scores, weights and sum have in common: a line for every token read. @param {Chain} chain */
  #lay(chain) {
    const { parts, keys, head, summed } = chain;
    const own = head?.telling === "told";
    // What is compared with the query, and what is summed: projected by each head, or the memory for both.
    const compared = keys.map(({ key, memory }) => (own ? key : memory));
    const added = keys.map(({ value, memory }) => (own ? value : summed ? memory : null));
    const sizes = [compared, added].map((vectors) => vectors.map((vector) => vector?.picture.length));
    // Another head has other vectors of the same tokens: then the lines are there already.
    const shape = JSON.stringify([parts[0], own, summed, head?.kind, keys.map(({ item }) => item.text), sizes]);
    if (shape !== this.#shape) this.#build(chain, own, sizes);
    this.#shape = shape;
    const [most, highest] = [tallest(compared), tallest(added)];
    this.#keys.forEach(({ compares, adds, faded }, index) => {
      draw(compares, compared[index], most);
      for (const spark of [adds, faded]) draw(spark, added[index], highest);
    });
    const body = this.#parts.get("scores")?.body;
    if (body && this.#table?.parentElement) place(body, [this.#table.parentElement]);
  }

  /** @param {Chain} chain @param {boolean} own whether the head has keys and values of its own @param {(number | undefined)[][]} sizes of what is compared and what is summed */
  #build({ parts, keys, summed, head }, own, [compared, added]) {
    const lines = keys.map(({ item }, index) => {
      const { text, quiet } = heading(item);
      const [score, shifted, exponential, weight] = Array.from({ length: 4 }, () => element("span", { class: "number" }));
      const meter = element("span", { class: "bar", "aria-hidden": "true" });
      const [compares, adds, faded] = [spark(compared[index]), own ? spark(added[index]) : null, spark(added[index])];
      const row = element(
        "tr",
        {},
        element("th", { scope: "row", "data-quiet": quiet }, element("span", { dir: "auto" }, text)),
        element("td", { class: "of-memory" }, compares?.drawing),
        element("td", { class: "of-scores" }, score),
        element("td", { class: "of-weights wide" }, shifted),
        element("td", { class: "of-weights wide" }, exponential),
        element("td", { class: "of-weights" }, meter, weight),
        own && element("td", { class: "of-context wide" }, adds?.drawing),
        element("td", { class: "of-context" }, faded?.drawing),
      );
      return { row, cells: { row, score, shifted, exponential, weight, meter, compares, adds, faded } };
    });
    this.#keys = lines.map(({ cells }) => cells);
    const token = head?.kind === "decoder-self" ? "token written" : "token read";
    /** @type {[string, string, string][]} */
    const titles = [
      ["", "", token],
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
    element("div", { class: "keys-box", tabindex: 0, role: "region", "aria-label": `Scores and weights of every ${token}` }, this.#table);
  }

  /** @param {number} row @param {number} part the last one that is shown */
  at(row, part) {
    const scene = this.#scene;
    if (!scene) return;
    const chain = chainOf(scene, row);
    const names = chain.parts;
    for (const [index, name] of names.entries()) {
      const known = /** @type {Part} */ (this.#parts.get(name));
      const { section, formula: line } = known;
      section.toggleAttribute("data-later", index > part);
      section.toggleAttribute("data-now", index === part && part < names.length - 1);
      const pieces = formula(name, chain, scene.model);
      const symbols = pieces.map((piece) => (typeof piece === "string" ? piece : piece.symbol)).join("");
      if (known.symbols !== symbols) {
        known.symbols = symbols;
        const nodes = pieces.map((piece) => (typeof piece === "string" ? piece : element("span", { class: "symbol", tabindex: 0 }, piece.symbol, element("span", { class: "visually-hidden meaning" }))));
        line.replaceChildren(...nodes);
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
    const { head, layered } = chain;
    const show = (/** @type {number | null} */ value, /** @type {number} */ digits) => (value === null ? "–" : signed(value, digits));
    chain.keys.forEach((key, index) => {
      const cells = this.#keys[index];
      if (!cells) return;
      cells.row.toggleAttribute("data-later", key.later);
      say(cells.score, show(key.score, 2));
      say(cells.shifted, show(key.shifted, 2));
      say(cells.exponential, show(key.exponential, 3));
      say(cells.weight, key.weight.toFixed(3));
      cells.meter.style.setProperty("--share", key.weight.toFixed(4));
      cells.faded?.group.setAttribute("transform", `translate(0 1) scale(1 ${Math.max(key.weight, 0.001).toFixed(4)})`);
    });
    const put = (/** @type {PartName} */ name, /** @type {(Node | null)[]} */ ...nodes) => {
      const body = this.#parts.get(name)?.body;
      if (body) place(body, nodes.filter((node) => node !== null));
    };
    const vector = (/** @type {string} */ role, /** @type {string} */ name, /** @type {string} */ meaning, /** @type {Vector | null} */ value) => value && this.#strip(role, name, meaning).show(value);
    put("fixed", vector("fixed", "c", "the same at every step", chain.context));
    const asks = head && vector("q", "q", `what head ${head.head} of layer ${head.layer} asks with`, head.query);
    put("ask", layered ? null : vector("query", "query", "what asks", chain.query), asks);
    const seen = head && vector("seen", `head ${head.head}`, "what it saw", head.sum);
    if (head) say(this.#joined, joining(head));
    const context = vector("c", "c", head ? `what all heads of layer ${head.layer} saw` : "what was seen", chain.context);
    put("context", seen, head && this.#joined, !head || head.last ? context : null);
    const from = chain.before && vector("before", "before", "the state it came from", chain.before);
    put("state", vector("state", ...outcome(chain), chain.state), from, this.#parts.has("ask") ? null : asks);
    put("word", this.#bars.show(chain.alternatives, chain.written));
  }

  /** @param {string} role @param {string} name @param {string} meaning */
  #strip(role, name, meaning) {
    const known = this.#strips.get(role) ?? new Strip();
    this.#strips.set(role, known);
    return known.call(name, meaning);
  }
}

/** The largest of all numbers drawn. @param {(Vector | null)[]} vectors */
const tallest = (vectors) => Math.max(1e-9, ...vectors.flatMap((vector) => vector?.picture.map(Math.abs) ?? []));

/** Room for a vector in the space of a word, if there is one. @param {number | undefined} size */
function spark(size) {
  if (!size) return null;
  const path = svg("path", {});
  const group = svg("g", { transform: "translate(0 1)" });
  group.append(path);
  const drawing = svg("svg", { viewBox: `0 0 ${size} 2`, class: "spark", preserveAspectRatio: "none", "aria-hidden": "true" });
  drawing.append(svg("path", { d: `M0 1H${size}`, class: "axis", "vector-effect": "non-scaling-stroke" }), group);
  return { drawing, group, path };
}

/** Up for positive and down for negative. @param {Spark} spark @param {Vector | null} vector @param {number} most */
function draw(spark, vector, most) {
  if (spark && vector) spark.path.setAttribute("d", sparkPath(vector.picture, most));
}
