/** A map over a photo without Plotly: fast enough for every step, pointer and slider. */

/** @import {PictureScene} from "../../core/types" */

import { edgeOf } from "../../core/grid.js";
import { html, svg } from "../../draw/dom.js";
import { mark } from "../../draw/marks.js";
import { elements } from "../../draw/page.js";
import { paintHeat } from "../../draw/photo_heat.js";
import { cellPlace, photoMarks, square as squareMarks } from "../../draw/photo_marks.js";

/** The box that marks are drawn in; it is stretched over the photo. */
const BOX = { width: 1000, height: 1000 };

/** Marks drawn with lines. @param {PictureScene} scene @param {number} row */
export const marksOf = (scene, row) => elements(photoMarks(scene, row, BOX));

/** A cell as a crisp square. @param {PictureScene} scene @param {number} cell @param {string} name */
export const square = (scene, cell, name) => elements(squareMarks(scene, cell, BOX, { name }));

/** The selected cells: a tint, and one line around them. @param {PictureScene} scene @param {number[]} cells */
export function region(scene, cells) {
  if (!cells.length) return [];
  const { source, picture } = scene.trace;
  const d = edgeOf(source, cells, picture);
  const tints = cells.map((cell) =>
    mark("rect", { ...cellPlace(scene, cell, BOX), class: "held-tint" }),
  );
  const edges = ["under", "over"].map((side) => mark("path", { d, class: `held ${side}` }));
  return elements([...tints, ...edges]);
}

/** A small photo with the map of a row over it. @param {PictureScene} scene @param {number} row @param {number} aspect */
export function panel(scene, row, aspect) {
  const canvas = html.canvas();
  paintHeat(canvas, scene, row);
  const marks = svg("svg", {
    viewBox: `0 0 ${BOX.width} ${BOX.height}`,
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  });
  marks.append(...marksOf(scene, row));
  const image = html.img({ src: scene.trace.picture.preview, alt: "", draggable: "false" });
  const made = html.span({ class: "photo-panel" }, image, canvas, marks);
  made.style.setProperty("--aspect", String(aspect));
  return made;
}
