import assert from "node:assert/strict";
import { test } from "node:test";

import { requestFields } from "../../../static/js/core/grid_request.js";
import { grid } from "../../../static/js/core/kinds/grid.js";
import { DEFAULTS } from "../../../static/js/core/grid_state.js";
import { shown, withMaps } from "../../../static/js/core/linked_maps.js";
import { captioner, map, pictureTrace } from "../picture_traces.js";

const HEADS = 3;

/** A trace of two layers that came without its maps: those over the picture, and those over the words. */
function large() {
  const linked = [
    ["decoder-self", "decoder_input", 5],
    ["cross", "source", 16],
  ].flatMap(([kind, key, columns], half) =>
    Array.from({ length: 2 * HEADS }, (_, number) => ({
      kind,
      layer: Math.floor(number / HEADS),
      head: number % HEADS,
      query: "target",
      key,
      rows: 5,
      columns,
      address: `/runs/one/maps/${half * 2 * HEADS + number}`,
    })),
  );
  return withMaps(pictureTrace({ maps: [], linked, run: "/runs/one" }));
}

const numbers = ({ maps }) => maps.map(({ address }) => Number(address.split("/").at(-1)));

test("of a large caption the heads of the last layer are loaded, whose mean is shown", () => {
  assert.deepEqual(numbers(shown(large(), DEFAULTS, captioner())), [9, 10, 11]);
});

test("of a large caption one head is loaded where one is chosen", () => {
  const settings = { ...DEFAULTS, layer: 0, head: 2 };
  assert.deepEqual(numbers(shown(large(), settings, captioner())), [8]);
});

test("a map that is not loaded yet is drawn as no weight", () => {
  const { weights, layers, heads, pools } = grid.sceneOf(large(), DEFAULTS, captioner());
  assert.deepEqual(
    [layers, heads, pools],
    [
      [0, 1],
      [0, 1, 2],
      ["mean", "max"],
    ],
  );
  assert.equal(weights.length, 4);
  assert.ok(weights.every((row) => row.length === 16 && row.every((weight) => weight === 0)));
});

test("a trace with its maps is drawn with them", () => {
  const trace = pictureTrace({ maps: [map([0, 5, 5, 7, 15])] });
  assert.ok(grid.sceneOf(trace, DEFAULTS, captioner()).weights[0][0] > 0.8);
});

test("only a caption that may be large is requested without its maps", () => {
  const sent = (change) => requestFields(DEFAULTS, captioner(change));
  assert.deepEqual(sent({ layers: 12, heads: 12 }).at(-1), ["maps", "linked"]);
  assert.deepEqual(sent({ layers: 4, heads: 4 }), [["model", "soft"]]);
  const asking = sent({ layers: 12, heads: 12, task: "ask" });
  assert.ok(asking.every(([name]) => name !== "maps"));
});
