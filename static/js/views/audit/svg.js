/** The audit of a text as SVG: the verdict, the maps and the figures. Pure. */

/** @import {Audit} from "../../core/wire" */
/** @import {View as MapView, Scene} from "../../core/types" */
/** @import {SvgHow} from "../types" */
/** @import {Measure} from "../../draw/type.js" */

import { differenceOf, heatmapOf } from "../../core/heatmap.js";
import { PAPER } from "../../draw/ink.js";
import { heatmap } from "../../draw/paper/heatmap.js";
import { ROOM, sheet } from "../../draw/paper/sheet.js";
import { beside, stacked } from "../../draw/pieces.js";
import { paragraph } from "../../draw/type.js";
import { mapOf, mapsOf } from "./model.js";
import { aboutAudit, auditOn, report } from "./paper.js";
import { valueMaps } from "./values.js";

const GAP = 24;

/** @param {Scene} scene @param {SvgHow} how */
export function draw(scene, { measure, companions }) {
  const audit = auditOn(companions);
  const body = report(audit, maps(audit, measure), measure);
  return sheet(scene, body, measure, { sentences: "both", about: aboutAudit(audit) });
}

/** @param {Audit} audit @param {Measure} measure */
function maps(audit, measure) {
  const { attention, effect } = mapsOf(audit);
  const room = (ROOM - GAP) / 2;
  const heat = (/** @type {MapView} */ { weights }) =>
    heatmapOf(weights ?? [], { scale: "whole", log: false, palette: PAPER }).colourAt;
  const costs = differenceOf(effect.weights ?? [], PAPER, () => true, 0.1);
  const drawn = [
    { title: "Attention", view: attention, shade: heat(attention) },
    {
      title: `Effect in bits, up to ${costs.most.toFixed(1)}`,
      view: effect,
      shade: costs.colourAt,
    },
    ...valueMaps(audit).map(({ name, numbers, symbol }) => {
      const view = mapOf(audit, numbers, symbol);
      return { title: `${name}, ${symbol}`, view, shade: heat(view) };
    }),
  ].map(({ title, view, shade }) =>
    stacked(
      [
        paragraph(title, { size: 11.5, bold: true }, room, measure),
        heatmap(view, { room, shade, names: null, highest: 18 }, measure),
      ],
      6,
    ),
  );
  const pairs = Array.from({ length: Math.ceil(drawn.length / 2) }, (_, pair) =>
    beside(drawn.slice(2 * pair, 2 * pair + 2), GAP),
  );
  const fits = pairs.every(({ width }) => width <= ROOM);
  return stacked(fits ? pairs : drawn, GAP);
}
