import assert from "node:assert/strict";
import { test } from "node:test";

import { DEFAULTS, fromQuery, toQuery } from "../../../static/js/core/state.js";

const ODD = [
  "",
  " ",
  "the 3rd of may",
  "a&b=c#d?e",
  "100 %",
  "+ +",
  "\n\t",
  "\u0000",
  "é",
  "e\u0301",
  "שלום",
  "🎉👩‍👩‍👧",
  "\u202e",
  "<img src=x onerror=alert(1)>",
  "</script>",
  "'\"`\\",
  "%41",
  "null",
  "undefined",
  "…".repeat(300),
];

test("nothing set is an empty address", () => {
  assert.equal(toQuery({ ...DEFAULTS }), "");
  assert.deepEqual(fromQuery(""), { ...DEFAULTS });
});

test("any text comes back from the address as it went in", () => {
  for (const text of ODD) {
    for (const target of [null, ...ODD]) {
      const settings = { ...DEFAULTS, text, target };
      assert.deepEqual(fromQuery(toQuery(settings)), settings);
    }
  }
});

test("everything a person can set comes back from the address", () => {
  let seed = 1;
  const draw = (values) => values[(seed = (seed * 48271) % 2147483647) % values.length];
  for (let i = 0; i < 500; i++) {
    const settings = {
      model: draw([null, "dates-additive", "a b/c"]),
      text: draw([null, ...ODD]),
      target: draw([null, ...ODD]),
      search: draw(["greedy", "beam", "sample"]),
      beam: draw([1, 4, 10]),
      seed: draw([0, 7, 4294967295]),
      temperature: draw([0.1, 1, 2.5]),
      penalty: draw([0, 1, 1.4]),
      step: draw([0, 1, 59]),
      part: draw([null, 0, 4]),
      edits: draw([
        [],
        [
          { op: "block", words: "not" },
          { op: "temperature", temperature: 2 },
        ],
      ]),
      editing: draw([null, "1", "difference"]),
      units: draw([null, "words", "subwords"]),
      scale: draw(["row", "whole"]),
      log: draw([false, true]),
      order: draw(["layer", "alignment", "sink"]),
      links: draw([null, "0-0 2-1"]),
      view: draw(["map", "ribbons", "compare"]),
      take: draw(["edge", "word"]),
      removal: draw(["block", "silence"]),
      scope: draw(["all", "one"]),
      rewrite: draw([false, true]),
      against: draw([null, "son"]),
      mass: draw([10, 75, 100]),
      least: draw([1, 10, 50]),
      with: draw([[], ["en-fr-dot"], ["en-fr-dot", "en-fr-none"]]),
      size: draw(["readable", "fit"]),
      sort: draw(["chosen", "entropy", "quality"]),
      minus: draw([null, "en-fr-dot"]),
      map: draw([null, "cross", "encoder-self", "decoder-self"]),
      layer: draw([null, 0, 5]),
      head: draw([null, 0, 7]),
      pool: draw([null, "mean", "max", "rollout"]),
      pick: draw([0, 3]),
      rows: draw([[], [0], [1, 7]]),
      columns: draw([[], [2]]),
      speed: draw([0.5, 1, 2, 4]),
      show: draw([[], ["numbers"], ["search", "table"]]),
      lesson: draw([null, "attention"]),
      mine: draw([null, "eJyLjgUAARUAuQ"]),
      hide: draw([[], ["models", "decoding"]]),
      at: draw([null, 1, 7]),
      present: draw([null, "1", "guess"]),
    };
    assert.deepEqual(fromQuery(toQuery(settings)), settings);
  }
});

test("places in the address count from 1, as they do on the page", () => {
  assert.equal(toQuery({ ...DEFAULTS, step: 2, layer: 0 }), "?step=3&layer=1");
});

test("an invalid value in an address means the default", () => {
  const nonsense =
    "?step=0&beam=99&beam=x&search=magic&seed=-1&temperature=0&scale=log&layer=a&speed=9&show=<b>&pick=1.5&units=";
  assert.deepEqual(fromQuery(nonsense), { ...DEFAULTS });
  assert.deepEqual(fromQuery("?step=&beam=&seed=1e99&temperature=NaN&unknown=1"), { ...DEFAULTS });
});
