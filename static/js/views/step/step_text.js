/** What stands over each part of a step, and below that. Pure. */

/** @import {Chain} from "./step_model.js" */
/** @import {PartName} from "./parts.js" */
/** @import {Head} from "./head_step.js" */
/** @import {MapKind} from "../../core/types" */

/** Of most models. @type {Record<PartName, {title: string, says: string}>} */
export const TOLD = {
  fixed: { title: "One vector is handed over", says: "All that was read, squeezed into one vector, the same at every step. There is nothing to look at." },
  ask: { title: "The old state asks", says: "What has been written so far is in this vector; it asks where to look next." },
  scores: { title: "A score for every token read", says: "How well does what was kept there answer the question?" },
  weights: { title: "Softmax makes weights of them", says: "The largest is taken off first, so that no exponential runs away; what comes out sums to 1." },
  context: { title: "The weighted sum", says: "Each vector fades to its weight; their sum is what was seen." },
  state: { title: "The new state", says: "" },
  word: { title: "The next word", says: "Of all pieces these are the likeliest." },
};

const FED_BACK = "Into it goes h̃, what the last word was read from, beside that word: so the state knows where the model has looked (input feeding).";

/** @param {PartName} part @param {Chain} chain @returns {{title: string, says: string}} */
export function told(part, chain) {
  const usual = TOLD[part];
  const { head, layered, fedBack } = chain;
  if (part === "state" && fedBack) return { ...usual, says: FED_BACK };
  if (!head) return usual;
  switch (part) {
    case "ask":
      return layered ? { title: head.telling === "pooled" ? "Several heads ask" : "A head asks", says: asking(head) } : usual;
    case "scores":
      return { title: head.kind === "decoder-self" ? "A score for every token written" : usual.title, says: SCORES[head.telling] };
    case "weights":
      return head.telling === "pooled" ? { ...usual, says: "Each head made weights of its own scores; here they are in one." } : usual;
    case "context":
      return { title: head.telling === "pooled" ? "Their weighted sums" : "The weighted sum of this head", says: summing(head) };
    case "state":
      return layered ? { title: head.kind === "encoder-self" ? (head.layer === head.layers ? "What is kept of it" : "On to the next layer") : usual.title, says: moving(head) } : usual;
    default:
      return usual;
  }
}

/** What becomes of the head's sum; stands below it. @param {Head} head */
export function joining({ kind, heads, layer, last }) {
  const sums = `The sums of all ${heads} heads of layer ${layer}`;
  if (kind !== "cross") return `${sums}, side by side, are joined into one vector, o. The trace does not tell it.`;
  if (last) return `${sums}, side by side, are joined into one vector, c.`;
  return `${sums} are joined and go on into layer ${layer + 1}. The trace tells c of the last layer only; this one’s is not there to be shown.`;
}

/** The vector that comes out at the end: its symbol, and what it is. @param {Chain} chain @returns {[string, string]} */
export const outcome = ({ head }) => (head?.kind === "encoder-self" ? ["h", "what is kept of the token"] : ["s", "the state now"]);

/** @type {Record<import("./head_step.js").Telling, string>} */
const SCORES = {
  told: "Query times key, over the root of their width: how well do the two go together?",
  untold: "How well does each key go with the query?",
  pooled: "Each head has scores of its own; a mean of them would mean nothing.",
};

/** What a query is made of. @type {Partial<Record<MapKind, string>>} */
const ASKS = { cross: "of what has been written so far", "decoder-self": "of what was written last, and looks back with it", "encoder-self": "of the token read here" };

/** @param {Head} head */
function asking({ telling, kind, head, layer }) {
  if (telling === "pooled") return "Each head asks with a query of its own. Choose a single head to follow its numbers.";
  return `Head ${head} of layer ${layer} makes its own query ${ASKS[kind]}.${telling === "untold" ? " It did not come with this trace." : ""}`;
}

/** @param {Head} head */
function summing({ telling, head }) {
  if (telling === "pooled") return "Each head sums values of its own.";
  if (telling === "told") return `Each value fades to its weight; their sum is what head ${head} saw.`;
  return `Values, each times its weight; their sum is what head ${head} saw.`;
}

/** @param {Head} head */
function moving({ kind, layer, layers, last }) {
  if (kind === "decoder-self") return "o is added to what came in; their sum, y, asks what was read. The state comes out of the last layer.";
  if (kind === "encoder-self") return `o is added to what came in, and a small network goes over the sum. What comes out ${layer === layers ? "is kept: h." : `goes into layer ${layer + 1}.`}`;
  const way = "c is added to what came in, and a small network goes over the sum";
  if (last) return `${way}: the state.`;
  const after = layers - layer;
  const more = after === 1 ? "comes one more layer" : `come ${after} more layers`;
  return `After layer ${layer} ${more}. The state comes out of the last: there ${way}.`;
}
