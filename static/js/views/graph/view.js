/** A graph on the page: press a node to see where it looks; add or cut edges, and give classes. */

/** @import {GraphScene, GraphSettings, GraphTrace} from "../../core/types" */
/** @import {RowState, ViewWiring} from "../types" */
/** @import {DrawnNode, Frame, GraphDrawing} from "./model.js" */

import { graphOf, graphText, withEdgeToggled } from "../../core/graph_edit.js";
import { percent, visible } from "../../core/text.js";
import { place as fill, svg } from "../../draw/dom.js";
import { GraphEditor } from "./editor.js";
import { drawingOf, frameOf, nearestIn, readsOf, ringOf } from "./model.js";

/** The largest height, as a share of the window. */
const TALLEST = 0.72;
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
  #editor;
  #svg = svg("svg", { class: "graph-drawing", role: "group", "aria-label": "Graph" });
  #joins = svg("g", { class: "graph-joins" });
  #reads = svg("g", { class: "graph-reads" });
  #ring = svg("circle", { class: "graph-ring" });
  #nodes = svg("g", {});
  /** @type {SVGGElement[]} */
  #pieces = [];
  /** @type {GraphScene | null} */
  #scene = null;
  /** @type {GraphDrawing | null} */
  #drawing = null;
  #row = 0;
  /** The part of the layout on screen, which stays while nodes are moved. @type {Frame | undefined} */
  #frame;
  /** The node under a pressed pointer. @type {{node: number, x: number, y: number, moves: boolean} | null} */
  #held = null;

  /** @param {ViewWiring<GraphSettings, GraphTrace>} wiring */
  constructor({ place, select, peek, request }) {
    this.#box = place;
    this.#select = select;
    this.#request = request;
    this.#editor = request ? new GraphEditor((change) => this.#edit(change)) : null;
    this.#svg.append(this.#joins, this.#reads, this.#ring, this.#nodes);
    place.classList.add("graph-view");
    fill(place, [...(this.#editor ? [this.#editor.node] : []), this.#svg]);
    this.#nodes.addEventListener("pointerdown", (event) => {
      const node = nodeOf(event);
      if (node === null || event.button !== 0) return;
      this.#held = { node, x: event.clientX, y: event.clientY, moves: false };
    });
    this.#svg.addEventListener("pointermove", (event) => this.#drag(event));
    for (const end of ["pointerup", "pointercancel"])
      this.#svg.addEventListener(end, () => this.#drop());
    this.#nodes.addEventListener("click", (event) => {
      const node = nodeOf(event);
      if (node !== null) this.#press(node);
    });
    this.#nodes.addEventListener("keydown", (event) => this.#key(event));
    this.#nodes.addEventListener("pointerover", (event) => {
      if (event.pointerType === "mouse") peek(nodeOf(event));
    });
    this.#nodes.addEventListener("pointerleave", () => peek(null));
  }

  /** @param {GraphScene} scene */
  draw(scene) {
    if (this.#scene?.trace !== scene.trace) this.#frame = frameOf(scene.trace.source.nodes);
    this.#scene = scene;
    const room = Math.max(this.#box.clientWidth, LOWEST);
    const drawing = drawingOf(scene, room, Math.max(LOWEST, innerHeight * TALLEST), this.#frame);
    this.#drawing = drawing;
    this.#svg.setAttribute("viewBox", `0 0 ${drawing.width} ${drawing.height}`);
    this.#svg.setAttribute("height", drawing.height.toFixed(0));
    const { nodes } = drawing;
    fill(
      this.#joins,
      drawing.edges.map(({ one, other, width }) => lineOf(nodes[one], nodes[other], width)),
    );
    const focused = this.#pieces.indexOf(/** @type {any} */ (document.activeElement));
    this.#pieces = nodes.map((node, index) => piece(node, index, drawing));
    fill(this.#nodes, this.#pieces);
    this.#ring.setAttribute("r", (drawing.radius * 1.5).toFixed(1));
    if (focused !== -1) this.#pieces[Math.min(focused, nodes.length - 1)]?.focus();
  }

  /** @param {number} row @param {Pick<RowState, "peeking">} state */
  at(row, { peeking }) {
    const { nodes } = this.#drawing ?? {};
    if (!this.#scene || !nodes?.[row]) return;
    const reads = readsOf(this.#scene, row);
    fill(
      this.#reads,
      reads.map(({ node, width }) => lineOf(nodes[row], nodes[node], width)),
    );
    this.#ring.setAttribute("cx", nodes[row].x.toFixed(1));
    this.#ring.setAttribute("cy", nodes[row].y.toFixed(1));
    this.#ring.setAttribute("stroke-width", ringOf(this.#scene, row).toFixed(2));
    if (peeking) return; // the node that is edited stays
    this.#row = row;
    this.#pieces.forEach((node, index) => {
      node.setAttribute("tabindex", index === row ? "0" : "-1");
      node.setAttribute("aria-pressed", String(index === row));
    });
    this.#editor?.at(graphOf(this.#scene.trace), row);
  }

  /** @param {number} node */
  #press(node) {
    if (this.#scene && this.#editor?.joins && node !== this.#row) {
      const graph = graphOf(this.#scene.trace);
      return this.#edit(withEdgeToggled(graph, this.#row, node));
    }
    this.#select(node);
    this.#pieces[node]?.focus({ preventScroll: true });
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
    this.#fit();
  }

  /** Moves a node of the trace, so that exports, saved traces and edits have it where it is seen. @param {number} node @param {number} x @param {number} y */
  #move(node, x, y) {
    if (!this.#scene || !this.#drawing) return;
    Object.assign(this.#scene.trace.source.nodes[node], this.#drawing.placeAt(x, y));
    this.#redraw();
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
    this.draw(this.#scene);
    this.at(this.#row, { peeking: false });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const from = this.#pieces.findIndex((node) => node === event.target);
    if (from === -1 || !this.#drawing) return;
    const way = WAYS[event.key];
    if (event.shiftKey && way) {
      const { x, y } = this.#drawing.nodes[from];
      this.#move(from, x + STRIDE * way.x, y + STRIDE * way.y);
      this.#fit();
    } else if (event.key === "Enter" || event.key === " ") this.#press(from);
    else if (way) this.#go(nearestIn(this.#drawing.nodes, from, way));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Moves the focus to a node, and to what it reads, unless edges are being drawn. @param {number} node */
  #go(node) {
    this.#pieces[node]?.focus({ preventScroll: true });
    if (!this.#editor?.joins) this.#select(node);
  }

  /** @param {ReturnType<typeof graphOf>} graph */
  #edit(graph) {
    this.#request?.({ graph: graphText(graph), step: Math.min(this.#row, graph.nodes.length - 1) });
  }
}

/** The node under an event. @param {Event} event */
function nodeOf({ target }) {
  const piece = target instanceof Element ? target.closest("[data-node]") : null;
  return piece instanceof SVGElement ? Number(piece.dataset.node) : null;
}

/** @param {DrawnNode} one @param {DrawnNode} other @param {number} width */
const lineOf = (one, other, width) =>
  svg("line", {
    x1: one.x.toFixed(1),
    y1: one.y.toFixed(1),
    x2: other.x.toFixed(1),
    y2: other.y.toFixed(1),
    "stroke-width": width.toFixed(2),
  });

/** @param {DrawnNode} node @param {number} index @param {GraphDrawing} drawing */
function piece(node, index, { radius, named }) {
  const made = svg("g", {
    class: "graph-node",
    role: "button",
    "data-node": index,
    "data-class": node.colour,
    "data-known": node.known ? "" : null,
    tabindex: -1,
    transform: `translate(${node.x.toFixed(1)} ${node.y.toFixed(1)})`,
    "aria-label": described(node),
  });
  const letter = svg("text", {
    y: (radius * 0.36).toFixed(1),
    "font-size": (radius * 0.95).toFixed(1),
  });
  letter.textContent = node.letter;
  const title = svg("title", {});
  title.textContent = described(node);
  made.append(
    svg("circle", { r: Math.max(radius * 1.2, 12), class: "graph-target" }),
    svg("path", { d: node.shape }),
    letter,
    title,
  );
  if (named) {
    const name = svg("text", { class: "graph-name", y: (radius * 1.55 + 9).toFixed(1) });
    name.textContent = `${visible(node.name)}${node.hint && ` ${node.hint}`}`;
    made.append(name);
  }
  return made;
}

/** @param {DrawnNode} node */
function described({ name, letter, known, hint, chance }) {
  const given = [
    known ? "known" : `probability ${percent(chance)}`,
    hint && `hint ${hint.slice(1)}`,
  ];
  return `${visible(name)}: class ${letter}, ${given.filter(Boolean).join(", ")}`;
}
