/** Other trainings of the attention: how far their maps are from this one, and where they look elsewhere. Pure. */

/** @import {Audit} from "../../core/wire" */
/** @import {Figure} from "./model.js" */

const SHOWN = 3;

/** The two figures, if the model has other trainings. @param {Audit} audit @returns {Figure[]} */
export function trainingFigures({ trainings, trace }) {
  if (!trainings?.others.length) return [];
  const { others, mechanism, agreeing, strongest } = trainings;
  const rows = agreeing.length;
  const seeds = others.map(({ seed }) => seed).join(" and ");
  const distance = mean(others.map(({ distances }) => mean(distances.map((value) => value ?? 0))));
  const beside = mechanism && {
    name: mechanism.model,
    distance: mean(mechanism.distances.map((value) => value ?? 0)),
    same: mechanism.strongest.filter((word, row) => word === strongest[row]).length,
  };
  const same = agreeing.filter(Boolean).length;
  const other = (/** @type {number} */ value) => (beside ? [{ name: beside.name, value }] : []);
  const baseline = (/** @type {string} */ value) =>
    beside ? `${beside.name}, another mechanism, ${value}` : "";
  return [
    {
      name: "Other trainings, row by row",
      means: `The mean Jensen–Shannon divergence of their rows from these, in bits: 0 is the same row, 1 no word in common. Only the attention was trained anew, from the seeds ${seeds}; the borrowed rest makes agreement likelier.`,
      value: distance,
      text: `${distance.toFixed(2)} bits`,
      random: null,
      baseline: baseline((beside?.distance ?? 0).toFixed(2)),
      others: other(beside?.distance ?? 0),
      scale: [0, Math.max(distance, beside?.distance ?? 0, 0.1)],
    },
    {
      name: "Other trainings look at the same word",
      means: `The share of rows whose strongest word is the same in all of them. ${differing({ trainings, trace })}`,
      value: same / rows,
      text: `${same} of ${rows} rows`,
      random: null,
      baseline: baseline(`${beside?.same} of ${rows}`),
      others: other((beside?.same ?? 0) / rows),
      scale: [0, 1],
    },
  ];
}

/** The rows in which they look elsewhere, in words. @param {Pick<Audit, "trainings" | "trace">} audit */
export function differing({ trainings, trace }) {
  if (!trainings) return "";
  const { agreeing, others, strongest } = trainings;
  const source = /** @type {{words: {text: string}[]}} */ (/** @type {unknown} */ (trace.source));
  const target = /** @type {{tokens: {text: string}[]}} */ (/** @type {unknown} */ (trace.target));
  const word = (/** @type {number} */ index) => `“${source.words[index].text}”`;
  const rows = agreeing.flatMap((same, row) => (same ? [] : [row]));
  if (!rows.length) return "They agree everywhere.";
  const places = rows.slice(0, SHOWN).map((row) => {
    const elsewhere = new Set(others.map((other) => other.strongest[row]));
    elsewhere.delete(strongest[row]);
    const theirs = [...elsewhere].map(word).join(" or ");
    return `at “${target.tokens[row].text.trim()}” (${word(strongest[row])} here, ${theirs} there)`;
  });
  const more = rows.length > SHOWN ? `, and in ${rows.length - SHOWN} more rows` : "";
  return `They differ ${places.join(", ")}${more}.`;
}

/** @param {number[]} values */
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
