/** The contact sheet and one word's map on paper, as the paper of 2015 printed them. Pure; what needs a canvas is given. */

/** @import {Moment} from "../../export/gif/frames.js" */
/** @import {PictureScene} from "../../core/types" */
/** @import {Piece} from "../../export/svg/markup.js" */
/** @import {Sheet} from "../../export/svg/sheet.js" */
/** @import {Measure} from "../../export/svg/type.js" */

import { INK } from "../../export/svg/ink.js";
import { at, escaped, flowing, number, rect, stacked, tag } from "../../export/svg/markup.js";
import { ROOM } from "../../export/svg/sheet.js";
import { SANS, label, line, paragraph, said } from "../../export/svg/type.js";
import { cellRectangle } from "../../core/grid.js";
import { levelOf, outline } from "../../core/field.js";
import { fieldAt, shownAspect } from "./model.js";
import { SURROUNDED } from "../../core/photo_colours.js";
import { drawnAt } from "../../core/grid_scene.js";
import { sentence } from "../../core/grid_sentences.js";

const MARGIN = 22;
const GAP = 12;
const A_LINE = 4;
const ONE = { wide: 460, high: 520 };
const PIXELS_A_MILLIMETRE = 96 / 25.4;

/**
 * @param {PictureScene} shown @param {"sheet" | "word"} what
 * @param {{measure: Measure, heat: (row: number) => string, moment?: Moment | null}} how `heat`: the map of a row as an address of data; `moment` of a moving picture
 * @returns {Sheet}
 */
export function onPaper(shown, what, { measure, heat, moment = null }) {
  const scene = moment?.current == null ? shown : { ...shown, row: moment.current };
  const until = moment?.current == null ? Infinity : scene.rows[moment.row].end;
  const aspect = shownAspect(scene.trace.picture);
  const body = what === "sheet" ? contactSheet(scene, aspect, heat, measure) : one(scene, aspect, heat, measure, moment !== null);
  const room = what === "sheet" ? ROOM : Math.max(body.width, 300);
  const name = paragraph(scene.model.name, { size: 10.5 }, room, measure, { fill: INK.soft, most: 2 });
  const asked = scene.asked ? [paragraph(said(scene.asked.text), { size: 13, serif: true }, room, measure, { fill: INK.soft })] : [];
  const caption = paragraph(said(scene.output.text) || "(nothing)", { size: 16, serif: true }, room, measure, { until });
  const whole = stacked([name, ...asked, caption, body], 10);
  const width = Math.ceil(room + 2 * MARGIN);
  const height = Math.ceil(whole.height + 2 * MARGIN);
  const root = {
    xmlns: "http://www.w3.org/2000/svg",
    width: `${number(width / PIXELS_A_MILLIMETRE)}mm`,
    height: `${number(height / PIXELS_A_MILLIMETRE)}mm`,
    viewBox: `0 0 ${width} ${height}`,
    role: "img",
    "font-family": SANS,
    fill: INK.ink,
  };
  const title = `${scene.model.name}: ${said(scene.output.text)}`;
  const about = what === "sheet" ? "Every word with where the model looked while it wrote it." : sentence(scene, scene.row);
  // The photo is there once, however many panels show it.
  const photo = tag("defs", {}, tag("image", { id: "photo", width: 1, height: 1, preserveAspectRatio: "none", href: scene.trace.picture.preview }));
  const marks = [tag("title", {}, escaped(title)), tag("desc", {}, escaped(about)), photo, rect(0, 0, width, height, INK.paper), at(MARGIN, MARGIN, whole.marks)];
  return { svg: tag("svg", root, ...marks), width, height };
}

/** How wide panels are, so that a line of them fills the page and none is too tall. @param {number} count @param {number} aspect */
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
    const { text, face, fill, width } = label(item, 12, size.width, measure);
    const name = line(text, face, { x: (size.width - width) / 2, y: 12, fill });
    return { width: size.width, height: size.height + 18, marks: name + at(0, 18, panel(scene, row, size, heat(row))) };
  });
  return flowing(panels, ROOM, GAP);
}

/**
 * @param {PictureScene} scene @param {number} aspect @param {(row: number) => string} heat @param {Measure} measure
 * @param {boolean} moves whether others of its size stand in a row with it @returns {Piece}
 */
function one(scene, aspect, heat, measure, moves) {
  const width = Math.min(ONE.wide, ONE.high * aspect);
  const size = { width, height: width / aspect };
  const picture = { ...size, marks: panel(scene, scene.row, size, heat(scene.row)) };
  const told = (/** @type {number} */ row) => paragraph(sentence(scene, row), { size: 11 }, Math.max(width, 300), measure, { fill: INK.soft, most: 4 });
  const tallest = Math.max(...scene.rows.map((_, row) => told(row).height));
  return stacked([picture, { ...told(scene.row), ...(moves ? { height: tallest } : {}) }], 10);
}

/** The photo, the map of a row, and what is marked on it. @param {PictureScene} scene @param {number} row @param {{width: number, height: number}} size @param {string} heat */
function panel(scene, row, { width, height }, heat) {
  const stretched = `scale(${number(width)} ${number(height)})`;
  const photo = tag("use", { href: "#photo", transform: stretched });
  const map = tag("image", { width, height, preserveAspectRatio: "none", href: heat });
  const lines = scene.style === "outline" ? around(scene, row, width, height) : [];
  const drawn = drawnAt(scene, row).flatMap(({ cell }) => {
    const { left, top, width: wide, height: high } = cellRectangle(scene.trace.source, cell, scene.trace.picture);
    const place = { x: left * width, y: top * height, width: wide * width, height: high * height, fill: "none" };
    return [tag("rect", { ...place, stroke: "#000000", "stroke-width": 3 }), tag("rect", { ...place, stroke: "#ffffff", "stroke-width": 1.5 })];
  });
  return [photo, map, ...lines, ...drawn].join("");
}

/** @param {PictureScene} scene @param {number} row @param {number} width @param {number} height */
function around(scene, row, width, height) {
  const field = fieldAt(scene, row);
  return SURROUNDED.flatMap((share) => {
    // Brought to its size here: many programs of paper know no strokes that do not scale.
    const d = outline(field, levelOf(field, share)).replace(/([\d.]+) ([\d.]+)/g, (_, x, y) => `${number((x * width) / 1000)} ${number((y * height) / 1000)}`);
    return [tag("path", { d, fill: "none", stroke: "#000000", "stroke-width": 2.5, "stroke-linecap": "round" }), tag("path", { d, fill: "none", stroke: "#ffffff", "stroke-width": 1.2, "stroke-linecap": "round" })];
  });
}
