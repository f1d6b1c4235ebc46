import assert from "node:assert/strict";
import { test } from "node:test";

import { grid } from "../../../../static/js/core/kinds/grid.js";
import { DEFAULTS } from "../../../../static/js/core/grid_state.js";
import { scoreFormula, stepOf } from "../../../../static/js/views/step/grid_step.js";
import { captioner, pictureTrace } from "../../picture_traces.js";

const text = (formula) =>
  formula.map((piece) => (typeof piece === "string" ? piece : piece.symbol)).join("");
const scene = (card = {}, trace = pictureTrace()) =>
  grid.sceneOf(trace, { ...DEFAULTS, view: "step" }, captioner(card));
const partOf = (name, row, drawn = scene()) => stepOf(drawn, row).textOf(name);
const meaning = (formula, symbol) => formula.find((piece) => piece.symbol === symbol)?.meaning;

test("an unknown mechanism has the formula that the server gives", () => {
  const chain = stepOf(scene(), 1);
  const of = (card) => text(scoreFormula(chain, { order: "before", ...card }));
  assert.equal(of({ mechanism: "soft", formula: "x" }), "eⱼ = vᵀ tanh(W sₜ₋₁ + U aⱼ)");
  assert.equal(of({ mechanism: "multihead" }), "eⱼ = q · kⱼ / √d");
  assert.equal(of({ mechanism: "cosine", formula: "cos(q, k)" }), "eⱼ = cos(q, k)");
  assert.equal(of({ mechanism: "cosine" }), "eⱼ = score(s, aⱼ)");
});

test("a symbol has its value in the step", () => {
  const { formula } = partOf("weights", 1);
  assert.equal(meaning(formula, "αⱼ"), "the weights, up to 0.813");
  const { cells, sum } = stepOf(scene(), 1);
  assert.equal(Math.max(...cells.map(({ weight }) => weight)).toFixed(3), "0.813");
  assert.equal(meaning(formula, "Σₖ exp(eₖ − max e)"), `the sum: ${sum.toFixed(3)}`);
  const context = partOf("context", 1).formula;
  assert.equal(text(context), "β · c = β Σⱼ αⱼ aⱼ");
  assert.match(meaning(context, "β"), /^the gate: 0\.200/);
});

test("without a gate the context is the plain sum, and of hard attention the drawn region", () => {
  const plain = pictureTrace();
  const without = {
    ...plain,
    steps: plain.steps.map(({ gate, ...step }) => step),
  };
  assert.equal(text(partOf("context", 1, scene({}, without)).formula), "c = Σⱼ αⱼ aⱼ");
  const drawn = plain.steps.map((step) => ({ ...step, drawn: { cell: 4, log_probability: -1 } }));
  const formula = partOf("context", 1, scene({}, { ...plain, steps: drawn })).formula;
  assert.equal(text(formula), "j ~ αⱼ, c = aⱼ");
  assert.equal(meaning(formula, "j"), "the cell that was drawn: number 5");
});

test("the output of a model that answers questions is an answer", () => {
  assert.match(partOf("query", 1).says, /the caption so far/);
  assert.match(partOf("query", 1, scene({ task: "ask" })).says, /the answer so far/);
});
