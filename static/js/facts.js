/** What there is to say about a model, in a line. Pure. */

/** @import {Model} from "./types" */

import { percent } from "./text.js";

/** What of its measured quality a person can make use of at a glance; the card has the rest. */
const TELLING = new Map([
  ["exact_match", "right"],
  ["alignment_agreement", "well aligned"],
]);

/**
 * Its mechanism, its size, and how good it was on data it never saw.
 * @param {Model} model
 */
export function facts(model) {
  const size = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 2 }).format(model.parameters);
  const told = [...TELLING].filter(([name]) => name in model.quality).map(([name, what]) => `${percent(model.quality[name])} ${what}`);
  const scores = Object.entries(model.quality).filter(([name]) => name.endsWith("bleu"));
  const parts = [
    model.mechanism === "none" ? "no attention" : `${model.mechanism.replace(/[-_]/g, " ")} attention`,
    model.heads > 1 && `${model.heads} heads`,
    model.layers > 1 && `${model.layers} layers`,
    `${size} parameters`,
    ...told,
    ...scores.slice(0, 2).map(([name, score]) => `${name.slice(0, -4).replace(/_/g, " ")}BLEU ${score.toFixed(1)}`),
  ];
  return parts.filter(Boolean).join(" · ");
}
