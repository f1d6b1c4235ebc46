/** The vectors and remarks in a part of a step, the same on the page and on paper. Pure. */

/** @import {Vector} from "../../core/types" */
/** @import {PartName} from "../../core/step_parts.js" */
/** @import {Chain} from "./step_model.js" */

import { contextName, joining, outcome, queryName } from "./step_text.js";

/**
 * @typedef {object} Named a vector
 * @property {string} role by which it is the same one in another step
 * @property {string} symbol @property {string} meaning @property {Vector} value
 *
 * @typedef {Named | {remark: string}} Content
 */

/** @param {PartName} part @param {Chain} chain @returns {Content[]} */
export function contentsOf(part, chain) {
  const { head, layered } = chain;
  const query = head
    ? vector("q", "q", `the query of head ${head.head} of layer ${head.layer}`, head.query)
    : [];
  const more = (chain.more?.[part] ?? []).flatMap(({ symbol, meaning, value }, index) =>
    vector(`${part} ${index}`, symbol, meaning, value),
  );
  switch (part) {
    case "fixed":
      return vector("fixed", "c", "the same at every step", chain.context);
    case "query":
      return [...(layered ? [] : vector("query", ...queryName(chain), chain.query)), ...query];
    case "context":
      return [...contextOf(chain), ...more];
    case "state":
      return [
        ...vector("state", ...outcome(chain), chain.state),
        ...vector("before", "before", "the state before", chain.before),
        ...(chain.parts.includes("query") ? [] : query),
        ...more,
      ];
    default:
      return [];
  }
}

/** The weighted sum: of a head of several, and of all heads of the last layer joined. @param {Chain} chain @returns {Content[]} */
function contextOf(chain) {
  const { head, context } = chain;
  const [symbol, meaning] = contextName(chain);
  if (!head) return vector("c", symbol, meaning, context);
  const joined = `the joined outputs of all heads of layer ${head.layer}`;
  return [
    ...vector("seen", `head ${head.head}`, "its output", head.sum),
    { remark: joining(head) },
    ...(head.last ? vector("c", symbol, joined, context) : []),
  ];
}

/** @param {string} role @param {string} symbol @param {string} meaning @param {Vector | null} value @returns {Named[]} */
const vector = (role, symbol, meaning, value) => (value ? [{ role, symbol, meaning, value }] : []);
