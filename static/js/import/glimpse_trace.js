/** A saved trace of glimpses, checked before it is drawn. Pure. */

/** @import {GlimpseTrace} from "../core/types" */

import { ImportError } from "../core/errors.js";
import { checkRows, complete } from "./checks.js";
import { parsed } from "./json.js";

const MOST_GLIMPSES = 64;
const PREVIEW = /^data:image\/jpeg;base64,[A-Za-z0-9+/]+=*$/;

/** @param {Uint8Array<ArrayBuffer>} bytes @returns {GlimpseTrace} */
export function readGlimpseTrace(bytes) {
  const trace = /** @type {Partial<GlimpseTrace>} */ (parsed(bytes));
  const { source, target, picture, maps, steps } = trace;
  if (source?.kind !== "grid" || target?.kind !== "glimpses")
    throw new ImportError(
      "This file is neither a picture nor the trace of glimpses. Other traces open on the pages of their models.",
    );
  const { width, height, preview } = picture ?? {};
  if (!(Number(width) > 0 && Number(height) > 0 && PREVIEW.test(String(preview))))
    throw new ImportError("The trace has no picture, or it is not a JPEG.");
  const { glimpses } = target;
  if (!Array.isArray(glimpses) || !glimpses.length || !glimpses.every(squares))
    throw new ImportError("The trace has no glimpses, or one of them has no squares.");
  if (glimpses.length > MOST_GLIMPSES)
    throw new ImportError(
      `The trace has ${glimpses.length} glimpses; at most ${MOST_GLIMPSES} can be drawn.`,
    );
  if (!Array.isArray(steps) || steps.length !== glimpses.length || !steps.every(believes))
    throw new ImportError(
      "The trace does not have a belief for every glimpse: save it with its steps.",
    );
  if (!steps.every(({ seen }) => seen === undefined || patches(seen, glimpses[0]?.length ?? 0)))
    throw new ImportError("The patches of a glimpse are not squares of numbers from 0 to 1.");
  if (!Array.isArray(maps) || maps.length !== 1)
    throw new ImportError("The trace should have one map, of glimpses and cells.");
  checkRows(maps[0]?.weights, glimpses.length, source.rows * source.columns, "");
  return complete(trace);
}

/** True for the squares of a glimpse. @param {unknown} boxes */
const squares = (boxes) =>
  Array.isArray(boxes) &&
  boxes.length > 0 &&
  boxes.every(
    (box) =>
      [box?.left, box?.top, box?.side].every((each) => Number.isFinite(each)) && box.side > 0,
  );

/** True for a step with the same classes as every other. @param {unknown} step @param {number} _ @param {unknown[]} all */
function believes(step, _, all) {
  const [one, first] = [step, all[0]].map(classes);
  return one !== "" && one === first;
}

/** The classes of a step, in one text. @param {unknown} step */
function classes(step) {
  const { alternatives } = /** @type {{alternatives?: unknown}} */ (step ?? {});
  if (!Array.isArray(alternatives)) return "";
  const whole = alternatives.every(
    (each) =>
      Number.isInteger(each?.id) &&
      typeof each.text === "string" &&
      each.probability >= 0 &&
      each.probability <= 1,
  );
  return whole
    ? alternatives
        .map(({ id, text }) => `${id} ${text}`)
        .sort()
        .join("\n")
    : "";
}

/** True for patches, as many as there are squares. @param {unknown} seen @param {number} scales */
const patches = (seen, scales) =>
  Array.isArray(seen) &&
  seen.length === scales &&
  seen.every(
    (patch) =>
      Array.isArray(patch) &&
      patch.length > 0 &&
      patch.every(
        (row) =>
          Array.isArray(row) &&
          row.length === patch.length &&
          row.every((value) => value >= 0 && value <= 1),
      ),
  );
