/** The words of one sentence on a line, with arcs from each word to those that it leans on. */

/** @import {Scene} from "../../core/types" */
/** @import {View} from "../registry.js" */

import { number, setting } from "../../core/address.js";
import { axisNames } from "../../core/sentences.js";
import { ofTape } from "../../core/trace.js";

const LEAST = { least: setting(number(1, 50, true), 10) };

/** @type {View} */
export const arcs = {
  name: "arcs",
  title: "Arcs",
  dom: { tokens: () => import("./view.js"), reading: () => import("./view.js") },
  svg: { tokens: () => import("./svg.js"), reading: () => import("./svg.js") },
  note: { tokens: arcsNote, reading: arcsNote },
  settings: { tokens: LEAST, reading: LEAST },
  leads: ["reading"],
  fits: ({ picked }) =>
    Boolean(picked && (picked.key === "decoder_input" || picked.key === picked.query)),
};

/** @param {Scene} scene */
export function arcsNote(scene) {
  const { row, reads } = axisNames(scene);
  const words = ofTape(scene.trace) ? "word" : row;
  const later = reads && scene.picked?.kind !== "decoder-self";
  const ways = later
    ? `Arcs above, or to the left, lead from each ${words} to those before it that it attends to; the others to those after it`
    : `Arcs lead from each ${words} to those before it that it leans on`;
  return `${ways}. An arc is as wide as its weight. The numbers are the weights of the current ${words}.`;
}
