/** Models side by side as SVG, and the difference of two of them. Pure. */

/** @import {Model, Scene, Settings, Trace, View} from "../../core/types" */
/** @import {Moment} from "../../export/gif/frames.js" */
/** @import {Piece} from "../../draw/marks.js" */
/** @import {SvgHow} from "../types" */
/** @import {Measure, Run} from "../../draw/type.js" */

import { differing } from "../../core/differing.js";
import {
  NOT_YET,
  differences,
  formulaOf,
  lostWords,
  markless,
  measured,
  measures,
  ordered,
  referenceOf,
  shortName,
  spaced,
  wordKey,
} from "./model.js";
import { ExportRefused } from "../../core/errors.js";
import { differenceOf, heatmapOf } from "../../core/heatmap.js";
import { sceneOf } from "../../core/scene.js";
import { noAttention } from "../../core/sentences.js";
import { visible } from "../../core/text.js";
import { bar } from "../../draw/scale.js";
import { heatmap } from "../../draw/paper/heatmap.js";
import { INK, paletteOf } from "../../draw/ink.js";
import { flowing, stacked } from "../../draw/pieces.js";
import { ROOM, sheet } from "../../draw/paper/sheet.js";
import { label, paragraph } from "../../draw/type.js";

const GAP = 28;
/** Minimum width of a column; a card of many columns takes more of the page. */
const CELL = 15;
const HEADINGS = 84;
const LINE = 21;
const WORDS = { size: 15, serif: true };

/**
 * The models on the page, and the difference of the first two if it is drawn.
 * @typedef {object} Compared
 * @property {{model: Model, trace: Trace | null, failure: string | null}[]} entries
 * @property {{names: string[], text: string, view: View, values: number[][]} | null} apart
 * @property {(View | null)[]} left what is left of the map of each entry without that of another model; null where the weights are drawn
 * @property {Settings} settings
 */

/** @param {Scene} scene @param {SvgHow} how */
export function draw(scene, { measure, companions, moment }) {
  const compared = /** @type {Compared | null | undefined} */ (companions?.drawn);
  if (!compared) throw new ExportRefused(NOT_YET);
  const about = "Several models side by side on one sentence.";
  // The cards have the names of the models; the input is above all of them.
  const [model] = scene.model.name.split(", ");
  return sheet(scene, drawing(scene, compared, measure, moment), measure, {
    sentences: "input",
    about,
    model,
  });
}

/** @param {Scene} scene @param {Compared} compared @param {Measure} measure @param {Moment | null} moment @returns {Piece} */
function drawing(scene, { entries, apart, left, settings }, measure, moment) {
  const palette = paletteOf(scene);
  const heats = differences(left, palette);
  const answered = entries.flatMap(({ model, trace }, place) => {
    if (!trace) return [];
    const own = { ...sceneOf(trace, { ...settings, pick: 0 }, model), paper: scene.paper };
    return [{ scene: own, left: left[place] ?? null, heat: heats[place] ?? null }];
  });
  const places = ordered(
    answered.map(({ scene }) => measures({ ...scene, weights: scene.view.weights })),
    settings.sort,
  );
  const scenes = answered.map((each) => each.scene);
  const reference = scenes[referenceOf(scenes.map(({ model }) => model))] ?? null;
  const columns = scene.view.columns.length;
  const fits = [3, 2].find(
    (count) => count <= scenes.length && columns * CELL + HEADINGS <= widthOf(count),
  );
  const room = widthOf(fits ?? 1);
  const cards = flowing(
    places.map((place) => {
      const { scene: each, ...difference } = answered[place];
      return card(each, difference, reference, room, measure, moment);
    }),
    ROOM,
    GAP,
  );
  const scale = bar(
    scene.log ? "α, log" : "α\u2002 0",
    scene.scale === "row" ? "largest of each row" : "largest of each map",
    heatmapOf([], { ...scene, palette }).colourOf,
    measure,
  );
  const drawn = scenes.some(({ view }) => view.weights) ? stacked([cards, scale], 16) : cards;
  return apart && !moment ? stacked([drawn, difference(apart, scene, measure)], GAP) : drawn;
}

/** @param {number} count of cards in a line */
const widthOf = (count) => (ROOM - (count - 1) * GAP) / count;

/** @param {Scene} scene @param {{left: View | null, heat: {colourAt: (row: number, column: number) => string} | null}} difference drawn instead of the weights @param {Scene | null} reference the model that the others are compared with @param {number} room @param {Measure} measure @param {Moment | null} moment @returns {Piece} */
function card(scene, { left, heat }, reference, room, measure, moment) {
  const { view } = scene;
  const base = reference?.view.rows ?? view.rows;
  const title = paragraph(shortName(scene.model), { size: 12.5, bold: true }, room, measure, {
    most: 1,
  });
  const differs = differing(view.rows.map(wordKey), base.map(wordKey));
  const until = moment?.row ?? Infinity;
  const last = view.rows.length - 1;
  const words = spaced(view.rows).map(({ row, index, space }) => ({
    text: visible(row.text.trim()),
    space,
    underlined: differs[index],
    fill: index > until ? INK.paper : undefined,
  }));
  const text = runs(words, room, measure);
  const pieces = [title, text];
  const missing = lostWords(view.rows, base).map(({ item }) => visible(item.text.trim()));
  if (missing.length && !moment)
    pieces.push(
      paragraph(`lost: ${missing.join(" ")}`, { size: 11, italic: true }, room, measure, {
        fill: INK.soft,
        most: 4,
      }),
    );
  if (view.weights) {
    const { colourAt: shade } =
      heat ?? heatmapOf(view.weights, { ...scene, palette: paletteOf(scene) });
    const current = moment && moment.current !== null && moment.row <= last ? moment.row : null;
    pieces.push(
      heatmap(left ?? view, { room, shade, names: null, until, current, highest: 18 }, measure),
    );
  } else
    pieces.push(
      paragraph(
        noAttention(scene.output.steps[0]?.context?.size ?? 0),
        { size: 11 },
        Math.min(room, 240),
        measure,
        { fill: INK.soft, most: 5 },
      ),
    );
  pieces.push(
    paragraph(formulaOf(scene.model), { size: 11, serif: true }, room, measure, { most: 2 }),
    paragraph(
      measured({ ...scene, weights: view.weights })
        .map(({ term, value }) => `${term} ${value}`)
        .join(" · "),
      { size: 10 },
      room,
      measure,
      { fill: INK.soft, most: 2 },
    ),
  );
  return { ...stacked(pieces, 8), width: room };
}

/**
 * Words in lines; those that differ are underlined.
 * @param {{text: string, space: boolean, underlined: boolean, fill?: string}[]} words
 * @param {number} room @param {Measure} measure @returns {Piece}
 */
function runs(words, room, measure) {
  /** @type {Run[][]} */
  const lines = [[]];
  let used = 0;
  for (const { text, space, underlined, fill } of words) {
    const gap = space && lines[lines.length - 1].length ? " " : "";
    const wide = measure(text, WORDS);
    if (used && used + measure(gap, WORDS) + wide > room) {
      lines.push([]);
      used = 0;
    } else if (gap) lines[lines.length - 1].push({ text: gap });
    lines[lines.length - 1].push({ text, underlined: underlined && !fill, fill });
    used += measure(gap, WORDS) + wide;
  }
  const marks = lines.flatMap((each, index) =>
    each.length ? [label(each, WORDS, { x: 0, y: 15 + index * LINE })] : [],
  );
  return { width: room, height: lines.length * LINE, marks };
}

/** @param {NonNullable<Compared["apart"]>} apart @param {Scene} scene @param {Measure} measure @returns {Piece} */
function difference({ names: [one, other], text, view, values }, scene, measure) {
  const title = paragraph(
    `Difference in attention, for the output “${visible(text)}”`,
    { size: 12.5, bold: true },
    ROOM,
    measure,
    { most: 2 },
  );
  const {
    colourAt: shade,
    colourOf,
    most,
  } = differenceOf(values, paletteOf(scene), markless(view));
  const map = heatmap(
    view,
    { room: ROOM, shade, names: scene.kind.lines(scene), highest: 20 },
    measure,
  );
  const ends = [`more from ${other}, by ${most.toFixed(2)}`, `more from ${one}`];
  return stacked(
    [title, map, bar(ends[0], ends[1], (position) => colourOf(position * 2 - 1), measure)],
    10,
  );
}
