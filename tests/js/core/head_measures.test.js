import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { averaged, totalsOf } from "../../../static/js/core/head_measures.js";
import { parseLinks, strayLink } from "../../../static/js/core/links.js";

/** `tests/models/test_heads.py` compares `heed.rank_heads` with the same figures. */
const known = JSON.parse(readFileSync(new URL("../../models/heads.json", import.meta.url), "utf8"));
/** @type {any} */
const trace = { source: known.source, target: known.target, maps: known.maps };
const links = parseLinks(known.links);

test("the figures are those of heed.rank_heads", () => {
  known.maps.forEach((map, place) => {
    const name = `${map.kind} ${map.head}`;
    const figures = averaged([totalsOf(trace, trace, map, { links, other: known.others[place] })]);
    assert.deepEqual(Object.keys(figures).sort(), Object.keys(known.figures[name]).sort(), name);
    for (const [measure, value] of Object.entries(known.figures[name]))
      assert.ok(Math.abs(figures[measure] - value) < 1e-5, `${name}: ${measure}`);
  });
});

test("several traces are averaged over their rows, not over the traces", () => {
  const short = { entropy: { sum: 1, count: 1 } };
  const long = { entropy: { sum: 0, count: 3 } };
  assert.deepEqual(averaged([short, long]), { entropy: 0.25 });
  assert.deepEqual(averaged([]), {});
});

test("a link to a word that a text does not have is found", () => {
  assert.equal(strayLink(known.source, known.target, links), null);
  assert.deepEqual(
    strayLink(known.source, known.target, [
      [0, 0],
      [4, 1],
    ]),
    [4, 1],
  );
  assert.deepEqual(strayLink(known.source, known.target, [[0, 3]]), [0, 3]);
});

test("maps of other sizes are not compared", () => {
  const [one] = known.maps;
  const other = { ...one, weights: one.weights.slice(1) };
  assert.equal(totalsOf(trace, trace, one, { other }).moved, undefined);
});
