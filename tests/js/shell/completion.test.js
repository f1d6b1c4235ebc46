import assert from "node:assert/strict";
import { test } from "node:test";

import { ApiError } from "../../../static/js/core/api.js";
import { STATE } from "../../../static/js/core/state.js";
import { Store } from "../../../static/js/core/store.js";
import { withoutBrowser } from "./page.js";

withoutBrowser();
const { Completion } = await import("../../../static/js/shell/completion.js");

const settled = () => new Promise((done) => setTimeout(done));
/** @param {string} [code] @param {number} [retryAfter] */
const busy = (code = "busy", retryAfter = undefined) =>
  new ApiError(code, "The server is busy.", null, retryAfter);

/**
 * A page whose maps and vectors come when the test sends them. A trace names the heads that it has
 * maps and vectors of.
 */
function opened(maps = ["1"], vectors = ["1"]) {
  const [sent, calls] = [[], []];
  /** @param {string} name @param {AbortSignal} signal @param {() => any} made */
  const asked = (name, signal, made) =>
    new Promise((resolve, reject) => {
      sent.push({ name, send: () => resolve(made()), fail: (...how) => reject(busy(...how)) });
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  const kept = new Set(maps);
  const headOf = ({ head }) => String((head ?? 0) + 1);
  /** @type {any} */
  const page = {
    load: async (trace, settings, _, signal) => {
      const head = headOf(settings);
      if (!kept.has(head)) await asked(`map ${head}`, signal, () => kept.add(head));
      return trace.maps.includes(head) ? trace : { ...trace, maps: [...kept] };
    },
    refetch: (trace, settings) => {
      const head = headOf(settings);
      if (settings.view !== "step" || trace.vectors.includes(head)) return null;
      return (signal) =>
        asked(`vectors ${head}`, signal, () => ({
          ...trace,
          vectors: page.without ? trace.vectors : [...trace.vectors, head],
        }));
    },
  };
  const store = new Store(STATE, STATE.fromQuery(""));
  let request = new AbortController();
  const completion = new Completion(page, store, {
    signal: () => request.signal,
    failed: () => {
      calls.push("failed");
      say({ ...store.answer, phase: "stale" });
    },
    accept: () => calls.push("accepted"),
  });
  const draw = () => calls.push(`drawn: ${shown()}`);
  const shown = () => {
    const { maps, vectors } = /** @type {any} */ (store.answer).trace;
    const head = headOf(store.settings);
    return [`head ${head}`, maps.includes(head) && "map", vectors.includes(head) && "vectors"]
      .filter(Boolean)
      .join(", ");
  };
  const say = (answer) => store.dispatch({ answer }, { history: "none" });
  // As the application does it.
  store.subscribe(({ changed }) => {
    const { phase } = store.answer ?? {};
    if (!changed.has("answer")) return completion.draw(draw);
    if (phase !== "ready") return;
    draw();
    completion.draw(() => {});
  });
  say({ phase: "ready", trace: { request: {}, maps, vectors }, model: {}, since: null });
  const arrives = async (name, how = "send", ...why) => {
    await settled();
    const found = sent.findIndex((each) => each.name === name);
    assert.notEqual(found, -1, `${name} was not asked for, but ${sent.map(({ name }) => name)}`);
    sent.splice(found, 1)[0][how](...why);
    await settled();
    return calls.splice(0);
  };
  const choose = (change) => store.dispatch(change);
  const begin = () => {
    request.abort();
    request = new AbortController();
  };
  return { store, page, calls, sent, arrives, choose, begin, say };
}

test("of two heads that are chosen one after the other, the last is drawn, whichever map comes first", async () => {
  for (const order of [
    ["map 2", "map 3"],
    ["map 3", "map 2"],
  ]) {
    const { arrives, choose, calls } = opened();
    await settled();
    calls.splice(0);
    choose({ head: 1 });
    await settled();
    choose({ head: 2 });
    const drawn = [...(await arrives(order[0])), ...(await arrives(order[1]))];
    assert.deepEqual(drawn, ["drawn: head 3, map"]);
  }
});

test("of two choices that waited for the module, the last one's map is requested, once", async () => {
  const { arrives, choose, say, store, sent, calls } = opened();
  await settled();
  calls.splice(0);
  say({ ...store.answer, trace: { request: {}, maps: ["1"], vectors: [] }, since: null });
  choose({ head: 1 });
  choose({ head: 2 });
  await settled();
  assert.deepEqual(
    sent.map(({ name }) => name),
    ["map 3"],
  );
  calls.splice(0);
  assert.deepEqual(await arrives("map 3"), ["drawn: head 3, map"]);
});

test("an answer without the map of the head that was chosen meanwhile gets it", async () => {
  const { arrives, choose, say, store, calls } = opened(["1", "2"]);
  choose({ head: 2 });
  await settled();
  say({ ...store.answer, trace: { request: {}, maps: ["1"], vectors: [] }, since: null });
  await settled();
  calls.splice(0);
  assert.deepEqual(await arrives("map 3"), []); // of the trace before
  assert.deepEqual(await arrives("map 3"), ["drawn: head 3, map"]);
});

test("a map that comes after another could not be loaded ends the failure", async () => {
  const { arrives, choose, store } = opened();
  choose({ head: 1 });
  assert.deepEqual((await arrives("map 2", "fail")).at(-1), "failed");
  assert.equal(store.answer?.phase, "stale");
  choose({ head: 2 });
  assert.deepEqual(await arrives("map 3"), ["accepted", "drawn: head 3, map"]);
  assert.equal(store.answer?.phase, "ready");
});

test("a map leaves the failure of a request as it is", async () => {
  const { arrives, choose, store, say } = opened();
  choose({ head: 1 });
  await arrives("map 2", "fail");
  say({ ...store.answer, phase: "stale" });
  choose({ head: 2 });
  assert.deepEqual(await arrives("map 3"), []);
  assert.equal(store.answer?.phase, "stale");
  assert.ok(/** @type {any} */ (store.answer).trace.maps.includes("3"));
});

test("a head that is chosen while the vectors of another are requested gets its own", async () => {
  const { arrives, choose, calls } = opened(["1", "2"], []);
  await settled();
  calls.splice(0);
  choose({ view: "step" });
  await settled();
  choose({ head: 1 });
  assert.deepEqual(await arrives("vectors 1"), [
    "drawn: head 2, map", // without vectors, while they are requested
    "drawn: head 2, map",
  ]);
  assert.deepEqual(await arrives("vectors 2"), ["drawn: head 2, map, vectors"]);
});

test("vectors are added to the maps that were loaded meanwhile", async () => {
  const { arrives, choose, store } = opened(["1"], []);
  choose({ view: "step" });
  await settled();
  choose({ head: 1 });
  await arrives("map 2");
  await arrives("vectors 1");
  await arrives("vectors 2");
  const { maps, vectors } = /** @type {any} */ (store.answer).trace;
  assert.ok(maps.includes("2") && vectors.includes("2"));
});

test("vectors whose request was stopped are requested again, those that do not come are not", async () => {
  const { arrives, choose, begin, sent, page, say, store } = opened(["1"], []);
  choose({ view: "step" });
  await settled();
  begin();
  await settled();
  sent.splice(0);
  choose({ scale: "row" });
  page.without = true;
  await arrives("vectors 1");
  await settled();
  assert.deepEqual(sent, []);
  page.without = false;
  say({ ...store.answer, trace: { request: {}, maps: ["1"], vectors: [] } });
  await arrives("vectors 1", "fail");
  choose({ scale: "whole" });
  await settled();
  assert.deepEqual(sent, []);
});

test("refused vectors are not requested again for a row that is moved, but for another head", async () => {
  const { arrives, choose, sent, say, store } = opened(["1", "2"], []);
  choose({ view: "step" });
  await arrives("vectors 1", "fail");
  const moved = () => say({ ...store.answer, trace: { ...store.answer?.trace }, since: 0 });
  moved();
  await settled();
  assert.deepEqual(sent, []);
  choose({ head: 1 });
  await arrives("vectors 2", "fail", "unreachable");
  moved();
  await arrives("vectors 2");
  assert.ok(/** @type {any} */ (store.answer).trace.vectors.includes("2"));
});

test("vectors that are requested while another request runs are those of the answer on screen", async () => {
  const { page, choose, say, store } = opened(["1"], []);
  const models = [];
  const { refetch } = page;
  page.refetch = (trace, settings) => {
    models.push(settings.model);
    return refetch(trace, settings);
  };
  say({ ...store.answer, asked: { model: "first" } });
  store.dispatch({ model: "second" });
  choose({ view: "step" });
  await settled();
  assert.deepEqual([...new Set(models)], ["first"]);
});

test("a busy server is asked for vectors again when it says so, three times", async () => {
  const { arrives, choose, sent } = opened(["1"], []);
  choose({ view: "step" });
  for (let times = 0; times < 4; times++) {
    await arrives("vectors 1", "fail", "overloaded", 1e-3);
    await new Promise((later) => setTimeout(later, 20));
  }
  assert.deepEqual(sent, []);
});

test("vectors are not requested again of a server that limits the rate, or once their answer has left", async () => {
  const later = () => new Promise((done) => setTimeout(done, 20));
  const limited = opened(["1"], []);
  limited.choose({ view: "step" });
  await limited.arrives("vectors 1", "fail", "rate_limited", 1e-3);
  await later();
  assert.deepEqual(limited.sent, []);

  const left = opened(["1"], []);
  left.choose({ view: "step" });
  await left.arrives("vectors 1", "fail", "overloaded", 1e-3);
  const { answer } = left.store;
  left.say({ ...answer, trace: { request: {}, maps: ["1"], vectors: ["1"] }, since: null });
  left.calls.splice(0);
  await later();
  assert.deepEqual(left.calls, []);
});
