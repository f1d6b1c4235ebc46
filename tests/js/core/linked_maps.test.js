import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";

import { ExportRefused } from "../../../static/js/core/errors.js";
import {
  load,
  measured,
  thumbnails,
  whole,
  withMaps,
} from "../../../static/js/core/linked_maps.js";
import { DEFAULTS } from "../../../static/js/core/state.js";
import { choices } from "../../../static/js/core/trace.js";
import { model, trace } from "../traces.js";

const HEADS = 3;
const { signal } = new AbortController();
const asked = [];
let origin = "";
/** @type {any} */
const server = createServer((request, response) => {
  asked.push(request.url);
  if (request.url.includes("/gone/")) {
    response.writeHead(404, { "Content-Type": "application/json" });
    return response.end('{"error": {"code": "unknown_run", "message": "Gone."}}');
  }
  if (request.url.includes("/heads"))
    return response.end('{"heads": [{"layer": 0, "head": 1, "entropy": 2}]}');
  if (request.headers.accept === "application/json")
    return response.end(JSON.stringify({ weights: [[1]], scores: [[3]] }));
  const several = request.url.includes("/thumbnails");
  return response.end(
    several ? npy([HEADS, 1, 2], [1, 0, 0, 1, 0.5, 0.5]) : npy([1, 2], [0.25, 0.75]),
  );
});

/** A file as NumPy writes it, with numbers of 16 bits. */
function npy(shape, numbers) {
  const bits = { 0: 0, 0.25: 0x3400, 0.5: 0x3800, 0.75: 0x3a00, 1: 0x3c00 };
  const head = `{'descr': '<f2', 'fortran_order': False, 'shape': (${shape.join(", ")}), }`;
  const padded = `${head.padEnd(117)}\n`;
  const start = Buffer.from([0x93, ...Buffer.from("NUMPY"), 1, 0, padded.length, 0]);
  const data = Buffer.from(Uint16Array.from(numbers, (number) => bits[number]).buffer);
  return Buffer.concat([start, Buffer.from(padded), data]);
}

before(async () => {
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  origin = `http://127.0.0.1:${server.address().port}`;
});
after(() => server.close());

/** A trace that came without its maps. */
function large(run = "one", { rows = 1, columns = 2 } = {}) {
  const linked = Array.from({ length: 2 * HEADS }, (_, number) => ({
    kind: "encoder-self",
    layer: Math.floor(number / HEADS),
    head: number % HEADS,
    query: "source",
    key: "source",
    rows,
    columns,
    address: `${origin}/${run}/maps/${number}`,
  }));
  return withMaps(trace({ maps: [], linked, run: `${origin}/${run}` }));
}

test("no map is requested before it is shown, and each only once", async () => {
  const made = large();
  assert.equal(made.maps.length, 2 * HEADS);
  assert.deepEqual(made.maps[4].weights, []);
  assert.deepEqual(asked, []);
  /** @type {any} */
  const settings = { ...DEFAULTS, layer: 1, head: 1 };
  const loaded = await load(made, settings, model(), signal);
  assert.equal(await load(loaded, settings, model(), signal), loaded);
  assert.deepEqual(asked.splice(0), ["/one/maps/4"]);
  assert.deepEqual(loaded.maps[4].weights, [[0.25, 0.75]]);
  assert.deepEqual(loaded.maps[3].weights, []);
  assert.deepEqual(made.maps[4].weights, [], "no trace is changed");
});

test("the parts of a step have scores, too", async () => {
  const made = large("steps");
  /** @type {any} */
  const settings = { ...DEFAULTS, layer: 0, head: 0 };
  const loaded = await load(made, settings, model(), signal);
  const more = await load(loaded, { ...settings, view: "step" }, model(), signal);
  assert.deepEqual(asked.splice(0), ["/steps/maps/0", "/steps/maps/0"]);
  assert.deepEqual(more.maps[0].scores, [[3]]);
});

test("all heads of a layer are loaded where they are pooled; a rollout is not offered", async () => {
  const made = large("pool");
  /** @type {any} */
  const settings = { ...DEFAULTS, layer: 1, pool: "mean" };
  await load(made, settings, model(), signal);
  assert.deepEqual(asked.splice(0).sort(), ["/pool/maps/3", "/pool/maps/4", "/pool/maps/5"]);
  assert.deepEqual(choices(made, settings).pools, ["mean", "max"]);
});

test("the maps that were shown long ago are forgotten", async () => {
  const first = await load(large("first"), { ...DEFAULTS, layer: 0, head: 0 }, model(), signal);
  for (let each = 0; each < 48; each++)
    await load(large(`more${each}`), { ...DEFAULTS, layer: 0, head: 0 }, model(), signal);
  const other = await load(first, { ...DEFAULTS, layer: 1, head: 0 }, model(), signal);
  assert.deepEqual(first.maps[0].weights, [[0.25, 0.75]]);
  assert.deepEqual(other.maps[0].weights, []);
  asked.splice(0);
});

test("all heads of a kind come reduced in one request, and measured in another", async () => {
  const made = large("all");
  const small = await thumbnails(made, made, "encoder-self", signal);
  assert.deepEqual(small.get(made.maps[1].address), [[0, 1]]);
  const heads = await measured(
    made,
    made,
    "encoder-self",
    { links: "0-0", beside: large("b") },
    signal,
  );
  assert.deepEqual(heads, [{ layer: 0, head: 1, entropy: 2 }]);
  assert.deepEqual(asked.splice(0), [
    "/all/thumbnails?kind=encoder-self&pick=0",
    "/all/heads?kind=encoder-self&pick=0&links=0-0&beside=b",
  ]);
});

test("a map that the server has forgotten is an error with its sentence", async () => {
  const gone = load(large("gone"), { ...DEFAULTS, layer: 0 }, model(), signal);
  await assert.rejects(gone, { code: "unknown_run", message: "Gone." });
  asked.splice(0);
});

test("a file has all maps, unless they are too many for it", async () => {
  assert.deepEqual(await whole(large("whole")), { weights: [[1]], scores: [[3]] });
  assert.deepEqual(asked.splice(0), ["/whole"]);
  await assert.rejects(whole(large("huge", { rows: 4000, columns: 4000 })), (error) => {
    assert.ok(error instanceof ExportRefused);
    assert.match(error.message, /96 million weights/);
    return true;
  });
  assert.deepEqual(asked, []);
});
