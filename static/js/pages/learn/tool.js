/** The parts that all tools of lessons have: their parameters, the contents of a file, and the start of the page. */

/** @import {Timeline} from "../../core/wire" */

import { watchTheme } from "../../draw/theme.js";
import { startStep } from "../../shell/lesson_step.js";

/**
 * The contents of a file; null on a page that a server sends.
 * @type {{query: string, figures: Timeline[]} | null}
 */
export const TAKEN = JSON.parse(document.getElementById("taken")?.textContent ?? "null");

export const query = new URLSearchParams(TAKEN?.query ?? location.search);

/** Starts what is around the tool. */
export function startTool() {
  watchTheme(() => {}); // its colours are those of style sheets
  startStep();
}
