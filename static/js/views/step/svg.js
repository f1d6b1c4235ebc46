/** One decoding step as SVG, up to the part that is shown. Pure. */

/** @import {Alternative, ChainScene, Vector} from "../../core/types" */
/** @import {Chain, Key} from "./step_model.js" */
/** @import {PartName} from "../../core/step_parts.js" */
/** @import {Moment} from "../../export/gif/frames.js" */
/** @import {Piece} from "../../draw/marks.js" */
/** @import {SvgHow} from "../types" */
/** @import {Measure} from "../../draw/type.js" */

import { chainOf, formula, sparkPath } from "./step_model.js";
import { ExportRefused } from "../../core/errors.js";
import { noSteps } from "../../core/sentences.js";
import { ROOM, sheet } from "../../draw/paper/sheet.js";
import { heading, percent, signed } from "../../core/text.js";
import { contentsOf } from "./contents.js";
import { stepText } from "./step_text.js";
import { INK } from "../../draw/ink.js";
import { at, mark, rect } from "../../draw/marks.js";
import { beside, stacked } from "../../draw/pieces.js";
import { headed, label, paragraph, short, wrapped } from "../../draw/type.js";
import { spark, vectorDrawing } from "../../draw/paper/vector.js";

/** Widths of the side with the scores and of the other one. */
const SIDES = { scores: 432, others: 268 };
const GAP = 30;
/** The width of each of two equal sides. */
export const SIDE = (ROOM - GAP) / 2;
/** Positions of the columns of the table. */
const TABLE = { h: 84, e: 192, shifted: 240, exponential: 290, bar: 302, weight: 382, faded: 392 };
const SPARK = 40;
const KEYS = 34;

/** @param {ChainScene} scene @param {SvgHow} how */
export function draw(scene, { measure, moment }) {
  if (scene.parts < 2) throw new ExportRefused(noSteps(scene));
  const how = {
    chainAt: (/** @type {number} */ row) => chainOf(scene, row),
    says: (/** @type {number} */ row) => scene.kind.sentence(scene, row),
  };
  return sheet(scene, chainDrawing(scene, how, measure, moment), measure, {
    sentences: "both",
    about: scene.kind.sentence(scene, scene.row),
  });
}

/**
 * The parts of a step, under its sentence.
 * @param {Stepped} scene @param {{chainAt: (row: number) => Chain, says: (row: number) => string}} how
 * @param {Measure} measure @param {Moment | null} moment @returns {Piece}
 */
export function chainDrawing(scene, { chainAt, says: saysAt }, measure, moment) {
  const row = moment?.row ?? scene.row;
  const part = moment?.part ?? scene.part;
  const chain = chainAt(row);
  const half = chain.parts.includes("scores") ? chain.parts.indexOf("scores") + 1 : 0;
  const room = half ? SIDES.scores + GAP + SIDES.others : SIDES.others + 130;
  const said = paragraph(saysAt(row), { size: 13 }, room, measure, { most: 2 });
  const shown = new Set(chain.parts.slice(0, part + 1));
  const drawPart = (/** @type {PartName} */ name, /** @type {number} */ wide) =>
    section(name, { chain, scene, shown, room: wide, measure });
  const left = stacked(
    chain.parts.slice(0, half).map((name) => drawPart(name, SIDES.scores)),
    22,
  );
  const right = stacked(
    chain.parts.slice(half).map((name) => drawPart(name, half ? SIDES.others : room)),
    22,
  );
  const body = {
    width: room,
    height: Math.max(left.height, right.height),
    marks: [...left.marks, at(half ? SIDES.scores + GAP : 0, 0, right.marks)],
  };
  return stacked([said, body], 18);
}

/** A sentence, and below it parts in two columns of the same width, so many of them on the left. @param {string} said @param {Piece[]} parts @param {number} left @param {Measure} measure @returns {Piece} */
export function twoSides(said, parts, left, measure) {
  const sides = [stacked(parts.slice(0, left), 22), stacked(parts.slice(left), 22)];
  const drawing = {
    ...beside(
      sides.map((side) => ({ ...side, width: SIDE })),
      GAP,
    ),
    width: ROOM,
  };
  return stacked([paragraph(said, { size: 13 }, ROOM, measure, { most: 2 }), drawing], 18);
}

/**
 * @typedef {Pick<ChainScene, "row" | "part" | "model">} Stepped
 * @typedef {{chain: Chain, scene: Stepped, shown: Set<PartName>, room: number, measure: Measure}} Context
 * @param {PartName} name @param {Context} context @returns {Piece}
 */
function section(name, { chain, scene, shown, room, measure }) {
  const symbols = formula(name, chain, scene.model);
  const body = bodyOf(name, { chain, scene, shown, room, measure });
  const { title } = stepText(name, chain);
  const about = { place: chain.parts.indexOf(name), title, symbols, there: shown.has(name) };
  // The table of the scores fills up part by part.
  return framed({ ...about, body, grows: name === "scores" }, room, measure);
}

/**
 * A part with its number, its title and its formula. Hidden parts keep their place, so that nothing
 * moves from frame to frame.
 * @param {{place: number, title: string, symbols: ReturnType<typeof formula>, there: boolean, body: Piece | null, grows?: boolean}} part
 * @param {number} room @param {Measure} measure @returns {Piece}
 */
export function framed({ place, title: text, symbols, there, body, grows = false }, room, measure) {
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

/** @param {PartName} name @param {Context} context @returns {Piece | null} */
function bodyOf(name, { chain, shown, room, measure }) {
  const remark = (/** @type {string} */ text) =>
    paragraph(text, { size: 10.5 }, room, measure, { fill: INK.soft, most: 4 });
  const pieces = contentsOf(name, chain).map((content) =>
    "remark" in content
      ? remark(content.remark)
      : vectorDrawing(content.symbol, content.meaning, content.value, { room }, measure),
  );
  if (name === "scores") {
    pieces.push(keys(chain, shown, measure));
    if (chain.others) pieces.push(remark(chain.others));
  }
  // Without a part for the word, they are in the last one.
  if (name === "word" || (name === "state" && !chain.parts.includes("word")))
    pieces.push(...written(chain, room, measure));
  return pieces.length ? stacked(pieces, 10) : null;
}

/** @param {Chain} chain @param {number} room @param {Measure} measure */
const written = ({ alternatives: all, written: chosen }, room, measure) =>
  all.length ? [alternatives(all, chosen, room, measure)] : [];

/** The table of every token read. @param {Chain} chain @param {Set<PartName>} shown @param {Measure} measure @returns {Piece} */
function keys({ keys: all, own, summed, words }, shown, measure) {
  const high = Math.max(12, Math.min(20, (KEYS * 20) / all.length));
  const size = Math.min(11.5, high * 0.72);
  // The vectors compared with the query: the keys of the head, or the memory.
  const compared = all.map(({ key, memory }) => (own ? key : memory));
  const added = all.map(({ value, memory }) => (own ? value : summed ? memory : null));
  const [most, highest] = [tallest(compared), tallest(added)];
  const there = compared.some(Boolean);
  const faded = added.some(Boolean) && shown.has("context");
  const weighed = shown.has("weights");
  const [k, v] = words?.key ?? ["k", "v"];
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

/** The largest of all numbers drawn. @param {(Vector | null)[]} vectors */
const tallest = (vectors) =>
  Math.max(1e-9, ...vectors.flatMap((vector) => vector?.summary.map(Math.abs) ?? []));

/**
 * @param {Key} key
 * @param {{one: Vector | null, other: Vector | null, high: number, size: number, most: number, highest: number, shown: Set<PartName>, measure: Measure}} how
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
export function alternatives(all, written, room, measure) {
  const high = 20;
  const [start, end] = [68, room - 52];
  const marks = all.flatMap(({ id, text, probability }, index) => {
    const { text: shown, quiet } = heading({
      text,
      start: 0,
      end: 0,
      special: /^<.+>$/.test(text),
    });
    const chosen = id === written;
    const face = { size: 11.5, bold: chosen, italic: quiet === "mark" };
    const fill = chosen ? INK.ink : INK.soft;
    const y = index * high;
    return [
      label(short(shown, face, start - 8, measure), face, {
        x: start - 8,
        y: y + 14,
        anchor: "end",
        fill,
      }),
      rect(start, y + 5, end - start, 9, { fill: INK.grid }),
      rect(start, y + 5, Math.max((end - start) * probability, 0.75), 9, {
        fill: chosen ? INK.accent : INK.edge,
      }),
      label(
        percent(probability),
        { size: 11.5, bold: chosen },
        { x: room, y: y + 14, anchor: "end", fill },
      ),
    ];
  });
  return { width: room, height: all.length * high, marks };
}
