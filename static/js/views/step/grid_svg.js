/** One token of a captioner's output as SVG, up to the part that is shown. Pure. */

/** @import {PictureScene} from "../../core/types" */
/** @import {Mark, Piece} from "../../draw/marks.js" */
/** @import {Measure} from "../../draw/type.js" */
/** @import {SvgHow} from "../types" */
/** @import {CellScale, PictureChain} from "./grid_model.js" */
/** @import {PartName} from "../../core/step_parts.js" */

import { colour } from "../../core/colours.js";
import { ExportRefused } from "../../core/errors.js";
import { sentence } from "../../core/grid_sentences.js";
import { shownAspect } from "../../core/photo_map.js";
import { noSteps } from "../../core/sentences.js";
import { INK, PAPER } from "../../draw/ink.js";
import { mark } from "../../draw/marks.js";
import { stacked } from "../../draw/pieces.js";
import { photoMark, photoSheet } from "../../draw/paper/photo_sheet.js";
import { cellPlace, square } from "../../draw/photo_marks.js";
import { ROOM } from "../../draw/paper/sheet.js";
import { paragraph } from "../../draw/type.js";
import { vectorDrawing } from "../../draw/paper/vector.js";
import {
  ALTERNATIVES,
  chainOf,
  gateNote,
  regionScale,
  scoreScale,
  shadeOver,
  weightScale,
} from "./grid_model.js";
import { gridText } from "./grid_text.js";
import { SIDE, alternatives, framed, twoSides } from "./svg.js";

const NOTE = { size: 10.5 };
const SOFT = { fill: INK.soft, most: 5 };
/** Limits of a figure of cells. */
const MOST = { width: 200, height: 170 };

/** @param {PictureScene} scene @param {SvgHow} how */
export function draw(scene, { measure, moment }) {
  if (scene.parts < 2) throw new ExportRefused(noSteps(scene));
  const row = moment?.row ?? scene.row;
  const shown = moment?.part ?? scene.part;
  const chain = chainOf(scene, row);
  const parts = chain.parts.map((name, place) => {
    const { title, says, formula } = gridText(name, chain, scene);
    const note = paragraph(says, NOTE, SIDE, measure, SOFT);
    const body = stacked([note, ...bodyOf(name, chain, scene, measure)], 8);
    return framed({ place, title, symbols: formula, there: place <= shown, body }, SIDE, measure);
  });
  const about = sentence(scene, row);
  const body = twoSides(about, parts, chain.parts.indexOf("weights") + 1 || 1, measure);
  return photoSheet(scene, body, measure, { room: ROOM, about });
}

/** @param {PartName} name @param {PictureChain} chain @param {PictureScene} scene @param {Measure} measure @returns {Piece[]} */
function bodyOf(name, chain, scene, measure) {
  const { query, context, state, gate, written } = chain;
  const vector = (
    /** @type {string} */ symbol,
    /** @type {string} */ meaning,
    /** @type {typeof query} */ value,
  ) => (value ? [vectorDrawing(symbol, meaning, value, { room: SIDE }, measure)] : []);
  const shaded = (/** @type {CellScale} */ scale) =>
    figure(scene, scale, (share) => ({ fill: colour(PAPER, share) }), measure);
  switch (name) {
    case "query":
      return vector("query", "the decoder’s query", query);
    case "scores":
      return [shaded(scoreScale(chain))];
    case "weights":
      return [shaded(weightScale(chain))];
    case "context": {
      const over = (/** @type {number} */ share) => ({
        fill: "#0c0e10",
        "fill-opacity": shadeOver(share).toFixed(3),
      });
      return [
        figure(scene, regionScale(chain, scene), over, measure, [photoMark(sizeOf(scene))]),
        ...(gate === null ? [] : [paragraph(`β ${gateNote(gate)}`, NOTE, SIDE, measure, SOFT)]),
        ...vector(gate === null ? "c" : "β · c", "the context vector", context),
      ];
    }
    case "state":
      return vector("s", "the new state", state);
    case "word":
      return [alternatives(chain.alternatives.slice(0, ALTERNATIVES), written, SIDE, measure)];
    default:
      return [];
  }
}

/** @param {PictureScene} scene */
function sizeOf({ trace: { picture } }) {
  const aspect = shownAspect(picture);
  const width = Math.min(MOST.width, MOST.height * aspect);
  return { width, height: width / aspect };
}

/**
 * Cells, with a line below.
 * @param {PictureScene} scene @param {CellScale} scale @param {(share: number) => Record<string, string>} shade
 * @param {Measure} measure @param {Mark[]} [under] the photo below the cells
 * @returns {Piece}
 */
function figure(scene, { shareOf, drawn, caption }, shade, measure, under = []) {
  const size = sizeOf(scene);
  const { rows, columns } = scene.trace.source;
  const cells = Array.from({ length: rows * columns }, (_, cell) =>
    mark("rect", { ...cellPlace(scene, cell, size), ...shade(shareOf(cell)) }),
  );
  const edge = drawn ? square(scene, drawn.cell, size) : [];
  const crisp = mark("g", { "shape-rendering": "crispEdges" }, cells);
  const picture = { ...size, marks: [...under, crisp, ...edge] };
  const said = caption ? [paragraph(caption, NOTE, SIDE, measure, SOFT)] : [];
  return stacked([picture, ...said], 4);
}
