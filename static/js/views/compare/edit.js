/** Edits in the comparison of texts: the rows are those of the maps. */

/** @import {CellEditor} from "../types" */
/** @import {Rows} from "./given_rows.js" */

import { around, html } from "../../draw/dom.js";
import { GivenRows } from "./given_rows.js";
import { viewOf } from "./small_map.js";

const DIFFERENCES = "The maps show differences. Choose “weights” to give a row.";

/** @type {Rows} */
const ROWS = {
  map: ".map-grid",
  region: ".small-box",
  role: "region",
  moves: { ArrowUp: -1, ArrowDown: 1 },
  below({ target, clientY }) {
    const map = /** @type {HTMLElement | null} */ (around({ target }, ".map-grid"));
    const frame = map?.querySelector(".plot-frame")?.getBoundingClientRect();
    const count = (map && viewOf.get(map)?.rows.length) ?? 0;
    const row = frame ? Math.floor(((clientY - frame.top) / frame.height) * count) : -1;
    return row >= 0 && row < count ? row : null;
  },
  refusal: ({ scene, map }) =>
    map && "view" in scene && viewOf.get(map) !== scene.view ? DIFFERENCES : "",
  mark(card, marks) {
    const map = card.querySelector(".map-grid");
    map?.querySelectorAll(".row-mark").forEach((mark) => mark.remove());
    for (const [name, row] of Object.entries(marks ?? {}))
      if (row !== null)
        map?.append(html.div({ class: "row-mark", "data-mark": name, "--at": row }));
  },
  ghost({ row, map }) {
    const painted = map?.querySelector("canvas");
    const width = painted?.width ?? 1;
    const copy = html.canvas({ class: "pixels", width, height: 1 });
    if (painted) copy.getContext("2d")?.drawImage(painted, 0, row, width, 1, 0, 0, width, 1);
    copy.style.width = `${painted?.clientWidth ?? 0}px`;
    return copy;
  },
};

export class Edit extends GivenRows {
  /** @param {CellEditor} editor @param {HTMLElement} place */
  constructor(editor, place) {
    super(editor, place, ROWS);
  }
}
