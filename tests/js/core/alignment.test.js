import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { alignments, linksOf } from "../../../static/js/core/alignment.js";
import { linksText, parseLinks } from "../../../static/js/core/links.js";
import { goldOf, linksShown } from "../../../static/js/core/gold_links.js";
import { axis, trace } from "../traces.js";

/** `tests/models/test_align.py` compares `heed align` with the same figures. */
const known = JSON.parse(readFileSync(new URL("../../models/heads.json", import.meta.url), "utf8"));

test("the figures are those of heed align", () => {
  const { links, figures } = known.aligned;
  const found = alignments(known.source, known, parseLinks(links));
  assert.equal(found.length, figures.length);
  found.forEach(({ layer, head, shift, ...rest }, place) => {
    const expected = figures[place];
    assert.deepEqual([layer, head, shift], [expected.layer, expected.head, expected.shift]);
    for (const name of ["precision", "recall", "error", "links"])
      assert.ok(Math.abs(rest[name] - expected[name]) < 1e-9, name);
  });
});

test("a map that runs one row late drifts", () => {
  const words = [["a"], ["b"], ["c"], ["d"]];
  const [source, target] = [axis(words), axis(words, "mean")];
  const weights = target.tokens.map((_, row) =>
    source.tokens.map((_, key) => Number(key === Math.max(row - 1, 0))),
  );
  const map = { kind: "cross", layer: 0, head: 0, query: "target", key: "source", weights };
  const [found] = alignments(
    source,
    /** @type {any} */ ({ target, maps: [map] }),
    parseLinks("0-0 1-1 2-2 3-3"),
  );
  assert.deepEqual([found.shift, found.error], [1, 0]);
  assert.equal(linksText(linksOf(weights, source, target)), "0-0 0-1 1-2 2-3");
});

test("an example shows its links until there are others, and only between its own texts", () => {
  const text = "I do not know where she lives.";
  const words = (/** @type {string} */ all) => all.split(" ").map((word) => [word]);
  const made = trace({
    source: axis(words(text)),
    target: axis(words("Je ne sais pas où elle vit."), "mean"),
  });
  const view = { rowAxis: "target", columnAxis: "source" };
  const scene = /** @type {any} */ ({ trace: made, output: made, view, links: null });
  assert.match(/** @type {string} */ (goldOf(scene)), /^0-0 /);
  assert.equal(linksShown(scene, { gold: true }).links.length, 9);
  assert.equal(linksShown(scene).links.length, 0);
  assert.deepEqual(linksShown({ ...scene, links: "0-0" }, { gold: true }).links, [[0, 0]]);
  assert.deepEqual(linksShown({ ...scene, links: "" }, { gold: true }).links, []);
  assert.equal(goldOf({ ...scene, output: { ...made, text: "Je sais." } }), null);
});
