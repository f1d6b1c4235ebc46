/** The drawing of a view for SVG, PNG and GIF. Loaded when an export needs it. */

/** @import {AxisKind} from "../core/types" */
/** @import {Companions, SvgHow} from "../views/types" */
/** @import {Moment} from "./gif/frames.js" */
/** @import {Sheet} from "../draw/paper/sheet.js" */

import { viewNamed } from "../core/views.js";
import { onPaper } from "../views/loaders.js";

/**
 * @template C
 * @typedef {object} Shown the scene on screen
 * @property {AxisKind} axis @property {C} scene @property {Companions | null} companions
 * @property {(scene: C, row: number) => string} [heat] the map of a row over a photo, as a `data:` address
 */

/**
 * Draws a view: complete, or at a moment of an animation.
 * @template {{viewName: string}} C
 * @param {Shown<C>} shown @param {SvgHow["measure"]} measure @param {string} [name] of the view
 * @returns {Promise<(moment?: Moment | null) => Sheet>}
 */
export async function drawer({ axis, scene, companions, heat }, measure, name = scene.viewName) {
  const { draw, model } = await onPaper(viewNamed(axis, name).name, axis);
  return (moment = null) =>
    draw(scene, {
      measure,
      companions,
      moment,
      model,
      heat: (/** @type {number} */ row, /** @type {any} */ other = scene) =>
        heat?.(other, row) ?? "",
    });
}
