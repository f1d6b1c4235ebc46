import assert from "node:assert/strict";
import { test } from "node:test";

import {
  fieldsOf,
  pathOf,
  pictureModels,
  requestSettings,
} from "../../../static/js/core/grid_request.js";
import { curl } from "../../../static/js/core/photo_curl.js";
import { pictureAmong } from "../../../static/js/shell/samples.js";
import {
  DEFAULTS,
  addressOf,
  restarted,
  sameRequest,
  fromQuery,
  savedQuery,
  toQuery,
} from "../../../static/js/core/grid_state.js";
import { captioner, pictureTrace } from "../picture_traces.js";

/** @type {any} */
const SET = {
  model: "caption-hard",
  sample: "cat",
  question: "what?",
  target: "a cat",
  search: "beam",
  beam: 5,
  seed: 7,
  temperature: 0.5,
  draws: 50,
  edits: [
    { op: "set", queries: 1, keys: [4, 6], weight: 0.8 },
    { op: "gate", value: 0 },
  ],
  editing: "1",
  step: 2,
  part: 3,
  view: "step",
  style: "outline",
  opacity: 40,
  smoothing: 0,
  scale: "whole",
  map: "drawn",
  layer: 1,
  head: 2,
  pool: "max",
  take: "word",
  removal: "silence",
  scope: "one",
  rewrite: true,
  against: "dog",
  cells: [0, 195],
  pick: 1,
  speed: 2,
  show: ["table"],
  lesson: "attention",
  mine: null,
  hide: ["views"],
  at: 7,
  present: "guess",
};

test("everything a person can set comes back from the address", () => {
  assert.deepEqual(fromQuery(toQuery(SET)), SET);
  assert.deepEqual(Object.keys(SET).sort(), Object.keys(DEFAULTS).sort());
});

test("what is as by default is not in the address, and nonsense is left at its default", () => {
  assert.equal(toQuery(DEFAULTS), "");
  assert.deepEqual(fromQuery("?view=moon&opacity=300&cells=x&style=1&map=encoder-self"), DEFAULTS);
});

test("cells count from 1 in the address", () => {
  assert.match(toQuery({ ...DEFAULTS, cells: [0, 14] }), /cells=1\+15/);
});

test("another request keeps the view, and resets the position and the edits", () => {
  const next = restarted(SET);
  assert.deepEqual([next.step, next.part, next.pick, next.cells], [null, null, 0, []]);
  assert.equal(next.style, "outline");
  assert.deepEqual(next.edits, []);
  assert.ok(sameRequest({ ...SET, edits: [] }, next));
  assert.ok(!sameRequest(SET, { ...SET, draws: 0 }));
});

test("the address of a saved trace says only how it is looked at", () => {
  const at = { pathname: "/t/Ab1", search: "?theme=dark", hash: "" };
  assert.match(
    addressOf(at, "Ab1", SET),
    /^\/t\/Ab1\?editing=1&step=3&part=4&view=step&.*theme=dark$/,
  );
  assert.doesNotMatch(addressOf(at, "Ab1", SET), /model|sample|seed/);
  assert.match(addressOf(at, null, SET), /^\/picture\?model=caption-hard&sample=cat/);
  assert.doesNotMatch(savedQuery(SET), /show/);
});

test("only what the model can make use of is asked of the server", () => {
  const soft = captioner({ id: "soft" });
  assert.deepEqual(fieldsOf(DEFAULTS, soft), [["model", "soft"]]);
  assert.deepEqual(fieldsOf({ ...DEFAULTS, draws: 50, seed: 3 }, soft), [["model", "soft"]]);
  const hard = captioner({ id: "hard", mechanism: "hard" });
  assert.deepEqual(fieldsOf({ ...DEFAULTS, draws: 50, seed: 3 }, hard), [
    ["model", "hard"],
    ["search", '{"kind":"greedy","seed":3}'],
    ["draws", "50"],
  ]);
  assert.deepEqual(fieldsOf({ ...DEFAULTS, search: "beam" }, soft)[1], [
    "search",
    '{"kind":"beam","beam":3}',
  ]);
  assert.deepEqual(fieldsOf({ ...DEFAULTS, search: "beam", target: "a" }, soft), [
    ["model", "soft"],
    ["target", "a"],
  ]);
  const edits = [{ op: "gate", value: 0 }];
  assert.deepEqual(fieldsOf(/** @type {any} */ ({ ...DEFAULTS, edits }), soft)[1], [
    "edits",
    '[{"op":"gate","value":0}]',
  ]);
  const asker = captioner({ id: "ask", task: "ask", examples: ["why?"] });
  assert.deepEqual(fieldsOf(DEFAULTS, asker), [
    ["model", "ask"],
    ["question", "why?"],
  ]);
  assert.deepEqual([pathOf(soft), pathOf(asker)], ["/api/v1/caption", "/api/v1/ask"]);
});

test("captioners come before models for questions, and translators are omitted", () => {
  const models = [
    captioner({ id: "q", task: "ask" }),
    captioner({ id: "t", task: "translate" }),
    captioner({ id: "c" }),
  ];
  assert.deepEqual(
    pictureModels(models).map(({ id }) => id),
    ["c", "q"],
  );
});

test("a trace can be asked for again from itself", () => {
  const { model, search, draws, question: asked } = requestSettings(pictureTrace());
  assert.deepEqual([model, search, draws, asked], ["soft", "greedy", 0, null]);
});

test("nothing in a question breaks out of the command", () => {
  const call = curl(
    "https://heed.example",
    { ...DEFAULTS, question: "what's `this`; rm" },
    captioner({ id: "ask", task: "ask" }),
    "it's.jpg",
  );
  assert.match(call, /--form-string 'question=what'\\''s `this`; rm'/);
  assert.match(call, /--form 'image=@it'\\''s\.jpg'/);
});

test("of what is dropped the first picture is taken, or what came first", () => {
  /** @returns {any} */
  const file = (name, type) => ({ name, type });
  assert.equal(
    pictureAmong([file("a.txt", "text/plain"), file("b.png", "image/png")]).name,
    "b.png",
  );
  assert.equal(pictureAmong([file("a.heic", "")]).name, "a.heic");
  assert.equal(pictureAmong([]), null);
});
