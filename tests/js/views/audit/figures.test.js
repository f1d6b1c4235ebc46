import assert from "node:assert/strict";
import { test } from "node:test";

import { DEFAULTS, fromQuery, toQuery } from "../../../../static/js/core/state.js";
import { INK } from "../../../../static/js/draw/ink.js";
import {
  contrastCells,
  contrastCsv,
  contrastView,
  otherWords,
} from "../../../../static/js/views/audit/contrast_model.js";
import { areaRows, chart, curvesCsv } from "../../../../static/js/views/audit/curves_model.js";
import { effectMaps, orderFigures } from "../../../../static/js/views/audit/model.js";
import { ordersCsv } from "../../../../static/js/views/audit/orders.js";
import { auditBody } from "../../../../static/js/views/audit/request.js";
import { rewrittenCsv } from "../../../../static/js/views/audit/rewritten.js";
import { trace } from "../../traces.js";

const shown = trace();
const [rows, keys] = [shown.maps[0].weights.length, shown.maps[0].weights[0].length];

test("the choices of an audit stand in the address", () => {
  const query = "?text=a&view=audit&take=word&removal=silence&scope=one&rewrite=true&against=son";
  const settings = fromQuery(query);
  assert.deepEqual(
    [settings.take, settings.removal, settings.scope, settings.rewrite, settings.against],
    ["word", "silence", "one", true, "son"],
  );
  assert.equal(new URLSearchParams(toQuery(settings)).get("against"), "son");
  assert.equal(toQuery({ ...DEFAULTS, view: "audit" }).includes("take"), false);
});

test("a figure on demand asks for the same run", () => {
  const choices = /** @type {const} */ ({ removal: "block", layer: null, head: null });
  const body = auditBody(shown, { ...choices, figure: "contrast", row: 0, other: "son" });
  assert.deepEqual([body.figure, body.row, body.other], ["contrast", 0, "son"]);
  assert.ok(!("layer" in body || "unit" in body));
});

test("the other words are the alternatives, behind the pieces before them", () => {
  const target = {
    text: "un chaton dort",
    words: [{ start: 0 }, { start: 3 }, { start: 10 }],
    tokens: [
      { word: 0, start: 0, text: "un" },
      { word: 1, start: 3, text: "chat" },
      { word: 1, start: 7, text: "on" },
      { word: 2, start: 10, text: "dort" },
    ],
  };
  const steps = [[], [" chat", " chien", "</s>"], ["on", "te", " dort"], []].map((texts) => ({
    alternatives: texts.map((text) => ({ text })),
  }));
  assert.deepEqual(otherWords(target, steps, 1), ["chat", "chien"]);
  assert.deepEqual(otherWords(target, steps, 2), ["chatte", "chat"]);
  assert.deepEqual(otherWords(target, steps, 9), []);
});

test("the other words are those of a place behind an emoji, which is one character", () => {
  const target = {
    text: "😀😀 chaton",
    words: [{ start: 0 }, { start: 3 }],
    tokens: [
      { word: 0, start: 0, text: "😀😀" },
      { word: 1, start: 3, text: "chat" },
      { word: 1, start: 7, text: "on" },
    ],
  };
  const steps = [[], [" chaton", " chien"], ["on", "te"]].map((texts) => ({
    alternatives: texts.map((text) => ({ text })),
  }));
  assert.deepEqual(otherWords(target, steps, 1), ["chien"]);
  assert.deepEqual(otherWords(target, steps, 2), ["chatte"]);
});

const contrast = /** @type {any} */ ({
  trace: shown,
  word: "sa",
  other: "son",
  row: 0,
  attention: Array(keys).fill(0.5),
  total: [Math.LN2, -2 * Math.LN2, ...Array(keys - 2).fill(0)],
});

test("a contrast is a row of bits, and over a photo two maps", () => {
  const view = contrastView(contrast);
  assert.deepEqual([view.rows.length, view.rows[0].text], [1, "sa − son"]);
  assert.deepEqual(view.weights?.[0].slice(0, 3), [1, -2, 0]);
  const { own, other } = contrastCells(contrast);
  assert.deepEqual([own[0], own[1], other[0], other[1]], [1, 0, 0, 2]);
  const lines = contrastCsv(contrast).split("\r\n");
  assert.equal(lines[0], "column,input,attention,bits for sa against son");
  assert.ok(lines[2].endsWith("0.5,-2.00000"));
});

test("the effects of leaving words out have a column for each word", () => {
  const left_out = {
    words: [0],
    cost: Array.from({ length: rows }, () => [Math.LN2]),
    attention: Array.from({ length: rows }, () => [0.75]),
  };
  const audit = /** @type {any} */ ({
    trace: shown,
    attention: shown.maps[0].weights,
    costs: shown.maps[0].weights,
    left_out,
  });
  const { attention, effect, says } = effectMaps(audit, true);
  assert.deepEqual(
    [effect.columns.length, effect.weights?.[0], attention.weights?.[0]],
    [1, [1], [0.75]],
  );
  assert.match(says, /left out of the input/);
  assert.equal(effectMaps(audit, false).effect.columns.length, keys);
});

const band = { mean: 0.5, low: 0.4, high: 0.6 };
const score = { comprehensiveness: 0.7, sufficiency: 0.8, taken: [-1, -2], left: [-2, -1] };
const orders = { row: 0, keys: [0, 1], attention: score, effects: score, random: [band, band] };

test("bounds that a beam found are called an estimate", () => {
  const found = /** @type {any} */ ({ trace: shown, orders });
  assert.ok(orderFigures(found, false).every(({ means }) => means.includes("estimated")));
  assert.ok(orderFigures(found).every(({ means }) => !means.includes("estimated")));
  assert.equal(ordersCsv(found).split("\r\n")[1], "0,-1,-2,-1,-2");
});

test("the rewritten outputs are lines of a table", () => {
  const outputs = [{ word: 0, text: "Un chat", changed: 1 }];
  const lines = rewrittenCsv(/** @type {any} */ ({ trace: shown, text: "Le chat", outputs })).split(
    "\r\n",
  );
  assert.equal(lines[1], ",,0,Le chat");
  assert.ok(lines[2].endsWith(",1,Un chat"));
});

const order = (/** @type {string} */ name, /** @type {number} */ log) => ({
  way: "keys",
  order: name,
  deletion: [0, log],
  insertion: [log, 0],
});
const curves = /** @type {any} */ ({
  fractions: [0, 1],
  curves: [order("attention", -3), order("random", -1)],
});

test("curves are lines, that of the attention last and strongest", () => {
  const marks = chart(curves, "keys", "deletion", INK);
  assert.deepEqual(
    marks.map(({ name }) => name),
    ["rect", "path", "path"],
  );
  assert.equal(marks[2].attributes.stroke, INK.accent);
  assert.equal(chart(curves, "blur", "deletion", INK).length, 1);
  assert.equal(curvesCsv(curves).split("\r\n")[2], "keys,attention,1,-3,0");
});

test("the best area of a way is marked, even if it is that of chance", () => {
  const areas = /** @type {any} */ ({
    orders: [{ order: "attention", deletion: 0.2, insertion: 0.3 }],
    random_deletion: { mean: 0.4, low: 0.3, high: 0.5 },
    random_insertion: { mean: 0.6, low: 0.5, high: 0.7 },
  });
  const [attention, random] = areaRows(areas);
  assert.deepEqual(attention.best, { deletion: true, insertion: false });
  assert.deepEqual(random.best, { deletion: false, insertion: true });
  assert.equal(random.range, "0.30 to 0.50; 0.50 to 0.70");
});
