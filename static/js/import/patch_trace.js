/** A saved trace of a photo whose patches attend to each other, checked before it is drawn. Pure. */

/** @import {PatchTrace} from "../core/types" */

import { ImportError } from "../core/errors.js";
import { checkAxis, checkGrid, checkRows, complete } from "./checks.js";
import { hasSource, parsed } from "./json.js";

/** @param {Uint8Array<ArrayBuffer>} bytes @returns {PatchTrace} */
export function readPatchTrace(bytes) {
  const value = parsed(bytes);
  const trace = /** @type {Partial<PatchTrace>} */ (value);
  const { source, picture, target, maps, steps, positions } = trace;
  const own = Array.isArray(maps) ? maps.filter((map) => map?.query === "source") : [];
  if (!hasSource(value, "grid") || !own.length)
    throw new ImportError(
      "This file is not the trace of patches that attend to each other. Open the page of texts, of pictures or of stories and drop it there.",
    );
  checkGrid(source, picture);
  checkAxis(target, "target");
  const tokens = source.rows * source.columns + (source.marks?.length ?? 0);
  own.forEach((map, index) => {
    if (map.key !== "source" || map.kind !== "encoder-self")
      throw new ImportError(`Map ${index + 1} does not name its axes.`);
    checkRows(map.weights, tokens, tokens, own.length > 1 ? `Map ${index + 1}: ` : "");
  });
  const square = (/** @type {unknown} */ rows) =>
    Array.isArray(rows) && rows.length === tokens && rows.every((row) => row?.length === tokens);
  if (positions !== undefined && !square(positions))
    throw new ImportError(`The positions should be ${tokens} rows of ${tokens}.`);
  return complete({ ...trace, steps: Array.isArray(steps) ? steps : [] });
}
