/** The sheet of an export: the drawing below the model's name and the two sentences, as wide as a page. Pure. */

/** @import {MapScene} from "../../core/types" */
/** @import {Piece} from "../marks.js" */
/** @import {Measure} from "../type.js" */

import { noAttention } from "../../core/sentences.js";
import { INK, SANS } from "../ink.js";
import { at, number, rect } from "../marks.js";
import { stacked } from "../pieces.js";
import { file } from "../paper.js";
import { label, said, wrapped, written } from "../type.js";
import { withoutMap } from "./vector.js";

const MARGIN = 22;
/** 85 mm, one of two columns, and 170 mm, the width of an A4 page within its margins, in pixels of 1/96 inch. */
const COLUMN = 321;
export const PAGE = 642;
/** Room on a page for the drawing. */
export const ROOM = PAGE - 2 * MARGIN;
/** The width of a landscape page, for long sentences. */
export const TURNED = 900;
export const PIXELS_A_MILLIMETRE = 96 / 25.4;
const UPRIGHT = { width: 170, height: 250 };
const LANDSCAPE = { width: 250, height: 170 };
/** The page is turned if the drawing would be scaled below this. */
const SMALL = 0.8;

/** @type {Piece} */
const NOTHING = { width: 0, height: 0, marks: [] };

/**
 * @typedef {{svg: string, width: number, height: number, print?: number}} Sheet with its size in pixels, and what it is in print, where a width is chosen
 * @typedef {"both" | "input" | "none"} Sentences those above the drawing
 *
 * @typedef {object} SheetHow
 * @property {Sentences} sentences @property {string} about a description of the drawing
 * @property {number} [until] the last row written so far @property {string} [model] name above the drawing
 * @property {boolean} [allHeads] true if the drawing shows all heads and not one
 */

/**
 * @param {MapScene} scene @param {Piece} body @param {Measure} measure
 * @param {SheetHow} how
 * @returns {Sheet}
 */
export function sheet(scene, body, measure, { sentences, about, until, model, allHeads }) {
  const width = Math.ceil(Math.max(COLUMN, body.width + 2 * MARGIN));
  const bare = scene.paper?.header === false;
  const head = bare
    ? NOTHING
    : header(scene, width - 2 * MARGIN, measure, { sentences, until, model, allHeads });
  // A drawing is aligned with the sentences above it, or centred if there are none.
  const aside = sentences === "none" ? (width - 2 * MARGIN - body.width) / 2 : 0;
  const whole = stacked([head, { ...body, marks: [at(aside, 0, body.marks)] }], bare ? 0 : 16);
  const height = Math.ceil(whole.height + 2 * MARGIN);
  const title = `${scene.model.name}: ${said(scene.kind.input(scene))} → ${said(scene.output.text)}`;
  const marks = [
    { name: "title", attributes: {}, text: title },
    { name: "desc", attributes: {}, text: about },
    rect(0, 0, width, height, { fill: INK.paper }),
    at(MARGIN, MARGIN, whole.marks),
  ];
  const root = {
    xmlns: "http://www.w3.org/2000/svg",
    ...printed(width, height, scene.paper?.millimetres ?? null),
    viewBox: `0 0 ${width} ${height}`,
    role: "img",
    "font-family": SANS,
    fill: INK.ink,
    // Spaces are part of the text; vector graphics programs support only the older attribute.
    style: "white-space: pre",
    "xml:space": "preserve",
  };
  const print = printOf(width, scene.paper?.millimetres);
  return { svg: file(root, marks), width, height, print };
}

/** The width in print as a share of that in pixels, where one is chosen. @param {number} width @param {number | null | undefined} chosen in millimetres */
export const printOf = (width, chosen) => (chosen ? (chosen * PIXELS_A_MILLIMETRE) / width : 1);

/** The size in print: the chosen width, or that in pixels, unless it exceeds the page. @param {number} width @param {number} height @param {number | null} chosen in millimetres */
export function printed(width, height, chosen) {
  const [wide, high] = [width / PIXELS_A_MILLIMETRE, height / PIXELS_A_MILLIMETRE];
  if (chosen)
    return { width: `${number(chosen)}mm`, height: `${number((high * chosen) / wide)}mm` };
  const fit = (/** @type {typeof UPRIGHT} */ page) =>
    Math.min(1, page.width / wide, page.height / high);
  const shrink = fit(UPRIGHT) >= SMALL ? fit(UPRIGHT) : Math.max(fit(UPRIGHT), fit(LANDSCAPE));
  return { width: `${number(wide * shrink)}mm`, height: `${number(high * shrink)}mm` };
}

/**
 * A drawing on an upright page, or on a turned one if it has room for the words side by side there alone.
 * @template {{across: boolean}} D @param {(room: number) => D} layOut @returns {D}
 */
export function turned(layOut) {
  const upright = layOut(ROOM);
  const wide = upright.across ? upright : layOut(TURNED);
  return wide.across ? wide : upright;
}

/**
 * The sheet of a trace whose model has no attention.
 * @param {MapScene} scene @param {Measure} measure @param {import("../../export/gif/frames.js").Moment | null} moment
 */
export function withoutAttention(scene, measure, moment) {
  return sheet(scene, withoutMap(scene, ROOM, measure), measure, {
    sentences: "both",
    about: noAttention(0),
    until: moment?.row,
  });
}

/** @param {MapScene} scene @param {number} room @param {Measure} measure @param {Omit<SheetHow, "about">} how @returns {Piece} */
function header(
  scene,
  room,
  measure,
  { sentences, until, model = scene.model.name, allHeads = false },
) {
  const face = { size: 10.5 };
  const decoding = scene.kind.decoding?.(scene) ?? "";
  const parts = [model, ...whichMap(scene, allHeads), decoding, scene.kind.unit?.(scene) ?? ""];
  const name = wrapped(parts.filter(Boolean).join(" · "), face, room, measure, 2);
  const titles = name.map((each, index) =>
    label(each, face, { x: 0, y: 10 + index * 14, fill: INK.soft }),
  );
  const all = scene.kind
    .headLines(scene, until)
    .map((each) => ({ ...each, text: said(each.text) }));
  const texts = sentences === "both" ? all : sentences === "input" ? all.slice(0, -1) : [];
  const indent = Math.ceil(Math.max(0, ...texts.map((each) => measure(each.name, face)))) + 10;
  const serif = { size: 16, serif: true };
  let y = name.length * 14;
  const marks = texts.flatMap((each) => {
    const start = y;
    const lines = wrapped(each.text || "(nothing)", serif, room - indent, measure);
    const drawn = written(lines, each.shown).flatMap((shown, index) => {
      y += 21;
      return shown ? [label(shown, serif, { x: indent, y: start + 18 + index * 21 })] : [];
    });
    y += 3;
    return [label(each.name, face, { x: 0, y: start + 18, fill: INK.soft }), ...drawn];
  });
  return { width: room, height: y, marks: [...titles, ...marks] };
}

/** @type {Record<string, string>} */
const KINDS = {
  cross: "",
  "encoder-self": "self-attention",
  "decoder-self": "masked self-attention",
};
/** @type {Record<string, string>} */
const POOLS = {
  mean: "mean of all heads",
  max: "maximum of all heads",
  rollout: "rollout of the layers",
};

/** The name of the map, if the model has several. @param {MapScene} scene @param {boolean} allHeads */
function whichMap({ picked, pool, layers, heads }, allHeads) {
  if (!picked) return [];
  const one = !allHeads;
  return [
    KINDS[picked.kind],
    one && layers.length > 1 && pool !== "rollout" ? `layer ${picked.layer + 1}` : "",
    one && pool ? POOLS[pool] : one && heads.length > 1 ? `head ${picked.head + 1}` : "",
  ].filter(Boolean);
}
