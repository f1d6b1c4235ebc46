/** What there is to say about a model, in a line. Pure. */

/** @import {Model} from "./types" */

import { percent } from "./text.js";

/**
 * Its mechanism, its size, and how good it was on data it never saw.
 * @param {Model} model
 */
export function facts(model) {
  const size = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 2 }).format(model.parameters);
  const parts = [
    model.mechanism === "none" ? "no attention" : `${model.mechanism.replace(/[-_]/g, " ")} attention`,
    model.heads > 1 && `${model.heads} heads`,
    model.layers > 1 && `${model.layers} layers`,
    `${size} parameters`,
    ...Object.entries(model.quality).slice(0, 3).map(([name, value]) => `${name.replace(/_/g, " ")} ${quality(value)}`),
  ];
  return parts.filter(Boolean).join(" · ");
}

/** @param {number} value a share or a score */
const quality = (value) => (value <= 1 ? percent(value) : value.toFixed(1));
