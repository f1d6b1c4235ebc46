/** All words at once, each with its map over the photo. */

/** @import {View} from "../registry.js" */

/** @type {View} */
export const sheet = {
  name: "sheet",
  title: "All words",
  place: "sheet",
  dom: { grid: () => import("./view.js") },
  svg: { grid: () => import("./svg.js") },
  note: { grid: () => "Every word with its map. Press one to open it." },
};
