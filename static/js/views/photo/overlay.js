/** A map over a photo without Plotly: fast enough for every step, pointer and slider. */

/** @import {PictureScene} from "../../core/types" */

import { element, svg } from "../../draw/dom.js";
import { cellRectangle, edgeOf } from "../../core/grid.js";
import { levelOf, outline } from "../../core/field.js";
import { SURROUNDED } from "../../core/photo_colours.js";
import { fieldAt } from "../../core/photo_map.js";
import { drawnAt } from "../../core/grid_scene.js";
import { paintHeat } from "../../draw/photo_heat.js";

/** Sides of the box that marks are drawn in; it is stretched over the photo. */
const BOX = 1000;

/** Marks drawn with lines: the regions with most of the attention, and the randomly drawn cells. @param {PictureScene} scene @param {number} row @returns {SVGElement[]} */
export function marksOf(scene, row) {
  const lines = scene.style === "outline" ? surrounding(scene, row) : [];
  return [...lines, ...drawnAt(scene, row).flatMap(({ cell }) => square(scene, cell, "drawn"))];
}

/** @param {PictureScene} scene @param {number} row */
function surrounding(scene, row) {
  const field = fieldAt(scene, row);
  return SURROUNDED.flatMap((share, index) => {
    const d = outline(field, levelOf(field, share));
    return ["under", "over"].map((name) =>
      svg("path", { d, class: `around ${name}`, "data-inner": index === 0 ? "" : null }),
    );
  });
}

/** A cell as a crisp square, dark and light so that it is seen on any photo. @param {PictureScene} scene @param {number} cell @param {string} name */
export function square({ trace: { source, picture } }, cell, name) {
  const { left, top, width, height } = cellRectangle(source, cell, picture);
  const place = { x: left * BOX, y: top * BOX, width: width * BOX, height: height * BOX };
  return ["under", "over"].map((side) =>
    svg("rect", { ...place, class: `square ${name} ${side}` }),
  );
}

/** The selected cells: a tint, and one line around them. @param {PictureScene} scene @param {number[]} cells */
export function region({ trace: { source, picture } }, cells) {
  if (!cells.length) return [];
  const d = edgeOf(source, cells, picture);
  const tints = cells.map((cell) => {
    const { left, top, width, height } = cellRectangle(source, cell, picture);
    return svg("rect", {
      x: left * BOX,
      y: top * BOX,
      width: width * BOX,
      height: height * BOX,
      class: "held-tint",
    });
  });
  return [...tints, ...["under", "over"].map((side) => svg("path", { d, class: `held ${side}` }))];
}

/** A small photo with the map of a row over it. @param {PictureScene} scene @param {number} row @param {number} aspect */
export function panel(scene, row, aspect) {
  const canvas = element("canvas", {});
  paintHeat(canvas, scene, row);
  const marks = svg("svg", {
    viewBox: `0 0 ${BOX} ${BOX}`,
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  });
  marks.append(...marksOf(scene, row));
  const image = element("img", { src: scene.trace.picture.preview, alt: "", draggable: "false" });
  const made = element("span", { class: "photo-panel" }, image, canvas, marks);
  made.style.setProperty("--aspect", String(aspect));
  return made;
}
