import assert from "node:assert/strict";
import { test } from "node:test";

import {
  chosenOf,
  countedKeys,
  difference,
  differing,
  measures,
  shortName,
  wordKey,
} from "../../../../static/js/views/compare/model.js";
import { relatedModels } from "../../../../static/js/views/compare/related_models.js";
import { sceneOf } from "../../../../static/js/core/scene.js";
import { DEFAULTS } from "../../../../static/js/core/state.js";
import { viewOf } from "../../../../static/js/core/trace.js";
import { axis, map, trace } from "../../traces.js";

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

test("by default the model without attention and one more are chosen", () => {
  const others = [model("a"), model("b", "dot"), model("c", "none")];
  assert.deepEqual(
    chosenOf([], others).map(({ id }) => id),
    ["a", "c"],
  );
  assert.deepEqual(
    chosenOf(["b", "gone"], others).map(({ id }) => id),
    ["b"],
  );
  assert.deepEqual(chosenOf(["gone"], []), []);
});

test("short names omit the part that related models share", () => {
  assert.equal(shortName(model("a")), "additive");
  assert.equal(shortName({ name: "Mine" }), "Mine");
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
  const found = measures(scene);
  assert.ok(found.entropy > 0 && found.entropy < 1);
  assert.ok(Math.abs(found.probability - Math.exp(-0.5 / scene.output.steps.length)) < 1e-12);
  assert.equal(found.milliseconds, 2);
  assert.equal(measures(sceneOf(trace({ maps: [] }), DEFAULTS, model("toy"))).entropy, null);
});

test("a difference needs the same rows and columns", () => {
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
