import assert from "node:assert/strict";
import { test } from "node:test";

import { differing } from "../../../../static/js/core/differing.js";
import {
  chosenOf,
  countedKeys,
  difference,
  formulaOf,
  lostWords,
  markless,
  differences,
  measures,
  ordered,
  qualityOf,
  referenceOf,
  shortName,
  wordKey,
} from "../../../../static/js/views/compare/model.js";
import { relatedModels } from "../../../../static/js/core/related_models.js";
import { differenceOf } from "../../../../static/js/core/heatmap.js";
import { sceneOf } from "../../../../static/js/core/scene.js";
import { DEFAULTS } from "../../../../static/js/core/state.js";
import { viewOf } from "../../../../static/js/core/trace.js";
import { PAPER } from "../../../../static/js/draw/ink.js";
import { axis, map, trace, partial } from "../../traces.js";

/** @returns {any} */
const model = (id, mechanism = "additive", change = {}) => ({
  ...{
    id,
    mechanism,
    name: `English → French, ${mechanism}`,
    task: "translate",
    granularity: "subwords",
    quality: {},
  },
  ...{ source: { code: "en" }, target: { code: "fr" }, ...change },
});

test("a model is compared with models of the same task and languages", () => {
  /** @type {any} */
  const all = [
    model("a"),
    model("b"),
    model("c", "dot", { target: { code: "de" } }),
    model("d", "dot", { task: "dates" }),
  ];
  assert.deepEqual(
    relatedModels(all, all[0]).map(({ id }) => id),
    ["b"],
  );
  assert.deepEqual(relatedModels(all, all[2]), []);
});

test("by default a model with attention stands beside the one without", () => {
  const others = [model("a"), model("b", "dot"), model("c", "none")];
  const chosen = (ids, all, model, edits = false) =>
    chosenOf(ids, all, model, edits).map(({ id }) => id);
  assert.deepEqual(chosen([], others, model("x")), ["c"]);
  assert.deepEqual(chosen([], others.slice(0, 2), model("x", "none")), ["a"]);
  assert.deepEqual(chosen([], others.slice(0, 2), model("x")), ["a"]);
  assert.deepEqual(chosen(["b", "gone"], others, model("x")), ["b"]);
  assert.deepEqual(chosen(["gone"], [], model("x")), []);
  assert.deepEqual(chosen([], others, model("x"), true), ["a"]); // to give rows to
});

test("outputs are compared with that of the first model with attention", () => {
  assert.equal(referenceOf([model("a", "none"), model("b"), model("c")]), 1);
  assert.equal(referenceOf([model("a"), model("b", "none")]), 0);
  assert.equal(referenceOf([model("a", "none")]), 0);
});

test("a word is lost as often as it is missing", () => {
  const words = (text) => axis(text.split(" ").map((word) => [word])).words;
  const lost = (text, base) => lostWords(words(text), words(base)).map(({ item }) => item.text);
  assert.deepEqual(lost("la maison de la maison", "La maison blanche"), ["blanche"]);
  assert.deepEqual(lost("le chat", "le chat et le chien ."), ["et", "le", "chien"]);
  assert.deepEqual(lost("le chat et le chien", "le chat"), []);
});

test("the formula of a score is that of the server", () => {
  assert.equal(formulaOf(partial({ mechanism: "dot", formula: "q·k" })), "e = q·k");
  assert.equal(
    formulaOf(partial({ mechanism: "none", formula: "none: …" })),
    "cₜ = c, the same vector at every step",
  );
  assert.equal(
    formulaOf(partial({ mechanism: "multihead", heads: 4 })),
    "e = q·k / √d, in each of 4 heads",
  );
  assert.equal(formulaOf(partial({ mechanism: "imported" })), "");
});

test("the scale of a difference leaves out the stop token", () => {
  /** @type {any} */
  const view = { rows: axis([["a"]]).words, columns: axis([["b"]]).words };
  const values = [
    [0.2, -0.9],
    [0.7, 0.1],
  ];
  const { most, positions } = differenceOf(values, PAPER, markless(view));
  assert.equal(most, 0.2);
  assert.deepEqual(positions[0], [1, -1]);
  assert.equal(differenceOf(values, PAPER).most, 0.9);
});

test("short names omit the part that related models share", () => {
  assert.equal(shortName(model("a")), "additive");
  assert.equal(shortName(partial({ name: "Mine" })), "Mine");
});

test("words outside what both have in common, in order, differ", () => {
  const split = (text) => text.split(" ");
  assert.deepEqual(differing(split("la maison rouge"), split("la maison rouge")), [
    false,
    false,
    false,
  ]);
  assert.deepEqual(
    differing(split("la rouge maison"), split("la maison rouge")).filter(Boolean).length,
    1,
  );
  assert.deepEqual(differing(split("une maison"), split("la maison rouge")), [true, false]);
  assert.deepEqual(differing([], ["a"]), []);
  assert.deepEqual(differing(["a"], []), [true]);
});

test("words match regardless of case, and special tokens are no words", () => {
  const [word, end] = [axis([["La"]]).words[0], axis([["La"]]).words[1]];
  assert.equal(wordKey(word), "la");
  assert.equal(wordKey(end), "</s>");
});

test("a word that comes twice is two words", () => {
  assert.deepEqual(countedKeys(axis([["The"], ["cat"], ["the"]]).words), [
    "the 1",
    "cat 1",
    "the 2",
    "</s> 1",
  ]);
});

test("the measures of a model are averages over the steps", () => {
  const scene = sceneOf(trace({ log_probability: -0.5 }), DEFAULTS, model("toy"));
  const found = measures({ ...scene, weights: scene.view.weights });
  assert.ok(found.entropy > 0 && found.entropy < 1);
  assert.ok(Math.abs(found.probability - Math.exp(-0.5 / scene.output.steps.length)) < 1e-12);
  assert.equal(found.milliseconds, 2);
  assert.equal(measures({ ...scene, weights: null }).entropy, null);
});

test("a difference needs the same rows and columns", () => {
  /** @returns {any} */
  const view = (written) => {
    const [source, target] = [axis([["a"], ["b"]]), axis([[written]], "mean")];
    const made = trace({ source, target, maps: [map(source, target)] });
    return viewOf(made, made, made.maps[0], "words");
  };
  assert.deepEqual(difference(view("x"), view("x")), [
    [0, 0, 0],
    [0, 0, 0],
  ]);
  assert.equal(difference(view("x"), view("y")), null);
  assert.equal(difference(view("x"), { ...view("x"), weights: null }), null);
});

test("models are ordered by a measure, and those without it come last", () => {
  const all = [
    { entropy: 0.9, probability: 0.5, quality: 40, milliseconds: 1 },
    null,
    { entropy: null, probability: 0.9, quality: 50, milliseconds: 1 },
    { entropy: 0.1, probability: 0.5, quality: null, milliseconds: 1 },
  ];
  assert.deepEqual(ordered(all, "chosen"), [0, 1, 2, 3]);
  assert.deepEqual(ordered(all, "entropy"), [3, 0, 1, 2]);
  assert.deepEqual(ordered(all, "probability"), [2, 0, 3, 1]);
  assert.deepEqual(ordered(all, "quality"), [2, 0, 1, 3]);
});

test("the quality of a model is the first that is measured on held-out data", () => {
  const of = (/** @type {Record<string, number>} */ quality) => qualityOf({ quality });
  assert.equal(of({ examples: 5, exact_match: 0.99 })?.value, 99);
  assert.equal(of({ bleu_up_to_10_words: 60, tatoeba_bleu: 48, words_bleu: 3 })?.value, 48);
  assert.equal(of({ bleu_1: 60, bleu_4: 24 })?.name, "BLEU-4");
  assert.equal(of({ perplexity: 40 }), null);
});

test("differences of several maps are painted on one scale", () => {
  const view = (/** @type {number} */ weight) =>
    partial({ rows: [{ text: "a" }], columns: [{ text: "b" }], weights: [[weight]] });
  const [small, none, large] = differences([view(0.25), null, view(-0.5)], PAPER);
  assert.equal(none, null);
  assert.equal(small?.most, 0.5);
  assert.equal(small?.positions[0][0], 0.5);
  assert.equal(large?.positions[0][0], -1);
});
