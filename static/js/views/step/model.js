/** One row of a trace as a chain of numbers, part by part: what every kind of model has in common. Pure. */

/** @import {Alternative, Drawn, Item, Vector} from "../../core/types" */
/** @import {CellScale} from "./cells.js" */
/** @import {Head} from "./head_step.js" */

/**
 * @typedef {object} Numbers of a key or of a cell
 * @property {number | null} score e @property {number | null} shifted e less the largest
 * @property {number | null} exponential exp of `shifted` @property {number} weight α
 *
 * @typedef {object} KeyFacts
 * @property {Item} item @property {boolean} later true if it is written after this step
 * @property {Vector | null} memory h, if it is a token of the input
 * @property {Vector | null} key k @property {Vector | null} value v, where each key has its own
 * @property {number} [cell] of a photo, whose keys are not all listed; a mark has a number below 0
 *
 * @typedef {Numbers & KeyFacts} Key a token of the keys, and its numbers in this step
 *
 * @typedef {{symbol: string, meaning: string}} Symbol of a formula, with its meaning and its value in this step
 * @typedef {(string | Symbol)[]} Formula symbols, and the signs between them
 * @typedef {{title: string, says: string, formula: Formula}} PartText
 * @typedef {{name: string, does: string, result: string}} PartLine a part in one line: its name, what it does, what came of it
 *
 * @typedef {{key: string, symbol: string, meaning: string, value: Vector}} Named a vector; by its key it is the same one in another step
 *
 * @typedef {object} Content one of the figures of a part
 * @property {Named} [vector] @property {string} [note] @property {true} [keys] the table of the keys
 * @property {{name: string, scale: CellScale}} [cells] cells over the photo
 * @property {true} [digits] the strongest cells in numbers @property {number} [gate] β
 * @property {number} [patches] those that a glimpse saw
 * @property {string} [after] the piece before @property {string} [aloud] a text for screen readers
 * @property {{all: Alternative[], written: number, digits?: true}} [alternatives] the likeliest outputs
 * @property {true} [page] true if paper omits it
 *
 * @typedef {object} Names symbol and meaning of the vectors
 * @property {[string, string]} query @property {[string, string]} context @property {[string, string]} state
 * @property {[string, string, string]} key the symbols of key and value, and what has them @property {string} piece the word for a key
 */

/**
 * @template {string} [P=import("../../core/step_parts.js").PartName]
 * @typedef {object} StepModel
 * @property {P[]} parts in the order they are computed
 * @property {(part: P) => PartText} textOf
 * @property {(part: P) => Content[]} contentsOf what is known once the part has been computed
 * @property {Partial<Record<P, Partial<PartLine>>>} [lines] the lines of this kind that differ from the usual ones
 * @property {number} left the number of parts on the left of two sides
 * @property {boolean} [explained] true if paper has the explanations, too
 */

/**
 * @typedef {object} Facts of a step that scores keys with a query
 * @property {Key[]} keys @property {number} sum of the exponentials @property {Names} names
 * @property {boolean} own true if every key has a vector k and a value v of its own
 * @property {boolean} summed true if c is the sum of the α·h: with one head and without projections
 * @property {string} [others] a note about the keys that are not listed
 * @property {Vector | null} query @property {Vector | null} context
 * @property {Vector | null} state s; for tokens of the input h, the output of the last layer
 * @property {Alternative[]} alternatives @property {number} written id of the token that was chosen
 * @property {Head | null} [head] the head, if there are several
 * @property {(Numbers & {cell: number})[]} [cells] those of a picture
 * @property {number | null} [gate] @property {Drawn | null} [drawn]
 *
 * @typedef {StepModel & Facts} Chain
 */

/** Scores and weights as the softmax leads from one to the other. @param {(number | null)[] | null | undefined} scores @param {number[]} weights @returns {{numbers: Numbers[], sum: number}} */
export function softmaxed(scores, weights) {
  const found = weights.map((_, index) => scores?.[index] ?? null);
  const top = Math.max(...found.map((score) => score ?? -Infinity));
  const numbers = weights.map((weight, index) => {
    const score = found[index];
    const shifted = score === null ? null : score - top;
    return { score, shifted, exponential: shifted === null ? null : Math.exp(shifted), weight };
  });
  return {
    numbers,
    sum: numbers.reduce((total, { exponential }) => total + (exponential ?? 0), 0),
  };
}

/**
 * Keys with their numbers.
 * @param {Item[]} items @param {(number | null)[] | null | undefined} scores @param {number[] | null | undefined} weights
 * @param {(column: number) => Partial<KeyFacts>} facts
 */
export function keysOf(items, scores, weights, facts) {
  const { numbers, sum } = softmaxed(
    scores,
    items.map((_, column) => weights?.[column] ?? 0),
  );
  const keys = items.map((item, column) => ({
    item,
    ...numbers[column],
    later: false,
    memory: null,
    key: null,
    value: null,
    ...facts(column),
  }));
  return { keys, sum };
}

/**
 * The weighted sum of vectors, computed from their summaries: a mean of sums is the sum of means.
 * Its norm cannot be computed from them.
 * @param {Vector[]} vectors @param {number[]} weights @returns {Vector | null}
 */
export function sumOf(vectors, weights) {
  if (!vectors.length) return null;
  const summary = vectors[0].summary.map((_, cell) =>
    vectors.reduce((sum, vector, j) => sum + weights[j] * vector.summary[cell], 0),
  );
  return { size: vectors[0].size, norm: null, summary, values: null };
}

/** A vector, if the trace has it. @param {string} key @param {[string, string]} name its symbol and meaning @param {Vector | null | undefined} value @returns {Content[]} */
export const vector = (key, [symbol, meaning], value) =>
  value ? [{ vector: { key, symbol, meaning, value } }] : [];

/** The contents of a part, where its kind of model has no others. @param {string} part @param {Facts} facts @returns {Content[]} */
export function usualContents(
  part,
  { names, query, context, state, others, alternatives, written },
) {
  switch (part) {
    case "query":
      return vector("query", names.query, query);
    case "scores":
      return [{ keys: true }, ...(others === undefined ? [] : [{ note: others }])];
    case "context":
      return vector("c", names.context, context);
    case "state":
      return vector("state", names.state, state);
    case "word":
      return [{ alternatives: { all: alternatives, written } }];
    default:
      return [];
  }
}

/** The vectors of each key that are compared with the query, and those that are summed: key and value of a head, or the memory. @param {Facts} facts */
export const comparedAndAdded = ({ keys, own, summed }) => ({
  compared: keys.map(({ key, memory }) => (own ? key : memory)),
  added: keys.map(({ value, memory }) => (own ? value : summed ? memory : null)),
});

/** The largest of all numbers drawn. @param {(Vector | null)[]} vectors */
export const tallest = (vectors) =>
  Math.max(1e-9, ...vectors.flatMap((vector) => vector?.summary.map(Math.abs) ?? []));
