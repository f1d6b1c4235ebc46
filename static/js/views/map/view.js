/** The heatmap in its own scrolling box: Plotly paints the cells, the headings are HTML and stick. */

/** @import {Palette, Scene} from "../../core/types" */
/** @import {Grid} from "../../core/map_layout.js" */

import { grid } from "../../core/map_layout.js";
import { colour } from "../../core/colours.js";
import { sumsOfColumns, sumsOfRows } from "../../core/selection.js";
import { heatmap, positions } from "../../core/heatmap.js";
import { strongest } from "../../core/sentences.js";
import { direction } from "../../core/text.js";
import { box, element } from "../../shell/dom.js";
import { head, measure } from "../../shell/headings.js";
import { pixels } from "../../shell/pixels.js";
import { loadPlotly, paint } from "../../shell/plotly.js";
import { within } from "../../shell/scrolling.js";
import { Tooltip } from "../../shell/tooltip.js";

/** Room for the sums at the side. */
const SUMS = 56;

export class MapView {
  #box = box("map");
  #grid = box("map-grid");
  #plot = box("plot");
  #sketched = box("sketch");
  #tooltip = new Tooltip();
  /** @type {Scene | null} */
  #scene = null;
  /** @type {Grid | null} */
  #sizes = null;
  /** @type {HTMLElement[]} */
  #heads = [];
  /** What the headings were made for. */
  #titles = "";
  #listening = false;
  #pressed = false;
  #wiring;

  /** @param {{select: (row: number) => void, peek: (row: number | null) => void, hold: (axis: "rows" | "columns", index: number) => void}} wiring */
  constructor(wiring) {
    this.#wiring = wiring;
    box("row-heads").addEventListener("click", (event) => {
      const row = placeOf(event);
      if (row === -1) return;
      if (event.ctrlKey || event.metaKey || event.shiftKey) wiring.hold("rows", row);
      else wiring.select(row);
    });
    box("column-heads").addEventListener("click", (event) => {
      const column = placeOf(event);
      if (column !== -1) wiring.hold("columns", column);
    });
    const scrolled = () => {
      this.#tooltip.hide();
      this.#hint();
    };
    this.#box.addEventListener("scroll", scrolled, { passive: true });
  }

  /** @param {Scene} scene @param {Palette} palette */
  async draw(scene, palette) {
    const { view } = scene;
    this.#scene = scene;
    this.#tooltip.hide();
    if (!view.weights) return;
    const rtl = direction(view.columnText) === "rtl";
    const sizes = grid(view, this.#box.clientWidth - (scene.held.columns.length ? SUMS : 0), measure);
    this.#sizes = sizes;
    this.#box.dir = rtl ? "rtl" : "ltr";
    this.#grid.toggleAttribute("data-slanted", sizes.slanted);
    this.#set("--cell-width", `${sizes.cell.width}px`);
    this.#set("--cell-height", `${sizes.cell.height}px`);
    this.#set("--head-width", `${sizes.headWidth}px`);
    this.#set("--head-height", `${sizes.headHeight}px`);
    this.#set("--rows", String(view.rows.length));
    this.#set("--columns", String(view.columns.length));
    // Another head looks at the same strings: their headings stay, and so does the layout.
    const titles = JSON.stringify([view.columns, view.rows]);
    if (titles !== this.#titles) {
      this.#heads = view.columns.map((item) => head(item, "column-head"));
      box("column-heads").replaceChildren(...this.#heads);
      box("row-heads").replaceChildren(...view.rows.map((item, row) => head(item, "row-head", row)));
    }
    this.#titles = titles;
    this.#hold(scene);
    box("plot-frame").setAttribute(
      "aria-label",
      `Heatmap of attention: ${view.rows.length} rows (${wrote(scene)}) by ${view.columns.length} columns (read). ` +
        "The same numbers stand in the table below.",
    );
    document.getElementById("served")?.remove();
    this.#hint();
    this.#sketch(scene, palette, rtl);
    await loadPlotly();
    if (this.#scene !== scene) return;
    const figure = heatmap(view, { scale: scene.scale, log: scene.log, palette, cell: sizes.cell, rtl });
    const plot = await paint(this.#plot, figure);
    this.#sketched.replaceChildren();
    if (scene.output.finish !== "writing") this.#box.dataset.painted = String(Number(this.#box.dataset.painted ?? 0) + 1);
    if (!this.#listening) this.#listen(plot);
  }

  /** Marks what is held and tells its sums, at the side and below. @param {Scene} scene */
  #hold({ view, held }) {
    const weights = view.weights ?? [];
    this.#heads.forEach((node, column) => node.toggleAttribute("data-held", held.columns.includes(column)));
    [...box("row-heads").children].forEach((node, row) => node.toggleAttribute("data-held", held.rows.includes(row)));
    const told = (/** @type {number[]} */ sums) => sums.map((sum) => element("div", { class: "number" }, sum.toFixed(2)));
    box("row-sums").replaceChildren(...(held.columns.length ? told(sumsOfRows(weights, held.columns)) : []));
    box("column-sums").replaceChildren(...(held.rows.length ? told(sumsOfColumns(weights, held.rows)) : []));
  }

  /** The cells at once, over those of before, until Plotly has come and has painted them. @param {Scene} scene @param {Palette} palette @param {boolean} rtl */
  #sketch({ view, scale, log }, palette, rtl) {
    const shades = positions(view.weights ?? [], scale, log);
    this.#sketched.replaceChildren(pixels(shades, (value) => colour(palette, value), rtl));
  }

  /** @param {number} row @param {boolean} writing @param {boolean} follow whether to scroll to the row */
  at(row, writing, follow) {
    const weights = this.#scene?.view.weights;
    if (!weights?.[row] || !this.#sizes) return;
    this.#set("--row", String(row));
    this.#grid.toggleAttribute("data-writing", writing);
    const strong = strongest(weights[row]);
    this.#heads.forEach((node, index) => node.toggleAttribute("data-strong", strong.includes(index)));
    box("row-heads").querySelector("[data-current]")?.removeAttribute("data-current");
    box("row-heads").children[row]?.setAttribute("data-current", "");
    if (follow && !this.#pressed) this.#follow(row, strong[0] ?? 0);
  }

  /** Scrolls the box, never the page, so far that the row and its strongest cell are seen. @param {number} row @param {number} column */
  #follow(row, column) {
    const { cell, headHeight, headWidth } = /** @type {Grid} */ (this.#sizes);
    const high = this.#box.clientHeight - headHeight;
    const wide = this.#box.clientWidth - headWidth;
    const sign = this.#box.dir === "rtl" ? -1 : 1;
    const top = within(this.#box.scrollTop, row * cell.height, cell.height, high);
    // With what comes behind it, where the edge fades.
    const left = within(this.#box.scrollLeft * sign, column * cell.width, Math.min(3 * cell.width, wide), wide) * sign;
    if (top !== this.#box.scrollTop || left !== this.#box.scrollLeft) this.#box.scrollTo({ top, left });
  }

  /** The far edge fades while there are columns behind it. */
  #hint() {
    const hidden = this.#box.scrollWidth - this.#box.clientWidth - Math.abs(this.#box.scrollLeft);
    this.#box.toggleAttribute("data-more", hidden > 1);
  }

  /** @param {import("../../shell/plotly.js").PlotElement} plot */
  #listen(plot) {
    this.#listening = true;
    plot.on("plotly_hover", ({ points: [{ x, y }] }) => {
      this.#wiring.peek(y);
      this.#band(x);
      if (this.#scene) this.#tooltip.show(this.#scene.view, y, x, this.#place(y, x));
    });
    plot.on("plotly_unhover", () => {
      this.#wiring.peek(null);
      this.#band(null);
      this.#tooltip.hide();
    });
    plot.on("plotly_click", ({ points: [{ x, y }] }) => {
      this.#pressed = true; // what is pressed is in view already, and should stay under the finger
      this.#wiring.select(y);
      this.#pressed = false;
      if (this.#scene) this.#tooltip.show(this.#scene.view, y, x, this.#place(y, x));
    });
  }

  /** @param {number | null} column */
  #band(column) {
    this.#grid.toggleAttribute("data-band", column !== null);
    if (column !== null) this.#set("--column", String(column));
  }

  /** Where a cell is on the screen. @param {number} row @param {number} column */
  #place(row, column) {
    const { cell } = /** @type {Grid} */ (this.#sizes);
    const frame = this.#plot.getBoundingClientRect();
    const across = this.#box.dir === "rtl" ? frame.width - (column + 1) * cell.width : column * cell.width;
    return new DOMRect(frame.left + across, frame.top + row * cell.height, cell.width, cell.height);
  }

  /** @param {string} name @param {string} value */
  #set(name, value) {
    this.#grid.style.setProperty(name, value);
  }
}

/** Which of its siblings was pressed, -1 if none. @param {Event & {currentTarget: EventTarget | null}} event */
function placeOf({ target, currentTarget }) {
  const heads = /** @type {Element} */ (currentTarget).children;
  return [...heads].findIndex((head) => head.contains(/** @type {Node} */ (target)));
}

/** @param {Scene} scene */
const wrote = (scene) => (scene.view.rowAxis === "target" ? "written" : "read");
