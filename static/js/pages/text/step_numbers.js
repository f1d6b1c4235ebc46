/** The numbers of one step: alternatives, weights and vectors. Loaded when their panel is opened. */

/** @import {Scene, Step} from "../../core/types" */

import { othersNote } from "../../core/sentences.js";
import { orderOfAttention } from "../../core/step_sentences.js";
import { heading, named, signed } from "../../core/text.js";
import { layered, stepsOf } from "../../core/trace.js";
import { bars } from "../../draw/bars.js";
import { html } from "../../draw/dom.js";
import { term } from "../../draw/term.js";
import { strip } from "../../draw/vector_strip.js";

const ROWS_SHOWN = 8;

/** @param {Scene} scene @param {number} row */
export function numbersOf(scene, row) {
  const steps = stepsOf(scene, row);
  const order = layered(scene.output) ? "layers" : scene.trace.model.order;
  return [
    html.p({ class: "order" }, steps.length ? orderOfAttention(order) : ""),
    ...[alternatives(scene, row, steps), attention(scene, row), vectors(steps)].filter(
      (part) => part !== null,
    ),
  ];
}

/** @param {string} title @param {...Node} parts */
function block(title, ...parts) {
  return html.section({ class: "block" }, html.h3(title), parts);
}

/** @param {Scene} scene @param {number} row @param {Step[]} steps */
function alternatives(scene, row, steps) {
  if (!steps.length) return null;
  const written = scene.output.target.tokens;
  const tokens = scene.view.rows[row]?.tokens.flatMap((token) => written[token] ?? []) ?? [];
  const lists = steps.flatMap((step, index) => {
    const token = tokens[index];
    if (!token) return [];
    const title = steps.length > 1 ? html.h4(named(token)) : null;
    const surprise = `surprise ${step.surprise.toFixed(2)} bits`;
    return html.div(title, bars(step.alternatives, token.id), html.p({ class: "note" }, surprise));
  });
  return block("Alternatives", ...lists);
}

/** @param {Scene} scene @param {number} row */
function attention({ view }, row) {
  if (!view.weights) return null;
  const weights = view.weights[row] ?? [];
  const order = view.columns
    .map((item, index) => ({
      item,
      index,
      weight: weights[index] ?? 0,
      score: view.scores?.[row]?.[index],
    }))
    .sort((a, b) => b.weight - a.weight);
  // A note about a single row would take the place of that row.
  const shown = order.length <= ROWS_SHOWN + 1 ? order : order.slice(0, ROWS_SHOWN);
  const others = order.slice(shown.length);
  const rest = others.reduce((sum, { weight }) => sum + weight, 0);
  const lines = shown.map(({ item, index, weight, score }) => {
    const label = heading(item);
    return html.tr(
      html.th({ scope: "row", "data-quiet": label.quiet }, html.span({ dir: "auto" }, label.text)),
      html.td(String(index + 1)),
      html.td(typeof score === "number" ? signed(score, 2) : "–"),
      html.td(weight.toFixed(3)),
    );
  });
  const titles = [
    term("key", "Key"),
    "Position",
    term("score", "Score e"),
    term("attention-weight", "Weight α"),
  ].map((title) => html.th({ scope: "col" }, title));
  const table = html.table({ class: "figures" }, html.thead(html.tr(titles)), html.tbody(lines));
  if (!others.length) return block("Attention", table);
  return block("Attention", table, html.p({ class: "note" }, othersNote(others.length, rest)));
}

/** @param {Step[]} steps */
function vectors(steps) {
  const step = steps.at(-1);
  if (!step?.query && !step?.context && !step?.state) return null;
  return block(
    "The vectors",
    ...[
      step.query && strip("query", "the decoder’s query", step.query),
      step.context && strip("c", "the context vector", step.context),
      step.state && strip("s", "the new state", step.state),
    ].filter((part) => part instanceof Node),
  );
}
