/** The summary of a model in one line. Pure. */

/** @import {Model} from "./types" */

import { percent } from "./text.js";

/** The measured quality that is shown at a glance; the card has the rest. */
const QUALITY = new Map([
  ["exact_match", (/** @type {string} */ share) => `${share} correct`],
  [
    "alignment_agreement",
    (/** @type {string} */ share) => `looks at the right word ${share} of the time`,
  ],
]);

/** BLEU on sets that have a plain name. A model measured on others shows the first two of them. */
const SCORED = new Map([
  ["multi30k_test_bleu", "captions"],
  ["tatoeba_bleu", "everyday sentences"],
]);

/**
 * Mechanism, size, and quality on held-out data.
 * @param {Model} model
 */
export function modelSummary(model) {
  const size = new Intl.NumberFormat("en", {
    notation: "compact",
    maximumSignificantDigits: 2,
  }).format(model.parameters);
  const quality = [...QUALITY]
    .filter(([name]) => name in model.quality)
    .map(([name, phrase]) => phrase(percent(model.quality[name])));
  const known = [...SCORED].filter(([name]) => name in model.quality);
  const others = Object.keys(model.quality).filter((name) => name.endsWith("_bleu"));
  const scores = known.length
    ? known
    : others.slice(0, 2).map((name) => [name, name.slice(0, -5).replace(/_/g, " ")]);
  const parts = [
    model.mechanism === "none"
      ? "no attention"
      : `${model.mechanism.replace(/[-_]/g, " ")} attention`,
    model.heads > 1 && `${model.heads} heads`,
    model.layers > 1 && `${model.layers} layers`,
    `${size} parameters`,
    model.guided,
    ...quality,
    ...scores.map(([name, set]) => `BLEU ${model.quality[name].toFixed(1)} on ${set}`),
  ];
  return parts.filter(Boolean).join(" · ");
}
