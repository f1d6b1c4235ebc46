/** Several models side by side on the same input. */

/** @import {View} from "../registry.js" */

import { ids, setting } from "../../core/address.js";
import { mapNote } from "../map/index.js";
import { relatedModels } from "./related_models.js";

/** @type {View} */
export const compare = {
  name: "compare",
  title: "Compare",
  place: "compare",
  dom: { tokens: () => import("./view.js"), grid: () => import("./grid_view.js") },
  svg: { tokens: () => import("./svg.js"), grid: () => import("./grid_svg.js") },
  note: {
    tokens: mapNote,
    grid: () =>
      "The same photo, captioned by each model. Point at a place to see how much attention each model pays to it.",
  },
  settings: { tokens: { with: setting(ids(), []) } },
  models: relatedModels,
  complete: true,
};
