/** An audit as SVG: the verdict, both maps and the figures. Pure. */

/** @import {Audit} from "../../core/wire" */
/** @import {Scene} from "../../core/types" */
/** @import {SvgHow} from "../types" */
/** @import {Measure} from "../../draw/type.js" */
/** @import {Piece} from "../../draw/marks.js" */

import { ExportRefused } from "../../core/errors.js";
import { differenceOf, heatmapOf } from "../../core/heatmap.js";
import { INK, PAPER } from "../../draw/ink.js";
import { at } from "../../draw/marks.js";
import { heatmap } from "../../draw/paper/heatmap.js";
import { ROOM, sheet } from "../../draw/paper/sheet.js";
import { beside, stacked } from "../../draw/pieces.js";
import { paragraph } from "../../draw/type.js";
import { STRIP, strip } from "./marks.js";
import { figuresOf, mapsOf } from "./model.js";

const GAP = 24;

/** @param {Scene} scene @param {SvgHow} how */
export function draw(scene, { measure, companions }) {
  const audit = /** @type {Audit | null | undefined} */ (companions?.drawn);
  if (!audit) throw new ExportRefused("Wait until the audit is done.");
  const body = stacked(
    [
      ...audit.verdict.map((sentence) =>
        paragraph(sentence, { size: 13 }, ROOM, measure, { most: 6 }),
      ),
      maps(audit, measure),
      ...figuresOf(audit).map((figure) => row(figure, measure)),
      paragraph(audit.words.join(" "), { size: 10 }, ROOM, measure, { fill: INK.soft, most: 8 }),
    ],
    12,
  );
  return sheet(scene, body, measure, {
    sentences: "both",
    about: `An audit of the attention. ${audit.verdict.join(" ")}`,
  });
}

/** @param {Audit} audit @param {Measure} measure */
function maps(audit, measure) {
  const { attention, effect } = mapsOf(audit);
  const room = (ROOM - GAP) / 2;
  const heat = heatmapOf(attention.weights ?? [], { scale: "whole", log: false, palette: PAPER });
  const costs = differenceOf(effect.weights ?? [], PAPER, () => true, 0.1);
  const drawn = [
    { title: "Attention", view: attention, shade: heat.colourAt },
    {
      title: `Effect in bits, up to ${costs.most.toFixed(1)}`,
      view: effect,
      shade: costs.colourAt,
    },
  ].map(({ title, view, shade }) =>
    stacked(
      [
        paragraph(title, { size: 11.5, bold: true }, room, measure),
        heatmap(view, { room, shade, names: null, highest: 18 }, measure),
      ],
      6,
    ),
  );
  const both = beside(drawn, GAP);
  return both.width <= ROOM ? both : stacked(drawn, GAP);
}

/** @param {import("./model.js").Figure} figure @param {Measure} measure @returns {Piece} */
function row(figure, measure) {
  const room = ROOM - STRIP.width - GAP;
  const text = stacked(
    [
      paragraph(`${figure.name}: ${figure.text}`, { size: 11, bold: true }, room, measure, {
        most: 2,
      }),
      paragraph(figure.baseline, { size: 10 }, room, measure, { fill: INK.soft, most: 2 }),
    ],
    3,
  );
  return beside([{ ...STRIP, marks: [at(0, 4, strip(figure, INK))] }, text], GAP);
}
