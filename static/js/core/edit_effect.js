/** The effect of edits: the words before and after, and how much each step moved. Pure. */

/** @import {Edit, Item, StepChange, TokenAxis, Trace, Units} from "./types" */
/** @import {Segment} from "./segments.js" */

import { differing } from "./differing.js";
import { firstStep } from "./edit_list.js";
import { segments } from "./segments.js";
import { named, percent } from "./text.js";
import { items } from "./trace.js";
import { listed } from "./word_notes.js";

/** A bar is full at this many nats, or at the largest of a text. */
const FULL = 1;

/**
 * A piece of the text before the edits.
 * @typedef {Segment & {kept: boolean, gone: boolean, divergence: number, height: number, title: string}} Before
 * `kept`: its steps come before the first edit, which cannot change them; `gone`: the text after has it no more
 */

/**
 * The text before the edits, which is that of the trace until there are any; null if it has no tokens.
 * @param {Pick<Trace, "target" | "baseline">} trace @param {readonly Edit[]} edits @param {Units} units
 */
export function beforeOf({ target, baseline }, edits, units) {
  const axis = /** @type {TokenAxis} */ (baseline?.target ?? target);
  if (axis.kind !== "tokens") return null;
  const changes = baseline?.changes ?? [];
  const [before, after] = [items(axis, units), items(target, units)];
  const gone = differing(before.map(keyOf), after.map(keyOf));
  const changed = differing(after.map(keyOf), before.map(keyOf));
  const first = edits.length ? firstStep(edits) : 0;
  const moved = before.map(({ tokens }) => sumOf(changes, tokens));
  const most = Math.max(FULL, ...moved);
  /** @type {Before[]} */
  const pieces = segments(axis.text, before).map((segment) => {
    const own = segment.items.flatMap((index) => before[index].tokens);
    const divergence = segment.items.reduce((sum, index) => sum + moved[index], 0);
    return {
      ...segment,
      kept: own.length > 0 && own.every((token) => token < first),
      gone: segment.items.some((index) => gone[index]),
      divergence,
      height: divergence / most,
      title: own.length && baseline ? titleOf(changes, own, divergence) : "",
    };
  });
  return { text: axis.text, pieces, changed };
}

/** The effect of the edits in a sentence or two; empty without any. @param {Pick<Trace, "task" | "target" | "baseline" | "steps">} trace */
export function effectOf({ task, target, baseline, steps }) {
  if (!baseline) return "";
  if (baseline.target.kind !== "tokens") return answerOf(target, baseline.target);
  if (task === "see") return classOf({ target, steps }, baseline);
  const { parts_at: at, changes } = baseline;
  const before = baseline.target.kind === "tokens" ? items(baseline.target, "words") : [];
  const after = items(target, "words");
  const name = (/** @type {Item[]} */ words, /** @type {number} */ token) => {
    const word = words.find(({ tokens }) => tokens.includes(token));
    return word ? named(word) : "nothing";
  };
  const words =
    at === undefined
      ? task === "read"
        ? "" // its words are given
        : "The same words are written."
      : `At step ${at + 1}, ${name(after, at)} is written instead of ${name(before, at)}.`;
  if (!changes.length || !steps.length) return words;
  const top = changes.reduce(
    (a, b, index) => (b.divergence > changes[a].divergence ? index : a),
    0,
  );
  const { before: was, after: is, divergence } = changes[top];
  if (divergence < 0.0005) return `${words} No step moved by 0.001 nats.`.trim();
  const moved = `${name(before, top)} had ${percent(Math.exp(was))} and has ${percent(Math.exp(is))} after the same words`;
  return `${words} Step ${top + 1} moved most: ${moved} (KL ${divergence.toFixed(2)} nats).`.trim();
}

/**
 * The answer under edits beside that without them: of nodes, those whose class is another.
 * @param {any} after @param {any} before
 */
function answerOf(after, before) {
  if (after.kind !== "classes")
    return after.text === before.text
      ? `The answer is still “${after.text}”.`
      : `The answer is “${after.text}” instead of “${before.text}”.`;
  /** @type {string[]} */
  const moved = after.nodes.filter(
    (/** @type {string} */ _, /** @type {number} */ node) =>
      after.classes[node] !== before.classes[node],
  );
  return moved.length
    ? `Another class for ${listed(moved)}.`
    : "Every node has the class that it had.";
}

/** The class that is seen under edits beside that without them, each with its probability. @param {{target: any, steps: Trace["steps"]}} after @param {{target: any, steps: Trace["steps"]}} before */
function classOf(after, before) {
  const [now, was] = [after, before].map(({ steps }) => percent(steps[0]?.probability ?? 0));
  return after.target.text === before.target.text
    ? `The class is still “${after.target.text}”: ${was} before, ${now} now.`
    : `The class is “${after.target.text}” (${now}) instead of “${before.target.text}” (${was}).`;
}

/** @param {Item} item */
const keyOf = (item) => (item.special ? item.text : item.text.trim());

/** The divergence of a word: that of its steps together. @param {StepChange[]} changes @param {number[]} tokens */
const sumOf = (changes, tokens) =>
  tokens.reduce((sum, token) => sum + (changes[token]?.divergence ?? 0), 0);

/** @param {StepChange[]} changes @param {number[]} tokens @param {number} divergence */
function titleOf(changes, tokens, divergence) {
  const total = (/** @type {"before" | "after"} */ name) =>
    percent(Math.exp(tokens.reduce((sum, token) => sum + (changes[token]?.[name] ?? 0), 0)));
  return `KL ${divergence.toFixed(3)} nats; probability ${total("before")} → ${total("after")}`;
}

/** How often such edits worked when the model was measured; empty if it was not. @param {{quality: Readonly<Record<string, number>>}} model */
export function steeringOf({ quality: { steered_nouns, steered_changed, steered_reached } }) {
  return steered_nouns
    ? `Of ${steered_nouns} nouns made to look at another, ${percent(steered_changed)} became another word, ${percent(steered_reached)} that one.`
    : "";
}
