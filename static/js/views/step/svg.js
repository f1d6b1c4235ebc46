/** One step as SVG, up to the part that is shown. Pure. */

/** @import {Alternative, MapScene, PictureScene} from "../../core/types" */
/** @import {Piece} from "../../draw/marks.js" */
/** @import {Measure} from "../../draw/type.js" */
/** @import {SvgHow} from "../types" */
/** @import {CellScale} from "./cells.js" */
/** @import {Chain, Content, Formula, Key, StepModel} from "./model.js" */
/** @import {StepScene} from "./view.js" */

import { ExportRefused } from "../../core/errors.js";
import { shownAspect } from "../../core/photo_map.js";
import { noSteps } from "../../core/step_sentences.js";
import { percent, signed } from "../../core/text.js";
import { barLines } from "../../draw/bars.js";
import { INK } from "../../draw/ink.js";
import { at, mark, rect } from "../../draw/marks.js";
import { photoSheet } from "../../draw/paper/photo_sheet.js";
import { ROOM, sheet } from "../../draw/paper/sheet.js";
import { spark, vectorDrawing } from "../../draw/paper/vector.js";
import { sheetPhoto } from "../../draw/photo_marks.js";
import { beside, stacked } from "../../draw/pieces.js";
import { headed, label, paragraph, short, wrapped } from "../../draw/type.js";
import { sparkPath } from "../../draw/vector.js";
import { LINE, PATCH, beliefOf, patchesOf } from "../path/svg.js";
import { cellMarks, gateNote } from "./cells.js";
import { comparedAndAdded, tallest } from "./model.js";

/** Widths of the side with the scores and of the other one. */
const SIDES = { scores: 432, others: 268 };
const GAP = 30;
/** The width of each of two equal sides. */
const SIDE = (ROOM - GAP) / 2;
/** Positions of the columns of the table. */
const TABLE = { h: 84, e: 192, shifted: 240, exponential: 290, bar: 302, weight: 382, faded: 392 };
const SPARK = 40;
const KEYS = 34;
const NOTE = { size: 10.5 };
/** Limits of a figure of cells. */
const MOST = { width: 200, height: 170 };

/** @param {StepScene} scene @param {SvgHow} how */
export function draw(scene, { measure, moment, model }) {
  if (scene.parts < 2) throw new ExportRefused(noSteps(scene));
  const row = moment?.row ?? scene.row;
  /** @type {StepModel<any>} */
  const step = /** @type {any} */ (model).stepOf(scene, row);
  const about = scene.kind.sentence(/** @type {never} */ (scene), row);
  const parts = step.parts.slice(0, (moment?.part ?? scene.part) + 1);
  const page = { step, scene, shown: new Set(parts), measure };
  const body = step.explained ? evenSides(about, page) : sidesOf(about, page);
  const room = Math.max(body.width, ROOM);
  return scene.kind.photo
    ? photoSheet(/** @type {PictureScene} */ (scene), body, measure, { room, about })
    : sheet(/** @type {MapScene} */ (scene), body, measure, {
        sentences: step.explained ? "none" : "both",
        about,
      });
}

/** @typedef {{step: StepModel<any>, scene: StepScene, shown: Set<string>, measure: Measure}} Page */

/** The parts of a step, under its sentence: the table of the scores needs the wider side. @param {string} about @param {Page} page @returns {Piece} */
function sidesOf(about, page) {
  const { parts, left: half } = page.step;
  const room = half ? SIDES.scores + GAP + SIDES.others : SIDES.others + 130;
  const said = paragraph(about, { size: 13 }, room, page.measure, { most: 2 });
  const left = stacked(
    parts.slice(0, half).map((name) => section(name, SIDES.scores, page)),
    22,
  );
  const right = stacked(
    parts.slice(half).map((name) => section(name, half ? SIDES.others : room, page)),
    22,
  );
  const body = {
    width: room,
    height: Math.max(left.height, right.height),
    marks: [...left.marks, at(half ? SIDES.scores + GAP : 0, 0, right.marks)],
  };
  return stacked([said, body], 18);
}

/** A sentence, and below it the parts with their explanations, in two columns of the same width. @param {string} about @param {Page} page @returns {Piece} */
function evenSides(about, page) {
  const { parts, left } = page.step;
  const sections = parts.map((name) => section(name, SIDE, page));
  const sides = [stacked(sections.slice(0, left), 22), stacked(sections.slice(left), 22)];
  const drawing = {
    ...beside(
      sides.map((side) => ({ ...side, width: SIDE })),
      GAP,
    ),
    width: ROOM,
  };
  return stacked([paragraph(about, { size: 13 }, ROOM, page.measure, { most: 2 }), drawing], 18);
}

/** @param {string} name @param {number} room @param {Page} page @returns {Piece} */
function section(name, room, page) {
  const { step, shown, measure } = page;
  const { title, says, formula: symbols } = step.textOf(name);
  const pieces = step
    .contentsOf(name)
    .flatMap((content) => (content.page ? [] : (drawn(content, room, page) ?? [])));
  if (step.explained) pieces.unshift(remark(says, room, measure));
  return framed(
    {
      ...{ place: step.parts.indexOf(name), title, symbols, there: shown.has(name) },
      body: pieces.length ? stacked(pieces, step.explained ? 8 : 10) : null,
      // The table of the scores fills up part by part.
      grows: name === "scores" && !step.explained,
    },
    room,
    measure,
  );
}

/** @param {string} text @param {number} room @param {Measure} measure */
const remark = (text, room, measure) =>
  paragraph(text, NOTE, room, measure, { fill: INK.soft, most: 5 });

/** A figure of a part. @param {Content} content @param {number} room @param {Page} page @returns {Piece | null} */
function drawn(content, room, { step, scene, shown, measure }) {
  const { vector, note, cells, gate, alternatives: words, patches } = content;
  if (vector) {
    const { symbol, meaning, value } = vector;
    return vectorDrawing(symbol, meaning, value, { room }, measure);
  }
  if (note !== undefined) return remark(note, room, measure);
  if (content.keys) return keys(/** @type {Chain} */ (step), shown, measure);
  if (cells) return cellsOf(/** @type {PictureScene} */ (scene), cells.scale, measure);
  if (gate !== undefined) return remark(`β ${gateNote(gate)}`, room, measure);
  const glimpses = /** @type {import("../../core/types").GlimpseScene} */ (scene);
  if (patches !== undefined)
    return { width: room, height: PATCH + 26, marks: patchesOf(glimpses, patches, false) };
  if (!words?.all.length) return null;
  return words.digits
    ? { width: room, height: words.all.length * LINE, marks: beliefOf(words.all, words.written) }
    : alternatives(words.all, words.written, room, measure);
}

/** Cells, with a line below. @param {PictureScene} scene @param {CellScale} scale @param {Measure} measure @returns {Piece} */
function cellsOf(scene, scale, measure) {
  const aspect = shownAspect(scene.trace.picture);
  const width = Math.min(MOST.width, MOST.height * aspect);
  const size = { width, height: width / aspect };
  const picture = {
    ...size,
    marks: cellMarks(scene, scale, size, { look: INK, photo: sheetPhoto }),
  };
  return stacked([picture, ...(scale.caption ? [remark(scale.caption, SIDE, measure)] : [])], 4);
}

/**
 * A part with its number, its title and its formula. Hidden parts keep their place, so that nothing
 * moves from frame to frame.
 * @param {{place: number, title: string, symbols: Formula, there: boolean, body: Piece | null, grows?: boolean}} part
 * @param {number} room @param {Measure} measure @returns {Piece}
 */
function framed({ place, title: text, symbols, there, body, grows = false }, room, measure) {
  const fill = there ? INK.ink : "#c9c5bc";
  const circle = mark("circle", {
    cx: 9,
    cy: 9,
    r: 8.5,
    fill: "none",
    stroke: there ? INK.edge : INK.line,
  });
  const number = label(
    String(place + 1),
    { size: 10.5 },
    { x: 9, y: 12.7, anchor: "middle", fill: there ? INK.soft : fill },
  );
  const title = label(text, { size: 12.5, bold: true }, { x: 26, y: 13.5, fill });
  const head = { width: room, height: 20, marks: [circle, number, title] };
  const written = symbols.map((piece) => (typeof piece === "string" ? piece : piece.symbol));
  const face = { size: 14, serif: true, italic: true };
  const lines = wrapped(written.join(""), face, room, measure, 2);
  const formulas = {
    width: room,
    height: lines.length * 19 + 2,
    marks: lines.map((text, index) => label(text, face, { x: 0, y: 15 + index * 19 })),
  };
  return stacked(
    [
      head,
      there ? formulas : { ...formulas, marks: [] },
      ...(body ? [there || grows ? body : { ...body, marks: [] }] : []),
    ],
    4,
  );
}

/** The table of every token read. @param {Chain} chain @param {Set<string>} shown @param {Measure} measure @returns {Piece} */
function keys(chain, shown, measure) {
  const { keys: all, own, names: vectors } = chain;
  const high = Math.max(12, Math.min(20, (KEYS * 20) / all.length));
  const size = Math.min(11.5, high * 0.72);
  const { compared, added } = comparedAndAdded(chain);
  const [most, highest] = [tallest(compared), tallest(added)];
  const there = compared.some(Boolean);
  const faded = added.some(Boolean) && shown.has("context");
  const weighed = shown.has("weights");
  const [k, v] = vectors.key;
  /** @type {[string, number, "start" | "end", boolean][]} */
  const columns = [
    [own ? k : "h", TABLE.h, "start", there],
    ["e", TABLE.e, "end", shown.has("scores")],
    ["e − max", TABLE.shifted, "end", weighed],
    ["exp", TABLE.exponential, "end", weighed],
    ["α", TABLE.weight, "end", weighed],
    [own ? `α·${v}` : "α·h", TABLE.faded, "start", faded],
  ];
  const face = { size: 12, serif: true, italic: true };
  const names = columns.flatMap(([text, x, anchor, there]) =>
    there ? [label(text, face, { x, y: 12, anchor, fill: INK.soft })] : [],
  );
  const top = 18;
  const rows = all.map((key, index) => {
    const drawn = keyOnPaper(key, {
      one: compared[index],
      other: faded ? added[index] : null,
      high,
      size,
      most,
      highest,
      shown,
      measure,
    });
    return at(0, top + index * high, drawn, key.later ? { opacity: 0.35 } : {});
  });
  return {
    width: SIDES.scores,
    height: top + all.length * high,
    marks: [...names, ...rows],
  };
}

/**
 * @param {Key} key
 * @param {{one: Key["key"], other: Key["key"], high: number, size: number, most: number, highest: number, shown: Set<string>, measure: Measure}} how
 */
function keyOnPaper(
  { item, score, shifted, exponential, weight },
  { one, other, high, size, most, highest, shown, measure },
) {
  const base = high / 2 + size * 0.35;
  const number = (
    /** @type {number | null} */ value,
    /** @type {number} */ digits,
    /** @type {number} */ x,
  ) => label(value === null ? "–" : signed(value, digits), { size }, { x, y: base, anchor: "end" });
  const name = headed(item, size, TABLE.h - 10, measure);
  const wide = TABLE.weight - TABLE.bar - 34;
  const tall = high - 3;
  return [
    mark("path", { d: `M0 0H${SIDES.scores}`, stroke: INK.line, "stroke-width": 0.75 }),
    label(name.text, name.face, { x: 0, y: base, fill: name.fill }),
    one &&
      at(TABLE.h, 1.5, spark(sparkPath(one.summary, most), one.summary.length, SPARK * 1.5, tall)),
    shown.has("scores") ? number(score, 2, TABLE.e) : null,
    ...(shown.has("weights")
      ? [
          number(shifted, 2, TABLE.shifted),
          number(exponential, 3, TABLE.exponential),
          rect(TABLE.bar, high / 2 - 4, wide, 8, { fill: INK.grid }),
          rect(TABLE.bar, high / 2 - 4, Math.max(weight * wide, 0.75), 8, { fill: INK.accent }),
          number(weight, 3, TABLE.weight),
        ]
      : []),
    other &&
      at(
        TABLE.faded,
        1.5,
        spark(sparkPath(other.summary, highest), other.summary.length, SPARK, tall, weight),
      ),
  ];
}

/** @param {Alternative[]} all @param {number} written @param {number} room @param {Measure} measure @returns {Piece} */
function alternatives(all, written, room, measure) {
  const high = 20;
  const [start, end] = [68, room - 52];
  const marks = barLines(all, written).flatMap(({ text, quiet, chosen, probability }, index) => {
    const face = { size: 11.5, bold: chosen };
    const name = { ...face, italic: quiet === "mark" };
    const fill = chosen ? INK.ink : INK.soft;
    const y = index * high;
    return [
      label(short(text, name, start - 8, measure), name, {
        x: start - 8,
        y: y + 14,
        anchor: "end",
        fill,
      }),
      rect(start, y + 5, end - start, 9, { fill: INK.grid }),
      rect(start, y + 5, Math.max((end - start) * probability, 0.75), 9, {
        fill: chosen ? INK.accent : INK.edge,
      }),
      label(percent(probability), face, { x: room, y: y + 14, anchor: "end", fill }),
    ];
  });
  return { width: room, height: all.length * high, marks };
}
