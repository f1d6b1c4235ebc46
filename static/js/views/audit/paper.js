/** The words and the figures of an audit as SVG, around its maps. Pure. */

/** @import {Audit} from "../../core/wire" */
/** @import {Companions} from "../types" */
/** @import {Measure} from "../../draw/type.js" */
/** @import {Piece} from "../../draw/marks.js" */

import { ExportRefused } from "../../core/errors.js";
import { INK } from "../../draw/ink.js";
import { at } from "../../draw/marks.js";
import { ROOM } from "../../draw/paper/sheet.js";
import { beside, stacked } from "../../draw/pieces.js";
import { paragraph } from "../../draw/type.js";
import { STRIP, strip } from "./marks.js";
import { figuresOf } from "./model.js";

const GAP = 24;

/** The audit on screen. @param {Companions | null} companions @returns {Audit} */
export function auditOn(companions) {
  const audit = /** @type {Audit | null | undefined} */ (companions?.drawn);
  if (!audit) throw new ExportRefused("Wait until the audit is done.");
  return audit;
}

/** @param {Audit} audit */
export const aboutAudit = ({ verdict }) => `An audit of the attention. ${verdict.join(" ")}`;

/** The report around the maps. @param {Audit} audit @param {Piece} maps @param {Measure} measure */
export const report = (audit, maps, measure) =>
  stacked(
    [
      ...audit.verdict.map((sentence) =>
        paragraph(sentence, { size: 13 }, ROOM, measure, { most: 6 }),
      ),
      maps,
      ...figuresOf(audit).map((figure) => row(figure, measure)),
      paragraph(
        `${audit.words.join(" ")} Heed ${audit.version}; ${audit.choices.seeds} seeds; weights ${audit.trace.model.weights.slice(0, 12)}.`,
        { size: 10 },
        ROOM,
        measure,
        { fill: INK.soft, most: 8 },
      ),
    ],
    12,
  );

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
