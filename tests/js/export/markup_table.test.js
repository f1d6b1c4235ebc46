import assert from "node:assert/strict";
import { test } from "node:test";

import { latex, markdownTable } from "../../../static/js/export/markup_table.js";
import { csv } from "../../../static/js/export/share.js";
import { sceneOf } from "../../../static/js/core/scene.js";
import { DEFAULTS } from "../../../static/js/core/state.js";
import { texts } from "../texts.js";
import { axis, model, trace } from "../traces.js";

const NASTY = axis([["50%"], ["a_b"], ["$x^2$"], ["\\end{document}"], ["~#&"], ["a|b*"], ["α"]]);
/** The commands of the document itself, and those that stand for characters. */
const KNOWN = new Set([
  ..."documentclass usepackage newcommand definecolor path node cell begin end footnotesize tiny"
    .split(" ")
    .map((name) => `\\${name}`),
  ..."textbackslash textasciicircum textasciitilde textvisiblespace langle rangle alpha"
    .split(" ")
    .map((name) => `\\${name}`),
  ...Array.from("&%$#_{}", (sign) => `\\${sign}`),
]);
const NODE = /^ {2}\\node\[(?:rotate|anchor)/;
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

test("the cells that are empty on the page are empty in LaTeX", () => {
  const scene = sceneWith(axis([["the"], ["house"]]));
  scene.view.weights = scene.view.weights.map((row) => row.map((_, x) => (x ? 0.004 : 0.996)));
  const numbers = [...latex(scene).matchAll(/^ {2}\\cell.*\{([^{}]*)\}$/gm)].map(
    ([, text]) => text,
  );
  assert.deepEqual(new Set(numbers), new Set(["1.00", ""]));
});

test("each text says what its rows and columns are", () => {
  const scene = sceneWith(axis([["the"], ["house"]]));
  const unit = scene.kind.unit?.(scene);
  assert.equal(unit, "words");
  assert.match(latex(scene), /^% .* a column for each input, in words\.$/m);
  assert.match(markdownTable(scene.view, unit), /^\| words \| the \| house \|/);
  assert.match(csv(scene.view, unit), /^words,the,house,/);
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

/** The commands and the ends of lines in a document do not depend on the texts in it. */
test("no text of a trace or a model leaves its place in the LaTeX document", () => {
  /** @param {string} text @returns {any} */
  const view = (text) => ({ rows: [{ text }], columns: [{ text, special: true }], weights: [[1]] });
  /** @param {string} text */
  const documentOf = (text) => {
    /** @type {any} */
    const scene = {
      kind: {},
      view: view(text),
      model: model({ name: text }),
      scale: "whole",
      log: false,
    };
    return latex(scene);
  };
  const plain = documentOf("a").split("\n");
  for (const text of texts()) {
    const lines = documentOf(text).split("\n");
    const shown = JSON.stringify(text);
    assert.equal(lines.length, plain.length, shown);
    lines.forEach((line, index) => {
      assert.doesNotMatch(line, /[\r\v\f\0\u0085\u2028\u2029\u202e]/, shown);
      assert.ok(!line.includes("^^"), shown);
      if (index && !NODE.test(line)) assert.equal(line, plain[index], shown);
    });
    assert.match(
      lines[0],
      /^% .*: attention weights, a row for each output, a column for each input\.$/,
    );
    for (const line of lines) {
      const commands = line.match(/\\(?:[A-Za-z]+|.)/g) ?? [];
      for (const command of commands) assert.ok(KNOWN.has(command), `${command} of ${shown}`);
      if (!NODE.test(line)) continue;
      const [, inner] = /\) \{(.*)\};$/.exec(line);
      const open = inner.replace(/\\[{}]/g, "").replace(/\{\}/g, "");
      assert.doesNotMatch(open, /[{}]/, shown);
      assert.doesNotMatch(inner, /(?<!\\)[%#&_]/, shown);
    }
  }
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

test("no text leaves its cell of the Markdown table", () => {
  for (const text of texts()) {
    const shown = JSON.stringify(text);
    /** @type {any} */
    const view = { rows: [{ text }], columns: [{ text, special: true }], weights: [[1]] };
    const lines = markdownTable(view)
      .trimEnd()
      .split(/[\n\r\v\f\u0085\u2028\u2029]/);
    assert.equal(lines.length, 3, shown);
    for (const line of lines) assert.equal(line.match(/(?<!\\)(?:\\\\)*\|/g).length, 3, shown);
    assert.doesNotMatch(lines[0], /(?<!\\)(?:\\\\)*[<`[]/, shown);
  }
});
