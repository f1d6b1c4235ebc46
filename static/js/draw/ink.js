/** The colours and typefaces of a drawing on paper, those of the light theme on white, and on the page. Pure. */

/** @import {Palette, PaperChoices} from "../core/types" */
/** @import {Look} from "./marks.js" */

import { LIGHT } from "../core/colours.js";

// The first three of each have the same widths, so that a text fits on other machines, too.
export const SANS = "Helvetica, Arial, 'Liberation Sans', 'Noto Sans', sans-serif";
const SERIF = "'Times New Roman', Times, 'Liberation Serif', 'Noto Serif', serif";

const WHITE = "#ffffff";

/** A weight of 0 is as white as the paper, in both themes of the page. @type {Palette} */
export const PAPER = {
  ...LIGHT,
  stops: [WHITE, ...LIGHT.stops.slice(1)],
  warm: [WHITE, ...LIGHT.warm.slice(1)],
};

/** @type {Palette} */
const GREY = {
  ...PAPER,
  stops: [WHITE, "#e8e8e8", "#c4c4c4", "#969696", "#636363", "#111111"],
};

/**
 * The colour scales of figures. Each only becomes darker, so that it can be read without colour
 * vision and from a grey print.
 * @type {Record<PaperChoices["colours"], Palette>}
 */
const SCALES = {
  blue: PAPER,
  brown: { ...PAPER, stops: PAPER.warm },
  grey: GREY,
  // Those of a map beside maps over a photo, whose scales core/photo_colours.js has.
  heat: PAPER,
  cyan: PAPER,
  white: GREY,
};

/** The colours of a figure. @param {{paper?: PaperChoices}} scene */
export const paletteOf = ({ paper }) => SCALES[paper?.colours ?? "blue"];

/** @type {Look} */
export const INK = {
  paper: WHITE,
  ink: LIGHT.ink,
  soft: LIGHT.soft,
  line: "#e4e1da",
  grid: "#f1efe9",
  edge: "#8c877b",
  accent: "#0e5a76",
  palette: PAPER,
  serif: SERIF,
};

/** The same as the style sheet of the page has them. @param {Palette} palette @returns {Look} */
export const onScreen = (palette) => ({
  palette,
  ink: "var(--ink)",
  soft: "var(--soft)",
  line: "var(--line)",
  edge: "var(--edge)",
  grid: "var(--grid)",
  accent: "var(--accent)",
  paper: "var(--paper)",
  serif: "var(--serif)",
});
