/** The page of pictures as one file that needs no server. Loaded when one is asked for, not before. */

/** @import {Now} from "./share.js" */
/** @import {Taken} from "./standalone_app.js" */

import { filed } from "../export/html/html_export.js";
import { toQuery } from "./state.js";

const PICTURE = { address: "/picture?view=sheet", entry: "picture_page/standalone_app.js", painter: "picture_page/no_plotly.js" };

/** @param {Now} now @returns {Promise<string>} */
export function standalone({ scene, settings, beside }) {
  const { row, part, parts, rows } = scene;
  const step = rows[row]?.tokens[0] ?? 0;
  /** @type {Taken} */
  const taken = {
    query: toQuery({ ...settings, step, part: part === parts - 1 ? null : part }),
    trace: scene.trace,
    models: [scene.model, ...beside.map(({ model }) => model)],
    // The photo is there once, however many have looked at it.
    known: beside.map(({ model, trace }) => [model.id, { ...trace, picture: { ...trace.picture, preview: "" } }]),
  };
  return filed(PICTURE, taken);
}
