/** The photo as an element of the picture. Pure. */

/** @import {How} from "./frame.js" */

import { number } from "../../draw/marks.js";

/** @param {string} address @returns {NonNullable<How["photo"]>} */
export const photoOf = (address) => (place, attributes) => ({
  name: "image",
  attributes: { ...place, href: address, preserveAspectRatio: "none", ...attributes },
});

/** The photo that the sheet of an export contains once. @type {NonNullable<How["photo"]>} */
export const sheetPhoto = ({ x, y, width, height }, attributes) => ({
  name: "use",
  attributes: {
    href: "#photo",
    transform: `translate(${number(x)} ${number(y)}) scale(${number(width)} ${number(height)})`,
    ...attributes,
  },
});
