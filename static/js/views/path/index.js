/** The path of glimpses over a picture, what each saw, and the belief after it. */

/** @import {View} from "../registry.js" */

/** @type {View} */
export const path = {
  name: "path",
  title: "Path",
  place: "path",
  dom: { glimpses: () => import("./view.js") },
  svg: { glimpses: () => import("./svg.js") },
  note: {
    glimpses: () =>
      "The network sees nothing but what lies in the three squares: each is twice as wide as the one inside it, and has as many pixels. The line goes from glimpse to glimpse.",
  },
};
