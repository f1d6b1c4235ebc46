/** A graph as SVG: classes by colour, shape and letter, edges as thick as attention. Pure. */

/** @import {GraphScene} from "../../core/types" */
/** @import {Piece} from "../../draw/paper/markup.js" */
/** @import {SvgHow} from "../types" */

import { INK } from "../../draw/paper/ink.js";
import { at, stacked, tag } from "../../draw/paper/markup.js";
import { ROOM, sheet } from "../../draw/paper/sheet.js";
import { line, paragraph } from "../../draw/paper/type.js";
import { graphNote } from "../../core/view_notes.js";
import { drawingOf, readsOf, ringOf } from "./model.js";

/** The colours of the classes, as in `graph.css` on paper. */
const COLOURS = ["#1f6fb4", "#b9480a", "#0b7d5b", "#93408f"];
const HEIGHT = 460;

/** @param {GraphScene} scene @param {SvgHow} how */
export function draw(scene, { measure, moment }) {
  const row = moment?.row ?? scene.row;
  const said = paragraph(scene.kind.sentence(scene, row), { size: 13 }, ROOM, measure, { most: 3 });
  const body = stacked([said, graphPiece(scene, row)], 14);
  return sheet(scene, body, measure, { sentences: "both", about: graphNote({ ...scene, row }) });
}

/** @param {GraphScene} scene @param {number} row @returns {Piece} */
function graphPiece(scene, row) {
  const drawing = drawingOf(scene, ROOM, HEIGHT);
  const { nodes, edges, radius, named } = drawing;
  const from = nodes[row];
  const joins = edges.map(({ one, other, width }) =>
    stroke(nodes[one], nodes[other], INK.edge, width, 0.45),
  );
  const reads = readsOf(scene, row).map(({ node, width }) =>
    stroke(from, nodes[node], INK.accent, width, 0.85),
  );
  const ring = tag("circle", {
    cx: from.x.toFixed(1),
    cy: from.y.toFixed(1),
    r: (radius * 1.5).toFixed(1),
    fill: "none",
    stroke: INK.accent,
    "stroke-width": ringOf(scene, row).toFixed(2),
  });
  const drawn = nodes.map((node) => {
    const face = { size: radius * 0.95, bold: true };
    return at(
      node.x,
      node.y,
      [
        tag("path", {
          d: node.shape,
          fill: COLOURS[node.colour % COLOURS.length],
          stroke: node.known ? INK.ink : "#ffffff",
          "stroke-width": node.known ? 3 : 1,
        }),
        line(node.letter, face, { x: 0, y: radius * 0.36, anchor: "middle", fill: "#ffffff" }),
        named
          ? line(
              `${node.name}${node.hint && ` ${node.hint}`}`,
              { size: 10.5 },
              { x: 0, y: radius * 1.55 + 9, anchor: "middle", fill: INK.ink },
            )
          : "",
      ].join(""),
    );
  });
  return {
    width: drawing.width,
    height: drawing.height,
    marks: [...joins, ...reads, ring, ...drawn].join(""),
  };
}

/**
 * @param {{x: number, y: number}} one @param {{x: number, y: number}} other
 * @param {string} colour @param {number} width @param {number} opacity
 */
const stroke = (one, other, colour, width, opacity) =>
  tag("line", {
    x1: one.x.toFixed(1),
    y1: one.y.toFixed(1),
    x2: other.x.toFixed(1),
    y2: other.y.toFixed(1),
    stroke: colour,
    "stroke-opacity": opacity,
    "stroke-width": width.toFixed(2),
    "stroke-linecap": "round",
  });
