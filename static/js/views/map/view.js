/** The heatmap in its own scrolling box: Plotly paints the cells, the headings are HTML and stick. */

/** @import {MapScene, MapSize, Palette, PatchScene, Settings} from "../../core/types" */
/** @import {RowState, ViewWiring} from "../types" */
/** @import {Heatmap} from "../../core/heatmap.js" */
/** @import {MapLayout} from "../../core/map_layout.js" */

import { cellNumbers } from "../../core/cell_numbers.js";
import { SCREEN, hasNames, isLarger, isLong, mapLayout, sized } from "../../core/map_layout.js";
import { differenceOf, heatmapOf } from "../../core/heatmap.js";
import { sumsOfColumns, sumsOfRows, toggledIn } from "../../core/selection.js";
import { spaced, strongest } from "../../core/sentences.js";
import { direction, languageOf } from "../../core/text.js";
import { box, html, place, say, setDirection, setLanguage } from "../../draw/dom.js";
import { head, headWidth } from "../../draw/headings.js";
import { pixels } from "../../draw/pixels.js";
import { loadPlotly, paintMap } from "../../draw/plotly.js";
import { fillsWindow, roomBelow, within } from "../../draw/scrolling.js";
import { printing } from "../../draw/theme.js";
import { Tooltip } from "../../draw/tooltip.js";

/** An edited map that stays for so long is painted by Plotly. */
const RESTED_MS = 200;

/** @typedef {Pick<Settings, "rows" | "columns" | "size"> & {editing?: Settings["editing"]}} Selected */
/** @typedef {MapScene | PatchScene} Drawn */
/** The room of the map on the page. @typedef {{width: number, height: number, corner: number, filled: boolean}} Room */

/** Room for the sums at the side and below. */
const SUMS = 56;
const SUMS_BELOW = 28;
/** The height of the rows of a short map in a window with room for them. */
const FILLED = 56;
/** The distance at which two slanted headings can be read. */
const HEADING = 22;
/** Room around the names of the axes. */
const CORNER = 14;
/** Width of a printed page within its margins. */
const PAPER = 680;

export class View {
  #box = box("map");
  #grid = box("map-grid");
  #plot = box("plot");
  #sketched = box("sketch");
  #canvas = html.canvas();
  /** The choice of the size; not in every page. */
  #size = document.getElementById("size");
  /** The marks of a row or a column. Their place is set on them: set on the grid, it would restyle every heading. */
  #bars = /** @type {HTMLElement[]} */ ([
    ...this.#grid.querySelectorAll(".unwritten, .lit, .band"),
  ]);
  #tooltip = new Tooltip();
  /** @type {Drawn | null} */
  #scene = null;
  /** @type {Selected | null} */
  #settings = null;
  /** @type {MapLayout | null} */
  #sizes = null;
  /** The room of the drawing before. @type {Room | null} */
  #room = null;
  /** True while a cell is held: to measure the room in each movement takes a layout of the page. */
  #held = false;
  /** The row that the box was scrolled to. */
  #row = -1;
  /** The numbers in the cells. @type {HTMLElement[]} */
  #numbers = [];
  /** The headings of the columns. @type {HTMLElement[]} */
  #heads = [];
  /** Those of the rows. @type {HTMLElement[]} */
  #rowHeads = [];
  /** The scene that the headings were made for. */
  #titles = "";
  #listening = false;
  #pressed = false;
  #wiring;

  /** @param {Pick<ViewWiring<Selected, never>, "change" | "select" | "peek">} wiring */
  constructor(wiring) {
    this.#wiring = wiring;
    box("row-heads").addEventListener("click", (event) => {
      const row = placeOf(event);
      if (row === -1) return;
      if (event.ctrlKey || event.metaKey || event.shiftKey) this.#toggle("rows", row);
      else wiring.select(row);
    });
    box("column-heads").addEventListener("click", (event) => {
      const column = placeOf(event);
      if (column !== -1) this.#toggle("columns", column);
    });
    this.#size?.addEventListener("change", ({ target }) => {
      if (target instanceof HTMLInputElement)
        wiring.change({ size: /** @type {MapSize} */ (target.value) });
    });
    const scrolled = () => {
      this.#tooltip.hide();
      this.#hint();
    };
    this.#box.addEventListener("scroll", scrolled, { passive: true });
  }

  /** Selects a row or a column, or clears it. @param {"rows" | "columns"} axis @param {number} index */
  #toggle(axis, index) {
    if (this.#scene && this.#settings)
      this.#wiring.change(toggledIn(this.#settings, this.#scene, axis, index));
  }

  /** @param {Drawn} scene @param {{settings: Selected, palette: Palette}} how */
  draw(scene, { settings, palette }) {
    this.#settings = settings;
    this.#draw(scene, palette).catch(() => {
      this.#plot.textContent = "The heatmap could not be drawn; the table below shows its numbers.";
    });
  }

  /** @param {Drawn} scene @param {Palette} palette @param {boolean} [settled] true if the room was measured after the drawing before @returns {Promise<void>} */
  async #draw(scene, palette, settled = false) {
    const { view } = scene;
    this.#scene = scene;
    this.#tooltip.hide();
    if (!view.weights) return;
    const rtl = direction(view.columnText) === "rtl";
    if (this.#size) this.#size.hidden = !isLong(view); // first: it may move the map
    this.#held = !printing() && this.#grid.querySelector(".edit-cells:active") !== null;
    const room = (this.#held && this.#room) || this.#measured();
    this.#room = room;
    const { width, height, corner, filled } = room;
    const how = {
      room: width - (scene.selection.columns.length ? SUMS : 0),
      height: height - (scene.selection.rows.length ? SUMS_BELOW : 0),
      sizes: {
        ...SCREEN,
        side: { ...SCREEN.side, least: corner },
        rows: { ...SCREEN.rows, ...(filled && { highest: FILLED }) },
      },
    };
    const readable = mapLayout(view, headWidth, how);
    const wanted = this.#settings?.size ?? null;
    const sizes = printing() ? readable : sized(readable, view, how, wanted);
    if (this.#size) this.#size.hidden ||= !wanted && !isLarger(readable, view, how);
    this.#grid.toggleAttribute("data-fit", sizes !== readable);
    this.#grid.toggleAttribute("data-named", hasNames(sizes));
    for (const input of this.#size?.querySelectorAll("input") ?? [])
      input.checked = input.value === (sizes === readable ? "readable" : "fit");
    this.#sizes = sizes;
    setDirection(this.#box, rtl ? "rtl" : "ltr");
    this.#grid.toggleAttribute("data-slanted", sizes.slanted);
    this.#grid.toggleAttribute("data-narrow", sizes.narrow);
    this.#set("--cell-width", `${sizes.cell.width}px`);
    this.#set("--cell-height", `${sizes.cell.height}px`);
    this.#set("--head-width", `${sizes.headWidth}px`);
    this.#set("--head-height", `${sizes.headHeight}px`);
    this.#set("--overhang", `${sizes.overhang}px`);
    this.#set("--rows", String(view.rows.length));
    this.#set("--columns", String(view.columns.length));
    // Another head has the same texts: the headings stay, and so does the layout.
    const titles = JSON.stringify([view.columns, view.rows]);
    if (titles !== this.#titles) {
      this.#heads = view.columns.map((item) => head(item, "column-head"));
      this.#rowHeads = view.rows.map((item, row) => head(item, "row-head", row));
      box("column-heads").replaceChildren(...this.#heads);
      box("row-heads").replaceChildren(...this.#rowHeads);
    }
    this.#titles = titles;
    setLanguage(box("column-heads"), languageOf(scene.model, view.columnAxis));
    setLanguage(box("row-heads"), languageOf(scene.model, view.rowAxis));
    this.#markSelection(scene);
    const { scale, log } = scene;
    const numbered = sizes.numbered && !view.difference;
    this.#drawNumbers(numbered ? cellNumbers(view.weights, { scale, log, palette }) : []);
    box("plot-frame").setAttribute(
      "aria-label",
      `${heatmapName(scene)} The table below has ${scene.kind.photo ? "a summary" : "the same numbers"}.`,
    );
    document.getElementById("served")?.remove();
    const heat = view.difference
      ? raised(differenceOf(view.difference, palette))
      : heatmapOf(view.weights, { scale, log, palette });
    const size = { rows: view.rows.length, columns: view.columns.length };
    // Until Plotly is loaded and has painted the cells, a canvas shows them.
    place(this.#sketched, [pixels({ ...size, ...heat, rtl }, this.#canvas)]);
    // While a person drags, the canvas is enough: Plotly takes longer than the answer.
    if (!this.#held) await loadPlotly();
    if (this.#settings?.editing) await new Promise((done) => setTimeout(done, RESTED_MS));
    if (this.#scene !== scene) return;
    if (this.#held && !settled && this.#box.clientWidth) {
      this.#room = this.#measured();
      if (JSON.stringify(this.#room) !== JSON.stringify(room))
        return this.#draw(scene, palette, true);
      this.#hint();
    }
    const plot = await paintMap(this.#plot, { ...heat, cell: sizes.cell, rtl });
    this.#sketched.replaceChildren();
    if (scene.output.finish !== "writing")
      this.#box.dataset.painted = String(Number(this.#box.dataset.painted ?? 0) + 1);
    if (!this.#listening) this.#listen(plot);
  }

  /** @returns {Room} */
  #measured() {
    const corner = this.#corner();
    const filled = fillsWindow();
    if (printing()) return { width: PAPER, height: Infinity, corner, filled };
    const padding = parseFloat(getComputedStyle(this.#box).paddingTop);
    const { clientWidth: width } = this.#box;
    return { width, height: roomBelow(this.#box) - padding, corner, filled };
  }

  /** The width of the names of both axes, beside which the headings of the columns begin. */
  #corner() {
    const names = [...this.#grid.querySelectorAll(".corner > span")];
    const widths = names.map((name) => /** @type {HTMLElement} */ (name).offsetWidth);
    return Math.max(SCREEN.side.least, ...widths.map((width) => width + CORNER));
  }

  /** Puts the numbers in their cells. Those that stay as they are need no layout. @param {ReturnType<typeof cellNumbers>} numbers */
  #drawNumbers(numbers) {
    const nodes = numbers.map(({ row, column, text, ink }, index) => {
      const key = `${row + 1} / ${column + 1}`;
      const node = this.#numbers[index] ?? html.span();
      say(node, text);
      if (node.dataset.at !== key) node.style.gridArea = node.dataset.at = key;
      if (node.dataset.ink !== ink) node.style.color = node.dataset.ink = ink;
      return node;
    });
    place(box("cell-numbers"), nodes);
    this.#numbers = nodes;
  }

  /** Marks the selection and shows its sums, at the side and below. @param {Drawn} scene */
  #markSelection({ view, selection }) {
    const weights = view.weights ?? [];
    this.#heads.forEach((node, column) =>
      node.toggleAttribute("data-selected", selection.columns.includes(column)),
    );
    this.#rowHeads.forEach((node, row) =>
      node.toggleAttribute("data-selected", selection.rows.includes(row)),
    );
    const numbers = (/** @type {number[]} */ sums) =>
      sums.map((sum) => html.div({ class: "number" }, sum.toFixed(2)));
    box("row-sums").replaceChildren(
      ...(selection.columns.length ? numbers(sumsOfRows(weights, selection.columns)) : []),
    );
    box("column-sums").replaceChildren(
      ...(selection.rows.length ? numbers(sumsOfColumns(weights, selection.rows)) : []),
    );
  }

  /** @param {number} row @param {RowState} state */
  at(row, { playing, peeking }) {
    const weights = this.#scene?.view.weights;
    if (!weights?.[row] || !this.#sizes) return;
    this.#placeBars("--row", row);
    this.#grid.toggleAttribute("data-writing", playing);
    const strong = strongest(weights[row]);
    // Of neighbours in a fitted map, only the name of the strongest has room.
    const apart = this.#grid.hasAttribute("data-fit") ? HEADING / this.#sizes.cell.width : 1;
    const named = spaced(strong, apart);
    this.#heads.forEach((node, index) => {
      node.toggleAttribute("data-strong", named.includes(index));
      node.toggleAttribute("data-first", strong[0] === index);
    });
    this.#markUnread(playing ? weights.slice(0, row + 1) : null);
    // Each by itself: a rule for all after the current one would restyle every heading in each step.
    this.#rowHeads.forEach((node, index) => {
      node.toggleAttribute("data-current", index === row);
      node.toggleAttribute("data-unwritten", playing && index > row);
    });
    // An edit moves nothing under the pointer.
    if (peeking || this.#pressed || (this.#held && row === this.#row)) return;
    this.#row = row;
    this.#follow(row, strong[0] ?? 0);
    this.#hint();
  }

  /** Marks the columns that no row has read yet: in a text that is read by itself, they are the words to come. @param {number[][] | null} rows those so far, null if all are known */
  #markUnread(rows) {
    this.#heads.forEach((node, column) =>
      node.toggleAttribute("data-unread", rows?.every((row) => !row[column]) ?? false),
    );
  }

  /** Scrolls the box, never the page, so far that the row and its strongest cell are seen. @param {number} row @param {number} column */
  #follow(row, column) {
    const { cell, headHeight, headWidth } = /** @type {MapLayout} */ (this.#sizes);
    const high = this.#box.clientHeight - headHeight;
    const wide = this.#box.clientWidth - headWidth;
    const sign = this.#box.dir === "rtl" ? -1 : 1;
    const top = within(this.#box.scrollTop, row * cell.height, cell.height, high);
    // Including the next column, because the edge fades.
    const left =
      within(
        this.#box.scrollLeft * sign,
        column * cell.width,
        Math.min(3 * cell.width, wide),
        wide,
      ) * sign;
    if (top !== this.#box.scrollTop || left !== this.#box.scrollLeft)
      this.#box.scrollTo({ top, left });
  }

  /** Fades the far edge while there are columns beyond it. */
  #hint() {
    const hidden = this.#box.scrollWidth - this.#box.clientWidth - Math.abs(this.#box.scrollLeft);
    this.#box.toggleAttribute("data-more", hidden > 1);
  }

  /** @param {import("../../draw/plotly.js").PlotElement} plot */
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
      this.#pressed = true; // a pressed cell is already in view, and should not move
      this.#wiring.select(y);
      this.#pressed = false;
      if (this.#scene) this.#tooltip.show(this.#scene.view, y, x, this.#place(y, x));
    });
  }

  /** @param {number | null} column */
  #band(column) {
    this.#grid.toggleAttribute("data-band", column !== null);
    if (column !== null) this.#placeBars("--column", column);
  }

  /** The position of a cell on the screen. @param {number} row @param {number} column */
  #place(row, column) {
    const { cell } = /** @type {MapLayout} */ (this.#sizes);
    const frame = this.#plot.getBoundingClientRect();
    const across =
      this.#box.dir === "rtl" ? frame.width - (column + 1) * cell.width : column * cell.width;
    return new DOMRect(frame.left + across, frame.top + row * cell.height, cell.width, cell.height);
  }

  /** @param {"--row" | "--column"} name @param {number} index */
  #placeBars(name, index) {
    for (const bar of this.#bars) bar.style.setProperty(name, String(index));
  }

  /** @param {string} name @param {string} value */
  #set(name, value) {
    this.#grid.style.setProperty(name, value);
  }
}

/** A difference on a scale from 0 to 1, as Plotly takes it. @param {Heatmap} heat @returns {Heatmap} */
const raised = ({ positions, colourOf, colourAt }) => ({
  positions: positions.map((row) => row.map((position) => (position + 1) / 2)),
  colourOf: (position) => colourOf(2 * position - 1),
  colourAt,
});

/** The kind and the size of a map. @param {Drawn} drawn */
function heatmapName(drawn) {
  const { rows, columns, rowAxis } = drawn.view;
  const { spoken, number } = drawn.kind;
  const names = spoken ?? [rowAxis === "target" ? "output" : "input", "input"];
  return `${number} heatmap: ${rows.length} rows (${names[0]}) by ${columns.length} columns (${names[1]}).`;
}

/** The index of the child that was pressed, or -1. @param {Event & {currentTarget: EventTarget | null}} event */
function placeOf({ target, currentTarget }) {
  const heads = /** @type {Element} */ (currentTarget).children;
  return [...heads].findIndex((head) => head.contains(/** @type {Node} */ (target)));
}
