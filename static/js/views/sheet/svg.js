/** The contact sheet of all words as SVG, as the paper of 2015 printed it. Pure. */

/** @import {PictureScene} from "../../core/types" */
/** @import {Piece} from "../../draw/marks.js" */
/** @import {Measure} from "../../draw/type.js" */
/** @import {SvgHow} from "../types" */

import { largestWeight } from "../../core/grid_sentences.js";
import { INK } from "../../draw/ink.js";
import { at } from "../../draw/marks.js";
import { flowing } from "../../draw/pieces.js";
import { photoPanel, photoSheet } from "../../draw/paper/photo_sheet.js";
import { ROOM } from "../../draw/paper/sheet.js";
import { headed, label } from "../../draw/type.js";
import { shownAspect } from "../../core/photo_map.js";

const GAP = 12;
const A_LINE = 4;
const SCALE = { size: 9 };

/** @param {PictureScene} scene @param {SvgHow} how */
export function draw(scene, { measure, heat }) {
  const body = contactSheet(scene, shownAspect(scene.trace.picture), heat, measure);
  return photoSheet(scene, body, measure, {
    room: ROOM,
    about: "Every word with the attention of the model at it.",
  });
}

/** The size of the panels: a line of them fills the page and none is too tall. @param {number} count @param {number} aspect */
export function panelSize(count, aspect) {
  const most = aspect > 1.8 ? A_LINE - 1 : aspect < 0.8 ? A_LINE + 1 : A_LINE;
  const across = Math.min(most, Math.max(count, 2));
  const width = (ROOM - (across - 1) * GAP) / across;
  return { width, height: width / aspect };
}

/** @param {PictureScene} scene @param {number} aspect @param {(row: number) => string} heat @param {Measure} measure @returns {Piece} */
function contactSheet(scene, aspect, heat, measure) {
  const size = panelSize(scene.rows.length, aspect);
  const panels = scene.rows.map((item, row) => {
    const scale = largestWeight(scene, row);
    const room = size.width - measure(scale, SCALE) - 6;
    const { text, face, fill } = headed(item, 12, room, measure);
    return {
      width: size.width,
      height: size.height + 18,
      marks: [
        label(text, face, { x: 0, y: 12, fill }),
        label(scale, SCALE, { x: size.width, y: 12, anchor: "end", fill: INK.soft }),
        at(0, 18, photoPanel(scene, row, size, heat(row))),
      ],
    };
  });
  return flowing(panels, ROOM, GAP);
}
