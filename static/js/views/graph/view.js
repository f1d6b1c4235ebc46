/** A graph on the page: press a node to see where it looks; add or cut edges, and give classes. */

/** @import {GraphScene, GraphSettings, GraphTrace, Palette} from "../../core/types" */
/** @import {RowState, ViewWiring} from "../types" */
/** @import {Frame, GraphDrawing} from "./model.js" */

import { graphOf, graphText, withEdgeToggled } from "../../core/graph_edit.js";
import { place as fill } from "../../draw/dom.js";
import { onScreen } from "../../draw/ink.js";
import { Drawing } from "../../draw/page.js";
import { numberAt } from "../../draw/rows.js";
import { roomBelow } from "../../draw/scrolling.js";
import { GraphEditor } from "./editor.js";
import { graphMarks } from "./marks.js";
import { drawingOf, frameOf, nearestIn } from "./model.js";

/** The largest height, as a share of the window. */
const LOWEST = 300;
/** Pixels that a pointer moves before it drags, and that a key moves a node. */
const SLACK = 4;
const STRIDE = 12;
const WAYS = /** @type {Record<string, {x: number, y: number}>} */ ({
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
});

export class View {
  #box;
  #select;
  #request;
  #replace;
  #editor;
  #picture = new Drawing({ class: "graph-drawing", role: "group", "aria-label": "Graph" });
  #svg = this.#picture.node;
  /** @type {GraphScene | null} */
  #scene = null;
  /** @type {GraphDrawing | null} */
  #drawing = null;
  /** @type {Palette | null} */
  #palette = null;
  #row = 0;
  /** The part of the layout on screen, which stays while nodes are moved. @type {Frame | undefined} */
  #frame;
  /** The node under a pressed pointer. @type {{node: number, x: number, y: number, moves: boolean} | null} */
  #held = null;

  /** @param {ViewWiring<GraphSettings, GraphTrace>} wiring */
  constructor({ place, select, peek, request, replace }) {
    this.#box = place;
    this.#select = select;
    this.#request = request;
    this.#replace = replace;
    this.#editor = request ? new GraphEditor((change) => this.#edit(change)) : null;
    place.classList.add("graph-view");
    fill(place, [this.#svg]);
    if (this.#editor) (document.getElementById("graph-editor") ?? place).prepend(this.#editor.node);
    this.#svg.addEventListener("pointerdown", (event) => {
      const node = numberAt(event, "node");
      if (node === null || event.button !== 0) return;
      this.#held = { node, x: event.clientX, y: event.clientY, moves: false };
    });
    this.#svg.addEventListener("pointermove", (event) => this.#drag(event));
    for (const end of ["pointerup", "pointercancel"])
      this.#svg.addEventListener(end, () => this.#drop());
    this.#svg.addEventListener("click", (event) => {
      const node = numberAt(event, "node");
      if (node !== null) this.#press(node);
    });
    this.#svg.addEventListener("keydown", (event) => this.#key(event));
    this.#svg.addEventListener("pointerover", (event) => {
      if (event.pointerType === "mouse") peek(numberAt(event, "node"));
    });
    this.#svg.addEventListener("pointerleave", () => peek(null));
  }

  /** @param {GraphScene} scene @param {{palette: Palette}} how */
  draw(scene, { palette }) {
    if (this.#scene?.trace !== scene.trace) this.#frame = frameOf(scene.trace.source.nodes);
    this.#scene = scene;
    this.#palette = palette;
    this.#layOut(scene);
  }

  /** @param {GraphScene} scene */
  #layOut(scene) {
    const room = Math.max(this.#box.clientWidth, LOWEST);
    const drawing = drawingOf(scene, room, roomBelow(this.#box, LOWEST), this.#frame);
    const { width, height } = drawing;
    this.#drawing = drawing;
    this.#picture.set({ viewBox: `0 0 ${width} ${height}`, height: height.toFixed(0) });
  }

  /** @param {number} row @param {Pick<RowState, "peeking">} state */
  at(row, { peeking }) {
    const [scene, drawing, palette] = [this.#scene, this.#drawing, this.#palette];
    if (!scene || !palette || !drawing?.nodes[row]) return;
    if (!peeking) this.#row = row; // else the node that is edited stays
    const look = onScreen(palette);
    this.#picture.show(graphMarks(scene, drawing, { row, selected: this.#row, look }));
    if (!peeking) this.#editor?.at(graphOf(scene.trace), row);
  }

  /** @param {number} node @returns {SVGElement | null} */
  #pieceOf(node) {
    return this.#svg.querySelector(`[data-node="${node}"]`);
  }

  /** @param {number} node */
  #press(node) {
    if (this.#scene && this.#editor?.joins && node !== this.#row) {
      const graph = graphOf(this.#scene.trace);
      return this.#edit(withEdgeToggled(graph, this.#row, node));
    }
    this.#select(node);
    this.#pieceOf(node)?.focus({ preventScroll: true });
  }

  /** @param {PointerEvent} event */
  #drag(event) {
    const held = this.#held;
    const matrix = this.#svg.getScreenCTM();
    if (!held || !matrix) return;
    if (!held.moves) {
      if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < SLACK) return;
      held.moves = true;
      this.#svg.setPointerCapture(event.pointerId);
      this.#svg.toggleAttribute("data-dragging", true);
    }
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    this.#move(held.node, x, y);
  }

  #drop() {
    const moved = this.#held?.moves;
    this.#held = null;
    if (!moved) return;
    this.#svg.toggleAttribute("data-dragging", false);
    this.#settle();
  }

  /** Moves a node in the drawing. @param {number} node @param {number} x @param {number} y */
  #move(node, x, y) {
    if (!this.#scene || !this.#drawing) return;
    const { trace } = this.#scene;
    const place = this.#drawing.placeAt(x, y);
    const nodes = trace.source.nodes.map((each, at) =>
      at === node ? { ...each, ...place } : each,
    );
    this.#scene = { ...this.#scene, trace: { ...trace, source: { ...trace.source, nodes } } };
    this.#redraw();
  }

  /** Takes the moved nodes into the trace, so that exports, saved traces and edits have them where they are seen. */
  #settle() {
    this.#fit();
    if (this.#scene) this.#replace(this.#scene.trace);
  }

  /** Makes room for nodes that were moved out of the drawing. */
  #fit() {
    if (!this.#scene || !this.#drawing) return;
    const { nodes, width, height } = this.#drawing;
    if (nodes.every(({ x, y }) => x >= 0 && x <= width && y >= 0 && y <= height)) return;
    this.#frame = frameOf(this.#scene.trace.source.nodes);
    this.#redraw();
  }

  #redraw() {
    if (!this.#scene) return;
    this.#layOut(this.#scene);
    this.at(this.#row, { peeking: false });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const from = numberAt(event, "node");
    if (from === null || !this.#drawing) return;
    const way = WAYS[event.key];
    if (event.shiftKey && way) {
      const { x, y } = this.#drawing.nodes[from];
      this.#move(from, x + STRIDE * way.x, y + STRIDE * way.y);
      this.#settle();
    } else if (event.key === "Enter" || event.key === " ") this.#press(from);
    else if (way) this.#go(nearestIn(this.#drawing.nodes, from, way));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Moves the focus to a node, and to what it reads, unless edges are being drawn. @param {number} node */
  #go(node) {
    this.#pieceOf(node)?.focus({ preventScroll: true });
    if (!this.#editor?.joins) this.#select(node);
  }

  /** @param {ReturnType<typeof graphOf>} graph */
  #edit(graph) {
    this.#request?.({ graph: graphText(graph), step: Math.min(this.#row, graph.nodes.length - 1) });
  }
}
