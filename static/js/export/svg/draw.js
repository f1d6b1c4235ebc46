/** What is on screen, drawn for paper: the scene in, a sheet of SVG out. Pure; the measure of text is given. */

/** @import {Scene} from "../../core/types" */
/** @import {Beside} from "../../views/compare/svg.js" */
/** @import {Moment} from "../gif/frames.js" */
/** @import {Sheet} from "./sheet.js" */
/** @import {Measure} from "./type.js" */

import { mapNote, noAttention, noSteps, sentence } from "../../core/sentences.js";
import { NotTaken } from "../share.js";
import { compareOnPaper } from "../../views/compare/svg.js";
import { headsOnPaper } from "../../views/heads/svg.js";
import { linesOnPaper } from "../../views/ribbons/svg.js";
import { mapOnPaper } from "../../views/map/svg.js";
import { ROOM, sheet } from "./sheet.js";
import { stepOnPaper } from "../../views/step/svg.js";
import { blind } from "./vector.js";

/**
 * Throws `NotTaken` where there is nothing on screen that could be drawn.
 * @param {Scene} scene
 * @param {{measure: Measure, beside: Beside | null, moment?: Moment | null}} how `moment` of a moving picture; else all of it
 * @returns {Sheet}
 */
export function draw(scene, { measure, beside, moment = null }) {
  const { weights } = scene.view;
  const until = moment?.row;
  if (scene.viewName === "step") {
    if (scene.parts < 2) throw new NotTaken(noSteps(scene));
    const body = stepOnPaper(scene, measure, moment);
    return sheet(scene, body, measure, { sentences: "both", about: sentence(scene, scene.row) });
  }
  if (scene.viewName === "compare") {
    if (!beside) throw new NotTaken("The models are still being asked. Try again in a moment.");
    return sheet(scene, compareOnPaper(scene, beside, measure, moment), measure, { sentences: "read", about: "Models side by side on one sentence." });
  }
  if (!weights) return sheet(scene, blind(scene, ROOM, measure), measure, { sentences: "both", about: noAttention(0), until });
  const about = mapNote({ ...scene, held: { rows: [], columns: [] } });
  // The lines run between the two sentences, so they stand in the drawing itself.
  if (scene.viewName === "lines") return sheet(scene, linesOnPaper(scene, measure, moment), measure, { sentences: "none", about });
  const body = scene.viewName === "heads" ? headsOnPaper(scene, measure, moment) : mapOnPaper(scene, weights, measure, moment);
  return sheet(scene, body, measure, { sentences: "both", about, until });
}
