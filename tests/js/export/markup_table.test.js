import assert from "node:assert/strict";
import { test } from "node:test";

import { latex, markdownTable } from "../../../static/js/export/markup_table.js";
import { sceneOf } from "../../../static/js/core/scene.js";
import { DEFAULTS } from "../../../static/js/core/state.js";
import { axis, model, trace } from "../traces.js";

const NASTY = axis([["50%"], ["a_b"], ["$x^2$"], ["\\end{document}"], ["~#&"], ["a|b*"], ["α"]]);
const sceneWith = (source) => sceneOf(trace({ source }), { ...DEFAULTS }, model());

test("the LaTeX document has a cell for each weight and a name for each row and column", () => {
  const scene = sceneWith(axis([["the"], ["house"]]));
  const document = latex(scene);
  const { rows, columns, weights } = scene.view;
  assert.equal(document.match(/^ {2}\\cell\{/gm).length, rows.length * columns.length);
  assert.equal(document.match(/\\node\[rotate/g).length, columns.length);
  assert.equal(document.match(/\\node\[anchor=east\]/g).length, rows.length);
  assert.match(document, /\{\$\\langle\$end\$\\rangle\$\}/);
  const [, x, y, number] = /\\cell\{(\d)\}\{(\d)\}\{[0-9A-F]{6}\}\{\w+\}\{([\d.]+)\}/.exec(
    document,
  );
  assert.equal(number, weights[y][x].toFixed(2));
});

test("no word of a text is a command of LaTeX", () => {
  const document = latex(sceneWith(NASTY));
  const names = [...document.matchAll(/\\node\[[^\]]+\] at \([^)]+\) \{(.*)\};$/gm)].map(
    ([, name]) => name,
  );
  assert.ok(names.includes("50\\%"));
  assert.ok(names.includes("a\\_b"));
  assert.ok(names.includes("\\$x\\textasciicircum{}2\\$"));
  assert.ok(names.includes("\\textbackslash{}end\\{document\\}"));
  assert.ok(names.includes("\\textasciitilde{}\\#\\&"));
  const begun = document.match(/\\begin\{/g).length;
  assert.equal(document.match(/\\end\{/g).length, begun);
  const braces = document.replace(/(?<!\\)%.*$/gm, "").replace(/\\[{}]/g, "");
  assert.equal(braces.split("{").length, braces.split("}").length);
});

test("the Markdown table has the weights, the largest of each row in bold", () => {
  const scene = sceneWith(axis([["the"], ["house"]]));
  const [head, rule, ...rows] = markdownTable(scene.view).trimEnd().split("\n");
  const cells = (line) => line.slice(2, -2).split(" | ");
  assert.deepEqual(cells(head), ["", "the", "house", "⟨end⟩"]);
  assert.deepEqual(cells(rule), ["---", "--:", "--:", "--:"]);
  rows.forEach((line, row) => {
    const [, ...numbers] = cells(line);
    assert.deepEqual(
      numbers.map((number) => number.replace(/\*/g, "")),
      scene.view.weights[row].map((weight) => weight.toFixed(2)),
    );
    assert.ok(numbers.some((number) => number.startsWith("**")));
  });
});

test("no word of a text is markup of Markdown", () => {
  const [head] = markdownTable(sceneWith(NASTY).view).split("\n");
  assert.ok(head.includes("a\\|b\\*"));
  assert.equal(head.match(/(?<!\\)\|/g).length, NASTY.words.length + 2);
});
