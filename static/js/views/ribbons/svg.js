/** The ribbons as SVG. Pure. */

/** @import {Scene} from "../../core/types" */
/** @import {Place} from "./model.js" */
/** @import {Moment} from "../../export/gif/frames.js" */
/** @import {Piece} from "../../draw/paper/markup.js" */
/** @import {SvgHow} from "../types" */
/** @import {Measure} from "../../draw/paper/type.js" */

import { ribbons as layOut } from "./model.js";
import { INK } from "../../draw/paper/ink.js";
import { tag } from "../../draw/paper/markup.js";
import { ROOM, withoutAttention, sheet } from "../../draw/paper/sheet.js";
import { line } from "../../draw/paper/type.js";

/** Width of a landscape page, for long sentences. */
const TURNED = 900;
const SIZE = 16;

/** @param {Scene} scene @param {SvgHow} how */
export function draw(scene, { measure, moment }) {
  if (!scene.view.weights) return withoutAttention(scene, measure, moment);
  // The ribbons connect the two sentences, so these are part of the drawing.
  return sheet(scene, drawing(scene, measure, moment), measure, {
    sentences: "none",
    about: scene.kind.mapNote(scene),
  });
}

/** @param {Scene} scene @param {Measure} measure @param {Moment | null} moment @returns {Piece} */
function drawing(scene, measure, moment) {
  const how = {
    mass: scene.mass,
    measure: (/** @type {string} */ text) => measure(text, { size: SIZE }),
  };
  const upright = layOut(scene.view, { ...how, room: ROOM });
  const turned = upright.across ? upright : layOut(scene.view, { ...how, room: TURNED });
  const laid = turned.across ? turned : upright;
  const until = moment?.row ?? Infinity;
  const current = moment?.current ?? null;
  const lit = laid.ribbons.filter(({ row }) => row === current).map(({ column }) => column);
  const ribbons = laid.ribbons.map(({ row, path }) => {
    const strength = current === null ? 0.38 : row === current ? 0.8 : 0.16;
    return row > until ? "" : tag("path", { d: path, fill: INK.accent, "fill-opacity": strength });
  });
  const word = (
    /** @type {Place} */ place,
    /** @type {"start" | "end"} */ side,
    /** @type {string} */ fill,
    bold = false,
  ) => {
    const face = { size: place.quiet === "mark" ? 12 : SIZE, italic: place.quiet === "mark", bold };
    const anchor = laid.across ? "middle" : side;
    return line(place.text, face, {
      x: place.x,
      y: laid.across ? place.y : place.y + face.size * 0.35,
      anchor,
      fill: place.quiet && !bold ? INK.soft : fill,
    });
  };
  const columns = laid.columns.map((place, column) =>
    word(place, "end", current === null || lit.includes(column) ? INK.ink : INK.soft),
  );
  const rows = laid.rows.map((place, row) =>
    row > until
      ? ""
      : word(
          place,
          "start",
          row === current ? INK.accent : current === null ? INK.ink : INK.soft,
          row === current,
        ),
  );
  return {
    width: laid.width,
    height: laid.height,
    marks: [...ribbons, ...columns, ...rows].join(""),
  };
}
