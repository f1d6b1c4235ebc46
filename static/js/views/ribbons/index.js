/** Both sentences with a ribbon for each of the strongest weights. */

/** @import {View} from "../registry.js" */

import { number, setting } from "../../core/address.js";
import { axisNames } from "../../core/sentences.js";

/** @type {View} */
export const ribbons = {
  name: "ribbons",
  aliases: ["lines"],
  title: "Ribbons",
  place: "ribbons",
  dom: { tokens: () => import("./view.js") },
  svg: { tokens: () => import("./svg.js") },
  note: {
    tokens: (scene) => {
      const { row, column, pieces } = axisNames(scene);
      return `Each ribbon links an ${row} to an ${column} and is as wide as its weight; the total width at a ${pieces} is its coverage.`;
    },
  },
  settings: { tokens: { mass: setting(number(10, 100, true), 75) } },
};
