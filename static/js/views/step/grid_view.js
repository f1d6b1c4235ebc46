/** One token of the caption, number by number: scores, weights, the weighted sum of regions, the word. */

/** @import {PictureScene, PictureSettings, PictureTrace, Vector} from "../../core/types" */
/** @import {RowState, ViewWiring} from "../types" */
/** @import {Cell, PictureChain} from "./grid_model.js" */
/** @import {PartName} from "./parts.js" */

import { colour } from "../../core/colours.js";
import { othersNote } from "../../core/sentences.js";
import { heading, percent, signed } from "../../core/text.js";
import { bars } from "../../shell/bars.js";
import { element, svg } from "../../shell/dom.js";
import { strip } from "../../shell/vector_strip.js";
import { palette } from "../../shell/theme.js";
import { Tooltip } from "../../shell/tooltip.js";
import { cellAt, cellRectangle, placeOf, rowAndColumn } from "../../core/grid.js";
import { shownAspect } from "../photo/model.js";
import { chainOf, scoreFormula } from "./grid_model.js";
import { square } from "../photo/overlay.js";

/** Alternatives that are shown. */
const MOST = 5;
/** Cells in the table of numbers. */
const LISTED = 10;

/** @type {Partial<Record<PartName, (chain: PictureChain, scene: PictureScene) => {title: string, formula: string, says: string}>>} */
const PARTS = {
  ask: (_, { model }) => ({
    title: "The decoder’s state asks (the query)",
    formula: model.order === "before" ? "sₜ₋₁" : "q",
    says: "This vector contains the caption so far; as the query, it decides where to look next.",
  }),
  scores: (_, { model }) => ({
    title: "A score for every cell",
    formula: scoreFormula(model),
    says: "How well does each cell match the query? The stronger the colour, the better.",
  }),
  weights: (_, { picked }) =>
    picked?.kind === "drawn"
      ? {
          title: "How often each cell was drawn",
          formula: "αⱼ = draws of j / all draws",
          says: "Hard attention attends to one cell, drawn at random. Many draws show the distribution.",
        }
      : {
          title: "Softmax turns scores into weights",
          formula: "αⱼ = exp(eⱼ − max e) / Σₖ exp(eₖ − max e)",
          says: "The largest score is subtracted first, so that no exponential overflows; the weights sum to 1.",
        },
  context: ({ drawn, gate }) =>
    drawn
      ? {
          title: "One cell is drawn",
          formula: "j ~ α,  c = aⱼ",
          says: "Nothing is averaged: one cell is drawn with the probability of its weight, and only that one is used.",
        }
      : {
          title: "The weighted sum of the regions",
          formula: gate === null ? "c = Σⱼ αⱼ aⱼ" : "β · c = β Σⱼ αⱼ aⱼ",
          says: "Scale each region by its weight and add them up: the context vector.",
        },
  state: () => ({
    title: "The new state",
    formula: "sₜ",
    says: "Its inputs are the context vector and the last word.",
  }),
  word: () => ({ title: "The next word", formula: "P(word)", says: "The most probable tokens." }),
};

export class View {
  #box;
  #tooltip = new Tooltip();
  /** @type {PictureScene | null} */
  #scene = null;
  /** @type {PictureChain | null} */
  #chain = null;
  /** @type {HTMLElement[]} */
  #parts = [];
  #row = -1;

  /** @param {ViewWiring<PictureSettings, PictureTrace>} wiring */
  constructor({ place }) {
    this.#box = place;
    this.#box.addEventListener("pointermove", (event) => this.#point(event));
    this.#box.addEventListener("pointerleave", () => this.#tooltip.hide());
  }

  /** @param {PictureScene} scene */
  draw(scene) {
    this.#scene = scene;
    this.#row = -1;
    if (scene.parts > 1) return;
    this.#parts = [];
    this.#box.replaceChildren(
      element(
        "p",
        { class: "note" },
        "This trace contains weights only: the numbers behind its steps were not saved with it.",
      ),
    );
  }

  /** @param {number} row @param {RowState} state */
  at(row, { part }) {
    const scene = this.#scene;
    if (!scene || scene.parts < 2) return;
    if (row !== this.#row) this.#lay(scene, row);
    this.#parts.forEach((section, index) => {
      section.toggleAttribute("data-later", index > part);
      section.toggleAttribute("data-now", index === part && part < this.#parts.length - 1);
    });
  }

  /** @param {PictureScene} scene @param {number} row */
  #lay(scene, row) {
    this.#row = row;
    const chain = chainOf(scene, row);
    this.#chain = chain;
    this.#parts = chain.parts.map((name, index) => {
      const { title, formula, says } = PARTS[name]?.(chain, scene) ?? {
        title: "",
        formula: "",
        says: "",
      };
      return element(
        "section",
        { class: "part", "data-name": name },
        element(
          "h3",
          {},
          element("span", { class: "ordinal", "aria-hidden": "true" }, String(index + 1)),
          title,
        ),
        element("p", { class: "formula" }, formula),
        element("p", { class: "note" }, says),
        element("div", { class: "part-body" }, ...bodyOf(name, chain, scene, row)),
      );
    });
    this.#box.replaceChildren(...this.#parts);
  }

  /** Tells the numbers of the cell that is pointed at. @param {PointerEvent} event */
  #point(event) {
    const grid = event.target instanceof Element ? event.target.closest(".grid-of") : null;
    const [scene, chain] = [this.#scene, this.#chain];
    if (!(grid instanceof HTMLElement) || !scene || !chain) return this.#tooltip.hide();
    const frame = grid.getBoundingClientRect();
    const { source, picture } = scene.trace;
    const cell = cellAt(
      source,
      (event.clientX - frame.left) / frame.width,
      (event.clientY - frame.top) / frame.height,
      picture,
    );
    const place = cellRectangle(source, cell, picture);
    const at = new DOMRect(
      frame.left + place.left * frame.width,
      frame.top + place.top * frame.height,
      place.width * frame.width,
      place.height * frame.height,
    );
    this.#tooltip.explain(
      `${rowAndColumn(source, cell)}\n${numbersOf(chain.cells[cell])
        .map(([name, value]) => `${name} ${value}`)
        .join("   ")}`,
      at,
    );
  }
}

/** @param {Cell} cell @returns {[string, string][]} */
function numbersOf({ score, shifted, exponential, weight }) {
  const show = (/** @type {number | null} */ value, /** @type {number} */ digits) =>
    value === null ? "–" : signed(value, digits);
  return [
    ["e", show(score, 2)],
    ["e − max", show(shifted, 2)],
    ["exp", show(exponential, 4)],
    ["α", weight.toFixed(4)],
  ];
}

/** @param {PartName} name @param {PictureChain} chain @param {PictureScene} scene @param {number} row @returns {(Node | null)[]} */
function bodyOf(name, chain, scene, row) {
  const described = (
    /** @type {string} */ symbol,
    /** @type {string} */ meaning,
    /** @type {Vector | null} */ vector,
  ) => vector && strip(symbol, meaning, vector);
  switch (name) {
    case "ask":
      return [
        chain.fed &&
          element("p", { class: "note" }, "after ", element("b", {}, heading(chain.fed).text)),
        described("query", "the decoder’s query", chain.query),
      ].filter((node) => node instanceof Node);
    case "scores":
      return [scoreGrid(chain, scene)];
    case "weights":
      return [weightGrid(chain, scene), digits(chain, scene)];
    case "context":
      return [
        regions(chain, scene),
        chain.gate === null ? null : gate(chain.gate),
        described(chain.gate === null ? "c" : "β · c", "the context vector", chain.context),
      ];
    case "state":
      return [described("s", "the new state", chain.state)];
    case "word":
      return [
        bars(chain.alternatives.slice(0, MOST), chain.written),
        element("p", { class: "visually-hidden" }, `Written: ${heading(scene.rows[row]).text}`),
      ];
    default:
      return [];
  }
}

/** @param {PictureScene} scene @param {(cell: number) => string} shade @param {...Node} above */
function grid(scene, shade, ...above) {
  const { source, picture } = scene.trace;
  const canvas = element("canvas", { width: source.columns, height: source.rows, class: "crisp" });
  const brush = canvas.getContext("2d");
  for (let cell = 0; brush && cell < source.rows * source.columns; cell++) {
    brush.fillStyle = shade(cell);
    brush.fillRect(cell % source.columns, Math.floor(cell / source.columns), 1, 1);
  }
  const image = element("img", { src: picture.preview, alt: "", draggable: "false" });
  const made = element("div", { class: "photo-panel grid-of" }, image, canvas, ...above);
  made.style.setProperty("--aspect", String(shownAspect(picture)));
  return made;
}

/** Scores have no zero that means anything: from the smallest to the largest of this step. @param {PictureChain} chain @param {PictureScene} scene */
function scoreGrid({ cells }, scene) {
  const scores = cells.flatMap(({ score }) => score ?? []);
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  const made = grid(scene, (cell) =>
    colour(palette(), ((cells[cell].score ?? low) - low) / (high - low || 1)),
  );
  made.dataset.bare = "";
  return element(
    "figure",
    {},
    made,
    element(
      "figcaption",
      { class: "note number" },
      scores.length
        ? `e from ${signed(low, 2)} to ${signed(high, 2)}`
        : "The trace does not contain the scores.",
    ),
  );
}

/** @param {PictureChain} chain @param {PictureScene} scene */
function weightGrid({ cells, drawn }, scene) {
  const top = Math.max(...cells.map(({ weight }) => weight), 1e-9);
  const marks = svg("svg", {
    viewBox: "0 0 1000 1000",
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  });
  if (drawn) marks.append(...square(scene, drawn.cell, "drawn"));
  const made = grid(scene, (cell) => colour(palette(), cells[cell].weight / top), marks);
  made.dataset.bare = "";
  return element(
    "figure",
    {},
    made,
    element(
      "figcaption",
      { class: "note number" },
      `α from 0 to ${top.toFixed(3)}; all 196 sum to 1`.replace("196", String(cells.length)),
    ),
  );
}

/** The photo, each of its regions faded to its weight; of hard attention the one that was drawn. @param {PictureChain} chain @param {PictureScene} scene */
function regions({ cells, drawn }, scene) {
  const top = Math.max(...cells.map(({ weight }) => weight), 1e-9);
  const seen = (/** @type {number} */ cell) =>
    drawn ? Number(cell === drawn.cell) : cells[cell].weight / top;
  const marks = svg("svg", {
    viewBox: "0 0 1000 1000",
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  });
  if (drawn) marks.append(...square(scene, drawn.cell, "drawn"));
  const caption = drawn
    ? `drawn: ${rowAndColumn(scene.trace.source, drawn.cell)}, ${placeOf(scene.trace.source, drawn.cell)}; probability ${percent(Math.exp(drawn.log_probability))}`
    : "";
  return element(
    "figure",
    {},
    grid(scene, (cell) => `rgba(12, 14, 16, ${(0.94 * (1 - seen(cell))).toFixed(3)})`, marks),
    caption && element("figcaption", { class: "note number" }, caption),
  );
}

/** @param {number} value */
function gate(value) {
  const meter = element("span", { class: "bar", "aria-hidden": "true" });
  meter.style.setProperty("--share", String(value));
  return element(
    "p",
    { class: "gate-line note" },
    element("b", {}, "β"),
    meter,
    element(
      "span",
      { class: "number" },
      `${value.toFixed(3)}: how much the picture counted for this word`,
    ),
  );
}

/** The strongest cells with their numbers, for who asks. @param {PictureChain} chain @param {PictureScene} scene */
function digits({ cells, sum }, scene) {
  const order = cells.toSorted((a, b) => b.weight - a.weight).slice(0, LISTED);
  const rest = 1 - order.reduce((total, { weight }) => total + weight, 0);
  const lines = order.map((cell) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, rowAndColumn(scene.trace.source, cell.cell)),
      ...numbersOf(cell).map(([, value]) => element("td", {}, value)),
    ),
  );
  const titles = ["cell", "e", "e − max", "exp", "α"].map((title) =>
    element("th", { scope: "col" }, title),
  );
  const table = element(
    "table",
    { class: "figures" },
    element("thead", {}, element("tr", {}, ...titles)),
    element("tbody", {}, ...lines),
  );
  const note = `${othersNote(cells.length - order.length, rest)}.${sum ? ` The exponentials sum to ${sum.toFixed(3)}.` : ""}`;
  return element(
    "details",
    { class: "digits" },
    element("summary", {}, "In numbers"),
    element(
      "div",
      { class: "digits-body", tabindex: 0, role: "region", "aria-label": "The strongest cells" },
      table,
    ),
    element("p", { class: "note" }, note),
  );
}
