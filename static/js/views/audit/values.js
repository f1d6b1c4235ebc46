/** The maps of an audit that count the values, and their agreement with the effects. Pure. */

/** @import {Audit, Agreement} from "../../core/wire" */
/** @import {Figure} from "./model.js" */

import { signed } from "../../core/text.js";

/** @typedef {{name: string, says: string, numbers: (number | null)[][], symbol: string}} ValueMap */

/** The maps that there are. @param {Audit} audit @returns {ValueMap[]} */
export const valueMaps = ({ weighted, zeroed }) => [
  ...(weighted
    ? [
        {
          name: "Weighted by value",
          says: "the length of what a key adds, ‖αWv‖",
          numbers: weighted,
          symbol: "‖αWv‖",
        },
      ]
    : []),
  ...(zeroed
    ? [
        {
          name: "Value zeroing",
          says: "how far the output turns without the value",
          numbers: zeroed,
          symbol: "1 − cos",
        },
      ]
    : []),
];

/** Agreement of each of these maps with the effects. @param {Audit} audit @returns {Figure[]} */
export const valueFigures = ({ agreement, noun }) =>
  /** @type {const} */ ([
    [
      "Weighted by value, and effect",
      "the length of what each key adds to the output (Kobayashi 2020)",
      agreement.weighted,
    ],
    [
      "Value zeroing, and effect",
      "how far the output turns if a value counts nothing (Mohebbi 2023)",
      agreement.zeroed,
    ],
  ]).flatMap(([name, map, found]) => figureOf(name, map, found, { agreement, noun }) ?? []);

/**
 * @param {string} name @param {string} map in words @param {Agreement | undefined} found
 * @param {Pick<Audit, "agreement" | "noun">} audit @returns {Figure | null}
 */
function figureOf(name, map, found, { agreement, noun }) {
  if (!found || found.tau === null || found.first === null) return null;
  const { attention, random_tau: random } = agreement;
  const two = (/** @type {number} */ value) => signed(value, 2);
  const { mean, low, high } = random;
  const range = mean === null || low === null || high === null ? null : { mean, low, high };
  const share = `the same ${noun} is first in ${Math.round(found.first * 100)}\u00a0% of the rows`;
  return {
    name,
    means: `Kendall’s τ of ${map} and the costs of a row.`,
    value: found.tau,
    text: `τ ${two(found.tau)}`,
    random: range,
    baseline: [
      share,
      range && `random maps ${two(range.mean)} (${two(range.low)} to ${two(range.high)})`,
      attention.tau !== null && `the attention ${two(attention.tau)}`,
    ]
      .filter(Boolean)
      .join(", "),
    others: attention.tau === null ? [] : [{ name: "attention", value: attention.tau }],
    scale: [-1, 1],
  };
}
