import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import * as diagnoses from "../../../static/js/core/diagnoses.js";
import * as faults from "../../../static/js/core/faults.js";
import { sceneOf } from "../../../static/js/core/scene.js";
import { DEFAULTS } from "../../../static/js/core/state.js";
import { axis, map, model, step, trace } from "../traces.js";

/** @type {any} */
const rules = { ...diagnoses, ...faults };
const words = (/** @type {string} */ text) => text.split(" ").map((word) => [word]);
const SIX = "one two three four five six";

/** The scene of a map between two texts, each with an end mark. @returns {any} */
function shown(
  weights,
  /** @type {any} */ { read = SIX, wrote = SIX, kind = "cross", settings = {}, ...more } = {},
) {
  const [source, target] = [axis(words(read)), axis(words(wrote), "mean")];
  const key = kind === "cross" ? "source" : "decoder_input";
  const made = { ...map(source, target, { kind, key }) };
  made.weights = weights(target.tokens.length, source.tokens.length);
  const whole = trace({ source, target, maps: [made], steps: [], ...more });
  const scene = sceneOf(whole, { ...DEFAULTS, ...settings }, model());
  const { view } = scene;
  return {
    scene,
    weights: view.weights,
    rows: view.rows,
    columns: view.columns,
    models: [model()],
  };
}

/** Rows that look at one place each, with the rest on others. */
const at =
  (place, most = 1) =>
  (rows, columns) =>
    Array.from({ length: rows }, (_, row) =>
      Array.from({ length: columns }, (_, key) =>
        key === place(row, columns) ? most : (1 - most) / (columns - 1),
      ),
    );
const even = (rows, columns) => at(() => 0, 1 / columns)(rows, columns);
const straight = at((row) => row);

test("a mark that gets much of every row is a sink, a word is none", () => {
  const found = rules.sink(shown(at((_, columns) => columns - 1, 0.6)));
  assert.match(found.says, /end.* 60/);
  assert.equal(found.cells.length, 7);
  assert.deepEqual(found.attempt.edit, { op: "block", keys: 6 });
  assert.equal(rules.sink(shown(at(() => 0, 0.6))), null);
  assert.ok(
    rules.sink(
      shown(
        at(() => 0, 0.6),
        { kind: "decoder-self" },
      ),
    ),
    "the first token",
  );
});

test("equal weights are nearly uniform, a sharp map is not", () => {
  assert.equal(rules.nearUniform(shown(even)).cells.length, 7);
  assert.equal(rules.nearUniform(shown(straight)), null);
});

test("a map that follows the places is a diagonal, one that turns them around is none", () => {
  assert.match(rules.diagonal(shown(straight)).says, /^100.% of/);
  assert.equal(rules.diagonal(shown(at((row, columns) => columns - 1 - row))), null);
  assert.equal(rules.diagonal(shown(straight, { read: "one two", wrote: "un deux" })), null);
});

test("a map is off by one only where words are linked", () => {
  const late = at((row) => Math.max(row - 1, 0));
  const links = "0-0 1-1 2-2 3-3 4-4 5-5";
  assert.match(rules.drift(shown(late, { settings: { links } })).says, /one row later/);
  assert.equal(rules.drift(shown(straight, { settings: { links } })), null);
  assert.equal(rules.drift(shown(late)), null);
});

test("three rows that look at one word are stuck, and the edit blocks it in the last of them", () => {
  const found = rules.stuck(shown(at((row) => (row < 4 ? 2 : row), 0.7)));
  assert.deepEqual(
    found.cells,
    [0, 1, 2, 3].map((row) => ({ row, column: 2 })),
  );
  assert.deepEqual(found.attempt.edit, { op: "block", queries: { first: 1, last: 3 }, keys: 2 });
  assert.equal(rules.stuck(shown(at((row) => (row < 2 ? 3 : row), 0.7))), null);
  assert.equal(rules.stuck(shown(at((_, columns) => columns - 1, 0.7))), null, "a mark");
});

test("a name and a number that stand in both texts were copied", () => {
  const texts = { read: "we saw Anna in 1979", wrote: "nous avons vu Anna en 1979" };
  const found = rules.copied(shown(straight, texts));
  assert.deepEqual(found.cells, [
    { row: 3, column: 2 },
    { row: 5, column: 4 },
  ]);
  assert.equal(rules.copied(shown(straight, { read: "Son a", wrote: "Son b" })), null, "the first");
});

test("a word that stands twice in the output alone is perhaps repeated", () => {
  const en = { code: "en", name: "English" };
  const fr = { code: "fr", name: "French" };
  const found = (read, wrote, more = {}) => {
    const made = shown(straight, { read, wrote, ...more });
    made.scene.model = { ...made.scene.model, source: en, target: fr };
    return rules.repeated(made);
  };
  const twice = "une population de populations plus";
  const warning = found("an aging crowd needs more", twice);
  assert.match(warning.says, /“populations” stands .* “needs”/);
  assert.deepEqual(warning.cells, [
    { row: 1, column: 1 },
    { row: 3, column: 3 },
  ]);
  assert.deepEqual(warning.attempt.edit, { op: "block", queries: 3, keys: 3 });
  assert.ok(found("the queen read it", "la lettre d'une lettre"), "behind an article");
  assert.equal(found("a crowd in a crowd", twice), null, "as in the input");
  assert.equal(found("we like it very much", "nous sommes comme nous sommes"), null, "frequent");
  assert.equal(found("an orange porch it is", "le porche du portier est"), null, "another word");
  assert.equal(found("an aging crowd needs more", twice, { finish: "forced" }), null, "a person's");
});

test("a word of the input that the other language does not have is perhaps not translated", () => {
  const [source, target] = [
    axis(words("the margin of Oz")),
    axis(words("la margin de Oz"), "mean"),
  ];
  const made = shown(straight, { source, target: { ...target, copied_words: [1, 3] } });
  made.scene.model = { ...made.scene.model, target: { code: "fr", name: "French" } };
  const found = rules.untranslated(made);
  assert.match(found.says, /^“margin” stands in the input, and in no French text/);
  assert.deepEqual(found.cells, [{ row: 1, column: 1 }], "a name is none");
  assert.deepEqual(found.attempt.edit, { op: "block", queries: 1, keys: 1 });
  assert.equal(rules.untranslated(shown(straight, { source, target })), null);
});

test("the figures of a warning are those of the docs", () => {
  const docs = readFileSync("docs/views.md", "utf8");
  for (const [fault, figures] of Object.entries(faults.MEASURED)) {
    const found = { faulty: 0, named: 0, right: 0 };
    for (const row of docs.matchAll(/^\| (\w+), `.*` \| (\d+) \| (\d+) \| (\d+) %/gm)) {
      if (row[1] !== fault) continue;
      const [faulty, named, percent] = row.slice(2).map(Number);
      found.faulty += faulty;
      found.named += named;
      found.right += Math.round((named * percent) / 100);
    }
    assert.deepEqual(found, figures);
  }
});

test("words in pieces and rare words are named", () => {
  const [source, target] = [axis([["un", "like"], ["this"]]), axis(words("pas ceci"), "mean")];
  source.rare_words = [1];
  const made = shown(straight, { source, target, maps: [map(source, target)] });
  const found = rules.inPieces(made);
  assert.match(found.says, /“unlike”.*sum/);
  assert.deepEqual(found.attempt.change, { units: "subwords" });
  assert.match(rules.rare(made).says, /“this” was rare/);
  assert.equal(rules.inPieces(shown(straight)), null);
  assert.equal(rules.rare(shown(straight)), null);
});

test("the least likely word is named with what else was considered", () => {
  const steps = Array.from({ length: 7 }, (_, at) => step(at === 2 ? 0.1 : 0.9));
  steps[2].alternatives.push({ id: 11, text: "trois", probability: 0.08 });
  const found = rules.unlikely(shown(straight, { steps }));
  assert.match(found.says, /“three”.* 10.*“trois” \(8/);
  assert.deepEqual(found.cells, [{ row: 2, column: 2 }]);
  const sure = steps.map(() => step(0.9));
  assert.equal(rules.unlikely(shown(straight, { steps: sure })), null);
});

test("guidance and another language are facts about the model and the text", () => {
  const own = shown(straight);
  own.scene.model.guided = "head 2 guided";
  own.scene.model.unguided = "toy";
  assert.deepEqual(rules.guided(own).attempt.change, { model: "toy" });
  assert.match(rules.guided(own).says, /head 2/);
  assert.equal(rules.guided(shown(straight)), null);
  const german = { read: "ich weiß nicht wo sie heute wohnt und was sie macht" };
  const reads = shown(straight, german);
  const translator = { ...reads.scene.model, task: "translate" };
  const de = { ...translator, id: "de", source: { code: "de", name: "German" } };
  const found = rules.foreign({
    ...reads,
    scene: { ...reads.scene, model: translator },
    models: [de],
  });
  assert.match(found.says, /German/);
  assert.deepEqual(found.attempt.change, { model: "de" });
});

test("without a server a finding has nothing to try, and every fact has a reference", () => {
  const { scene } = shown(at((_, columns) => columns - 1, 0.6));
  const found = rules.diagnosesOf(scene, []);
  assert.ok(found.length);
  for (const { source, because, attempt } of found) {
    assert.match(source.url, /^https:\/\//);
    assert.ok(because.length > 20);
    assert.ok(!attempt || "change" in attempt);
  }
});

test("of a caption, a closed gate and a map that stays in the middle are found", () => {
  const source = { kind: "grid", rows: 4, columns: 4 };
  const weights = [Array.from({ length: 16 }, (_, cell) => Number(cell === 5))];
  const rows = [{ text: "a", start: 0, end: 1, special: false, tokens: [0] }];
  const output = { steps: [{ ...step(0.9), gate: 0.1 }] };
  const scene = /** @type {any} */ ({ trace: { source }, output, rows, weights, row: 0 });
  const found = rules.diagnosesOf(scene, []);
  assert.deepEqual(
    found.map(({ id }) => id),
    ["gate", "centre"],
  );
  weights[0] = weights[0].map((_, cell) => Number(cell === 0));
  output.steps[0].gate = 0.9;
  assert.deepEqual(rules.diagnosesOf(scene, []), []);
});
