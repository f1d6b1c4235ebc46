/** A graph as marks for page and paper: classes by colour, shape and letter, edges as thick as attention. Pure. */

/** @import {GraphScene} from "../../core/types" */
/** @import {Look, Mark} from "../../draw/marks.js" */
/** @import {DrawnNode, GraphDrawing} from "./model.js" */

import { percent, visible } from "../../core/text.js";
import { at, group, mark, onPage } from "../../draw/marks.js";
import { label } from "../../draw/type.js";
import { readsOf, ringOf } from "./model.js";

/** The colours of the classes on paper; the page has its own in `graph.css`. */
const COLOURS = ["#1f6fb4", "#b9480a", "#0b7d5b", "#93408f"];
const WHITE = "#ffffff";
/** The least radius of the area of a node that takes the pointer. */
const TARGET = 12;

/**
 * @param {GraphScene} scene @param {GraphDrawing} drawing
 * @param {{row: number, selected?: number, look: Look}} how `row`: the node whose attention is drawn
 * @returns {Mark[]}
 */
export function graphMarks(scene, drawing, { row, selected = row, look }) {
  const { nodes, edges, radius } = drawing;
  const joins = edges.map(({ one, other, width }) =>
    stroke(nodes[one], nodes[other], look.edge, width, 0.45),
  );
  const reads = readsOf(scene, row).map(({ node, width }) =>
    stroke(nodes[row], nodes[node], look.accent, width, 0.85, {
      "data-row": row,
      "data-column": node,
    }),
  );
  const ring = mark("circle", {
    cx: nodes[row].x,
    cy: nodes[row].y,
    r: radius * 1.5,
    fill: "none",
    stroke: look.accent,
    "stroke-width": ringOf(scene, row),
  });
  const pieces = nodes.map((node, index) => piece(node, index, drawing, index === selected, look));
  return [
    group("joins", joins, { class: "graph-joins" }),
    group("reads", reads, { class: "graph-reads" }),
    ring,
    group("nodes", pieces),
  ];
}

/** @param {DrawnNode} node @param {number} index @param {GraphDrawing} drawing @param {boolean} selected @param {Look} look */
function piece(node, index, { radius, named }, selected, look) {
  const { known, shape, letter } = node;
  const face = { size: radius * 0.95, bold: true };
  const outline = mark("path", {
    d: shape,
    fill: COLOURS[node.colour % COLOURS.length],
    stroke: known ? look.ink : WHITE,
    "stroke-width": known ? 3 : 1,
  });
  const name = label(
    `${visible(node.name)}${node.hint && ` ${node.hint}`}`,
    { size: 10.5 },
    { x: 0, y: radius * 1.55 + 9, anchor: "middle" },
    look,
    { class: "graph-name" },
  );
  const title = { name: "title", attributes: {}, text: described(node) };
  const target = mark("circle", { r: Math.max(radius * 1.2, TARGET), class: "graph-target" });
  const marks = [
    onPage(target),
    outline,
    label(letter, face, { x: 0, y: radius * 0.36, anchor: "middle", fill: WHITE }, look),
    named ? name : null,
    onPage(title),
  ];
  return at(node.x, node.y, marks, {
    class: "graph-node",
    role: "button",
    tabindex: selected ? 0 : -1,
    "aria-pressed": String(selected),
    "aria-label": described(node),
    "data-node": index,
    "data-class": node.colour,
    "data-known": known ? "" : null,
  });
}

/** @param {DrawnNode} node */
function described({ name, letter, known, hint, chance }) {
  const given = [
    known ? "known" : `probability ${percent(chance)}`,
    hint && `hint ${hint.slice(1)}`,
  ];
  return `${visible(name)}: class ${letter}, ${given.filter(Boolean).join(", ")}`;
}

/** @param {DrawnNode} one @param {DrawnNode} other @param {string} stroke @param {number} width @param {number} opacity @param {import("../../draw/marks.js").Attributes} [more] */
const stroke = (one, other, stroke, width, opacity, more = {}) =>
  mark("line", {
    x1: one.x,
    y1: one.y,
    x2: other.x,
    y2: other.y,
    stroke,
    "stroke-opacity": opacity,
    "stroke-width": width,
    "stroke-linecap": "round",
    ...more,
  });
