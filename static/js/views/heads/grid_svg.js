/** All heads of all layers over the photo, for the row that is shown, as SVG. Pure. */

/** @import {PatchScene, PictureScene} from "../../core/types" */
/** @import {SvgHow} from "../types" */

import { sceneOfMap } from "../../core/grid_scene.js";
import { shownAspect } from "../../core/photo_map.js";
import { entropy } from "../../core/row_metrics.js";
import { INK } from "../../draw/ink.js";
import { at } from "../../draw/marks.js";
import { flowing, stacked } from "../../draw/pieces.js";
import { photoPanel, photoSheet } from "../../draw/paper/photo_sheet.js";
import { ROOM } from "../../draw/paper/sheet.js";
import { label } from "../../draw/type.js";
import { mapsOf } from "./model.js";

const GAP = 12;
const NAME = 15;
const MOST_A_LINE = 8;
/** The widest that a photo of a few heads is drawn. */
const WIDEST = 190;

/** @param {PictureScene | PatchScene} scene @param {SvgHow} how */
export function draw(scene, { measure, heat, moment }) {
  const row = moment?.current ?? scene.row;
  const maps = mapsOf(scene);
  const aspect = shownAspect(scene.trace.picture);
  const most = Math.min(
    MOST_A_LINE,
    Math.max(...scene.layers.map((layer) => maps.filter((map) => map.layer === layer).length)),
  );
  const width = Math.min(WIDEST, (ROOM - (most - 1) * GAP) / most);
  const size = { width, height: width / aspect };
  const layers = scene.layers.map((layer) => {
    const panels = maps
      .filter((map) => map.layer === layer)
      .map((map) => {
        const own = sceneOfMap(scene, map);
        const bits = entropy(own.weights[row] ?? []).toFixed(1);
        const name = label(`Head ${map.head + 1}`, { size: 10.5 }, { x: 0, y: 10 });
        const note = label(
          `${bits} bits`,
          { size: 9 },
          { x: width, y: 10, anchor: "end", fill: INK.soft },
        );
        const photo = photoPanel(own, row, size, heat(row, own));
        return { width, height: size.height + NAME, marks: [name, note, at(0, NAME, photo)] };
      });
    const title = label(`Layer ${layer + 1}`, { size: 12, bold: true }, { x: 0, y: 11 });
    return stacked([{ width: 0, height: 14, marks: [title] }, flowing(panels, ROOM, GAP)], 6);
  });
  return photoSheet(scene, stacked(layers, 16), measure, {
    room: ROOM,
    about: "Every head of every layer over the photo.",
  });
}
