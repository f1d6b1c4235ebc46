/** The colours of drawings: those of the light theme, on white. Pure. */

/** @import {Palette} from "../../core/types" */

import { LIGHT } from "../../core/colours.js";

const WHITE = "#ffffff";

/** A weight of 0 is as white as the paper, in both themes of the page. @type {Palette} */
export const PAPER = {
  ...LIGHT,
  stops: [WHITE, ...LIGHT.stops.slice(1)],
  warm: [WHITE, ...LIGHT.warm.slice(1)],
};

export const INK = {
  paper: WHITE,
  ink: LIGHT.ink,
  soft: LIGHT.soft,
  line: "#e4e1da",
  grid: "#f1efe9",
  edge: "#8c877b",
  accent: "#0e5a76",
};
