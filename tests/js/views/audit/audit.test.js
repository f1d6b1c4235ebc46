import assert from "node:assert/strict";
import { test } from "node:test";

import { sceneOf } from "../../../../static/js/core/scene.js";
import { DEFAULTS } from "../../../../static/js/core/state.js";
import { INK } from "../../../../static/js/draw/ink.js";
import { strip } from "../../../../static/js/views/audit/marks.js";
import {
  cellsOf,
  csvOf,
  figuresOf,
  gridCsv,
  mapsOf,
  range,
} from "../../../../static/js/views/audit/model.js";
import { auditBody, auditFields } from "../../../../static/js/views/audit/request.js";
import { draw } from "../../../../static/js/views/audit/svg.js";
import { model, trace } from "../../traces.js";
import { texts } from "../../xml.js";

const shown = trace();
const [rows, keys] = [shown.maps[0].weights.length, shown.maps[0].weights[0].length];
const filled = (/** @type {number} */ value) =>
  Array.from({ length: rows }, () => Array.from({ length: keys }, () => value));
const band = (/** @type {number} */ mean) => ({ mean, low: mean - 0.1, high: mean + 0.1 });
const order = { comprehensiveness: 0.9, sufficiency: 0.8, taken: [0], left: [0] };

/** @returns {import("../../../../static/js/core/wire").Audit} */
function audit(changes = {}) {
  const costs = filled(0);
  costs[0][1] = 2 * Math.LN2;
  return /** @type {any} */ ({
    schema: "heed.audit/1",
    trace: shown,
    choices: { removal: "block", layer: null, head: null, row: null, seeds: 2 },
    words: ["A key is taken.", "It is blocked.", "Of all heads.", "They are forced."],
    verdict: ["Blocking costs 2.0 bits.", "They agree.", "The rest leaks."],
    noun: "word",
    log_probabilities: Array(rows).fill(-0.5),
    attention: shown.maps[0].weights,
    costs,
    controls: {
      keys: 3,
      cost: Array(rows).fill(3 * Math.LN2),
      random: [Array(rows).fill(Math.LN2), Array(rows).fill(0)],
    },
    distances: { uniform: Array(rows).fill(0.4), permuted: [Array(rows).fill(0.6)] },
    agreement: {
      attention: { tau: 0.5, first: 0.75, taus: [] },
      place: { tau: 0.1, first: 0.25, taus: [] },
      random_tau: band(0),
      random_first: 0.125,
    },
    orders: {
      row: 0,
      keys: [0, 1],
      attention: order,
      effects: order,
      random: [band(0.5), band(0.4)],
    },
    rows: 100,
    version: "0.1.0",
    ...changes,
  });
}

test("each figure stands beside its baseline, in bits or shares", () => {
  const figures = figuresOf(audit());
  assert.deepEqual(
    figures.map(({ text, baseline }) => `${text}: ${baseline}`.replaceAll("\u00a0", " ")),
    [
      "3.0 bits: as many at random 0.5 (0.0 to 1.0)",
      "75 %: one at random 13 %, the diagonal 25 %",
      "τ 0.50: random maps 0.00 (−0.10 to 0.10), the diagonal 0.10",
      "0.90: random orders 0.50 (0.40 to 0.60), the order of the costs 0.90",
      "0.80: random orders 0.40 (0.30 to 0.50), the order of the costs 0.80",
      "0.40: permuted weights 0.60 (0.60 to 0.60)",
    ],
  );
});

test("the gap between the edge and the word is a figure", () => {
  const left_out = {
    words: [0, 1],
    cost: Array(rows).fill([4 * Math.LN2, 0]),
    attention: [],
    strongest: Array(rows).fill(0),
    taken: [Math.LN2, ...Array(rows - 1).fill(null)],
  };
  const found = figuresOf(audit({ left_out })).find(({ name }) => name.includes("row alone"));
  assert.equal(`${found?.text}; ${found?.baseline}`, "1.0 bits; out of the input 4.0");
});

test("figures that there are none of are left out", () => {
  const nothing = { tau: null, first: null, taus: [] };
  const agreement = { ...audit().agreement, attention: nothing };
  const controls = { keys: 0, cost: Array(rows).fill(null), random: [Array(rows).fill(null)] };
  const figures = figuresOf(audit({ agreement, controls, orders: undefined }));
  assert.deepEqual(
    figures.map(({ name }) => name),
    ["Equal weights change the next word’s distribution"],
  );
});

test("the range of seeds is that of their middle 95 %", () => {
  const { low, high, mean } = range(Array.from({ length: 101 }, (_, i) => i));
  assert.deepEqual([low, high, mean], [2.5, 97.5, 50]);
  assert.deepEqual(range([3]), { low: 3, high: 3, mean: 3 });
});

test("both maps have the same axes, the effects in bits", () => {
  const { attention, effect } = mapsOf(audit());
  assert.equal(effect.weights?.[0][1], 2);
  assert.deepEqual(effect.columns, attention.columns);
  assert.equal(effect.rows.length, rows);
});

test("every cell is a line of the table", () => {
  const lines = csvOf(audit()).trim().split("\r\n");
  assert.equal(lines.length, 1 + rows * keys);
  assert.ok(lines[0].startsWith("row,output,column,input,attention,cost in bits"));
});

test("the maps that count values have figures, and columns of the table", () => {
  const found = { tau: 0.6, first: 0.5, taus: [] };
  const counted = audit({
    weighted: filled(1.5),
    zeroed: filled(0.25),
    agreement: { ...audit().agreement, weighted: found, zeroed: { ...found, tau: -0.2 } },
  });
  const figures = figuresOf(counted).filter(({ name }) => name.endsWith("and effect"));
  assert.deepEqual(
    figures.map(({ text }) => text),
    ["τ 0.60", "τ −0.20"],
  );
  assert.ok(figures[0].baseline.endsWith("the attention 0.50"));
  const [head, first] = csvOf(counted).split("\r\n");
  assert.ok(head.endsWith("cost in bits,weighted by value,value zeroing"));
  assert.ok(first.endsWith(",1.50000,0.25000"));
});

test("the range at random, the other figures and the value are marks", () => {
  const names = strip(figuresOf(audit())[1], INK).map(({ name }) => name);
  assert.deepEqual(names, ["path", "rect", "path", "circle"]);
});

test("an audit asks for the same run, without its edits", () => {
  const request = { ...shown.request, edits: [{ op: "block", keys: 1 }] };
  const body = auditBody(/** @type {any} */ ({ ...shown, request }), {
    removal: "silence",
    layer: 0,
    head: 1,
  });
  assert.deepEqual([body.layer, body.head, body.removal], [0, 1, "silence"]);
  assert.ok(!("edits" in body));
});

test("the figure has the verdict, both maps and the choices", () => {
  const scene = sceneOf(shown, { ...DEFAULTS, view: "audit" }, model());
  const measure = (/** @type {string} */ text, /** @type {{size: number}} */ { size }) =>
    text.length * size * 0.5;
  const how = /** @type {any} */ ({ measure, companions: { drawn: audit() } });
  const { svg } = draw(scene, how);
  const said = texts(svg).join(" ");
  for (const part of [
    "Blocking costs 2.0 bits.",
    "Attention",
    "Effect in bits",
    "They are forced.",
    "Heed 0.1.0",
  ])
    assert.ok(said.includes(part), part);
  assert.throws(() => draw(scene, { ...how, companions: null }), /Wait until/);
});

test("a word of a caption has the mean attention of its tokens, and the sum of their costs", () => {
  const costs = filled(0);
  costs[0][1] = 2 * Math.LN2;
  costs[1][1] = -3 * Math.LN2;
  const attention = filled(0);
  attention[0][0] = 0.5;
  const { attention: seen, lost, gained } = cellsOf(audit({ costs, attention }), [0, 1]);
  assert.equal(seen[0], 0.25);
  assert.deepEqual([lost[1], Math.round(gained[1])], [0, 1]);
  const [head, first] = gridCsv(audit()).split("\r\n");
  assert.equal(head, "row,output,cell,attention,cost in bits");
  assert.ok(first.startsWith("0,"));
});

test("the audit of a photo asks for its run, and a target instead of a search", () => {
  const { model: of, request } = shown;
  const trace = /** @type {any} */ ({ model: of, request, question: { text: "What?" } });
  const names = (/** @type {any} */ from) =>
    auditFields(from, { removal: "block", layer: 1, head: null }).map(([name]) => name);
  const free = { ...trace, request: { ...request, target: null } };
  assert.deepEqual(names(free), ["model", "question", "search", "removal", "layer"]);
  const forced = { ...free, request: { ...request, target: "a dog" }, question: undefined };
  assert.deepEqual(names(forced), ["model", "target", "removal", "layer"]);
});
