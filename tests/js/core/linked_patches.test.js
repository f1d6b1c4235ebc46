import assert from "node:assert/strict";
import { test } from "node:test";

import { shown, withMaps } from "../../../static/js/core/linked_maps.js";
import { pageFields, withHead } from "../../../static/js/core/patch_request.js";
import { patches } from "../../../static/js/core/kinds/patches.js";
import { PATCH_STATE } from "../../../static/js/core/patch_state.js";
import { PATCH_MODEL, patchTrace } from "../patches.js";
import { partial } from "../traces.js";

const DEFAULTS = PATCH_STATE.fromQuery("");

/** A trace that came without its maps. @returns {any} */
function large() {
  const { maps, ...rest } = patchTrace();
  const linked = maps.map(({ weights, ...map }, number) => ({
    ...map,
    rows: weights.length,
    columns: weights[0].length,
    address: `/runs/one/maps/${number}`,
  }));
  return withMaps({ ...rest, maps: [], linked, run: "/runs/one" });
}

const addresses = (change) =>
  shown(large(), { ...DEFAULTS, ...change }, PATCH_MODEL).maps.map(({ address }) =>
    address.slice("/runs/one/".length),
  );

test("of large traces of patches the rollout is loaded, up to the chosen layer", () => {
  assert.deepEqual(addresses({}), ["rollout/1?kind=encoder-self"]);
  assert.deepEqual(addresses({ layer: 0 }), ["rollout/0?kind=encoder-self"]);
});

test("a chosen head is loaded alone, those that are merged together", () => {
  assert.deepEqual(addresses({ layer: 0, head: 1 }), ["maps/1"]);
  assert.deepEqual(addresses({ layer: 1, pool: "mean" }), ["maps/2", "maps/3"]);
  assert.deepEqual(addresses({ view: "step" }), ["maps/2"]);
});

test("before its maps are loaded a trace has the choices of the whole one", () => {
  const [one, other] = [large(), patchTrace()].map((trace) =>
    patches.sceneOf(trace, DEFAULTS, PATCH_MODEL),
  );
  for (const name of ["layers", "heads", "pools", "pool", "viewName"])
    assert.deepEqual(one[name], other[name]);
  assert.deepEqual(one.weights, []);
});

test("the run without edits has maps with addresses, too", () => {
  const { maps, linked, ...rest } = { ...large(), linked: [] };
  const baseline = { linked: [{ ...maps[0], rows: 5, columns: 5, address: "/runs/one/maps/9" }] };
  /** @type {any} */
  const whole = withMaps({ ...rest, linked, baseline });
  assert.deepEqual(
    whole.baseline.maps.map(({ address, weights }) => [address, weights]),
    [["/runs/one/maps/9", []]],
  );
});

test("a head with its vectors joins a trace whose other maps have addresses", () => {
  const [head] = patchTrace().maps;
  /** @type {any} */
  const joined = withHead(large(), partial({ maps: [{ ...head, queries: [] }] }));
  assert.deepEqual(joined.maps[0].queries, []);
  const settings = { ...DEFAULTS, layer: 0, head: 0 };
  assert.deepEqual(shown(joined, settings, PATCH_MODEL).maps, []);
});

test("only a trace that may be large is requested without its maps", () => {
  assert.deepEqual(pageFields(PATCH_MODEL), [["model", "vit"]]);
  assert.deepEqual(pageFields({ ...PATCH_MODEL, layers: 12, heads: 12 }).at(-1), [
    "maps",
    "linked",
  ]);
});
