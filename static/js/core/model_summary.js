/** What there is to say about a model, in a line. Pure. */

/** @import {Model} from "./types" */

import { percent } from "./text.js";

/** What of its measured quality a person can make use of at a glance; the card has the rest. */
const TELLING = new Map([
  ["exact_match", "right"],
  ["alignment_agreement", "well aligned"],
]);

/** BLEU on sets that have a plain name. A model measured on others shows the first two of them. */
const SCORED = new Map([
  ["multi30k_test_bleu", "captions"],
  ["tatoeba_bleu", "everyday sentences"],
]);

/**
 * Its mechanism, its size, and how good it was on data it never saw.
 * @param {Model} model
 */
export function facts(model) {
  const size = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 2 }).format(model.parameters);
  const told = [...TELLING].filter(([name]) => name in model.quality).map(([name, what]) => `${percent(model.quality[name])} ${what}`);
  const known = [...SCORED].filter(([name]) => name in model.quality);
  const others = Object.keys(model.quality).filter((name) => name.endsWith("_bleu"));
  const scores = known.length ? known : others.slice(0, 2).map((name) => [name, name.slice(0, -5).replace(/_/g, " ")]);
  const parts = [
    model.mechanism === "none" ? "no attention" : `${model.mechanism.replace(/[-_]/g, " ")} attention`,
    model.heads > 1 && `${model.heads} heads`,
    model.layers > 1 && `${model.layers} layers`,
    `${size} parameters`,
    ...told,
    model.guided,
    ...scores.map(([name, set]) => `BLEU ${model.quality[name].toFixed(1)} on ${set}`),
  ];
  return parts.filter(Boolean).join(" · ");
}
