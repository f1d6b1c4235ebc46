import assert from "node:assert/strict";
import { test } from "node:test";

import { imported } from "../../../static/js/import/trace_file.js";
import { ImportError } from "../../../static/js/core/errors.js";
import { IMPORTED_MODEL } from "../../../static/js/core/imported_model.js";
import { writeNpz } from "../../../static/js/core/npz.js";
import { sceneOf } from "../../../static/js/core/scene.js";
import { arrays } from "../../../static/js/export/share.js";
import { DEFAULTS } from "../../../static/js/core/state.js";
import { axis, map, model, seenTrace, trace } from "../traces.js";

const bytes = (value) =>
  new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
const plain = (change = {}) => ({
  source: ["the", "cat"],
  target: ["le", "chat"],
  weights: [
    [0.9, 0.1],
    [0.2, 0.8],
  ],
  ...change,
});
const read = (value) => imported(bytes(value));
const refused = (value, message) =>
  assert.rejects(
    read(value),
    (error) => error instanceof ImportError && message.test(error.message),
  );

test("a plain matrix becomes a trace with all that it allows", async () => {
  const made = await read(plain());
  const scene = sceneOf(made, { ...DEFAULTS, view: "step" }, IMPORTED_MODEL);
  assert.deepEqual(scene.view.weights, plain().weights);
  assert.deepEqual(
    scene.view.rows.map(({ text }) => text),
    ["le", "chat"],
  );
  assert.equal(scene.parts, 1);
});

test("a trace of ours comes back as it was", async () => {
  const made = await read(trace());
  assert.deepEqual(sceneOf(made, DEFAULTS, model()).view, sceneOf(trace(), DEFAULTS, model()).view);
});

test("heads and layers may lie deeper", async () => {
  const { weights } = plain();
  assert.deepEqual(
    (await read(plain({ weights: [weights, weights] }))).maps.map(({ layer, head }) => [
      layer,
      head,
    ]),
    [
      [0, 0],
      [0, 1],
    ],
  );
  const deep = await read(plain({ weights: [[weights], [weights], [weights]] }));
  assert.deepEqual(
    deep.maps.map(({ layer, head }) => [layer, head]),
    [
      [0, 0],
      [1, 0],
      [2, 0],
    ],
  );
});

test("the usual signs say where words begin", async () => {
  const of = async (source) => {
    const weights = [source.map(() => 1 / source.length)];
    const made = await read({ source, target: ["x"], weights });
    return [
      made.source.text,
      made.source.words.map(({ text }) => text),
      made.source.tokens.map(({ word }) => word),
    ];
  };
  assert.deepEqual(await of(["▁un", "like", "▁this", "</s>"]), [
    "unlike this",
    ["unlike", "this", "</s>"],
    [0, 0, 1, 2],
  ]);
  assert.deepEqual(await of(["[CLS]", "un", "##like", "this", "[SEP]"]), [
    "unlike this",
    ["[CLS]", "unlike", "this", "[SEP]"],
    [0, 1, 1, 2, 3],
  ]);
  assert.deepEqual(await of(["un@@", "like", "this"]), [
    "unlike this",
    ["unlike", "this"],
    [0, 0, 1],
  ]);
  assert.deepEqual(await of(["Ġa", "Ġb"]), ["a b", ["a", "b"], [0, 1]]);
  assert.deepEqual(await of(["🎉", "été"]), ["🎉 été", ["🎉", "été"], [0, 1]]);
});

test("an error names its row and column", async () => {
  await refused(plain({ weights: [[0.9, 0.1]] }), /1 rows of weights for 2 output tokens/);
  await refused(plain({ weights: [[0.9, 0.1], [1]] }), /Row 2 has 1 weights for 2 input tokens/);
  await refused(
    plain({
      weights: [
        [1.1, -0.1],
        [0.2, 0.8],
      ],
    }),
    /Row 1, column 2 is negative: -0.1/,
  );
  await refused(
    plain({
      weights: [
        [0.9, 0.1],
        [0.2, 0.7],
      ],
    }),
    /Row 2 sums to 0.900, not to 1/,
  );
  await refused(
    plain({
      weights: [
        [0.9, 0.1],
        [0.2, null],
      ],
    }),
    /Row 2, column 2 is not a number/,
  );
  await refused('{"source": ["a"], "target": ["b"], "weights": [[NaN]]}', /not JSON/);
  await refused(
    plain({
      weights: [
        plain().weights,
        [
          [0, 0],
          [0, 1],
        ],
      ],
    }),
    /Layer 1, head 2: Row 1 sums/,
  );
});

test("a file without attention is refused with a reason", async () => {
  await refused("", /not JSON/);
  await refused("[1]", /should be an object/);
  await refused("null", /should be an object/);
  await refused({}, /source should be a list/);
  await refused(plain({ source: [] }), /source should be a list/);
  await refused(plain({ target: [1, 2] }), /target should be a list/);
  await refused(plain({ weights: "x" }), /weights should be a matrix/);
  await refused(plain({ weights: [[[[[1]]]]] }), /weights should be a matrix/);
  await refused(plain({ kind: "cross-eyed" }), /not a kind of attention/);
  await refused({ schema: "heed.trace/9" }, /this page reads heed.trace\/2/);
  await refused({ ...trace(), source: null }, /no source/);
  await refused({ ...trace(), steps: [trace().steps[0]] }, /1 steps for/);
  await refused({ ...trace(), maps: [{}] }, /Map 1 does not name its axes/);
  const long = Array.from({ length: 600 }, () => "x");
  await refused({ source: long, target: ["y"], weights: [long.map(() => 1 / 600)] }, /at most 512/);
});

test("what was saved for NumPy can be brought along again, words and all", async () => {
  const source = axis([["the"], ["th", "ird"]]);
  const target = axis([["le"], ["troi", "sième"]], "mean");
  const maps = [0, 1].flatMap((layer) =>
    [0, 1].map((head) => map(source, target, { layer, head })),
  );
  const scene = sceneOf(
    trace({ source, target, maps }),
    { ...DEFAULTS, layer: 1, head: 1 },
    model(),
  );
  const back = await imported(writeNpz(arrays(scene)));
  assert.equal(back.maps.length, 4);
  const seen = sceneOf(back, { ...DEFAULTS, units: "words", layer: 1, head: 1 }, IMPORTED_MODEL);
  assert.deepEqual(
    seen.view.rows.map(({ text }) => text),
    ["le", "troisième", "</s>"],
  );
  seen.view.weights.flat().forEach((value, index) => {
    const wanted = sceneOf(
      trace({ source, target, maps }),
      { ...DEFAULTS, units: "words" },
      model(),
    ).view.weights.flat()[index];
    assert.ok(Math.abs(value - wanted) < 1e-6);
  });
});

test("a text with a picture is read, and refused without what draws it", async () => {
  const made = await read(seenTrace());
  assert.equal(made.source.patches.grid.rows, 2);
  const { patches } = seenTrace().source;
  const source = (change) => ({ ...seenTrace().source, patches: { ...patches, ...change } });
  await refused(seenTrace({ picture: undefined }), /which part of its picture/);
  await refused(seenTrace({ source: source({ first: 3 }) }), /not tokens of the text/);
  const script = { ...seenTrace().picture, preview: "data:text/html,<script>" };
  await refused(seenTrace({ picture: script }), /does not contain its photo/);
  await refused(trace({ picture: seenTrace().picture }), /the source is text/);
});

test("the patches of a picture do not count as tokens", async () => {
  const made = seenTrace();
  const grid = { ...made.source.patches.grid, rows: 24, columns: 24 };
  const patch = made.source.tokens[1];
  const tokens = [
    made.source.tokens[0],
    ...Array.from({ length: 576 }, () => patch),
    made.source.tokens[5],
  ];
  const weights = tokens.map((_, row) => tokens.map((_, column) => Number(row === column)));
  const whole = await read({
    ...made,
    source: { ...made.source, tokens, patches: { first: 1, grid } },
    maps: [{ ...made.maps[0], weights }],
  });
  assert.equal(whole.source.tokens.length, 578);
});

test("a row sums to 1 with what is on no column", async () => {
  const made = trace();
  const [first] = made.maps;
  const weights = first.weights.map((row) => row.map((value) => value / 2));
  const sinks = weights.map(() => 0.5);
  await read({ ...made, maps: [{ ...first, weights, sinks }] });
  await refused({ ...made, maps: [{ ...first, weights }] }, /sums to 0\.500/);
  await refused({ ...made, maps: [{ ...first, weights, sinks: ["0.5"] }] }, /sums to NaN/);
});

test("frames without a length are refused", async () => {
  const made = trace();
  const source = { ...made.source, frame_seconds: -1 };
  await refused({ ...made, source }, /how long its frames are/);
});

test("a table has the names of rows and columns, in the signs of any spreadsheet", async () => {
  const [csv, weights] = [
    (await import("../../../static/js/export/share.js")).csv,
    plain().weights,
  ];
  const made = await read(trace());
  const { view } = sceneOf(made, DEFAULTS, model());
  const again = await read(`\ufeff${csv(view, "words")}`);
  assert.deepEqual(
    again.target.words.map(({ text, special }) => [text, special]),
    view.rows.map(({ text, special }) => [text, special]),
  );
  assert.deepEqual(again.maps[0].weights, view.weights);
  for (const text of [
    ",the,cat\nle,0.9,0.1\nchat,0.2,0.8",
    "w;the;cat\r\nle;0,9;0,1\r\nchat;0,2;0,8\r\n",
    '\tthe\t"cat"\n"le"\t.9\t1e-1\n\nchat\t0.2\t0.8\n',
  ]) {
    const { source, target, maps } = await read(text);
    assert.deepEqual([source.text, target.text], ["the cat", "le chat"]);
    assert.deepEqual(maps[0].weights, weights);
  }
});

test("a table may have no names, or names of one kind", async () => {
  const words = async (/** @type {string} */ text) => {
    const { source, target } = await read(text);
    return [source.text, target.text];
  };
  assert.deepEqual(await words("0.9,0.1\n0.2,0.8"), ["1 2", "1 2"]);
  assert.deepEqual(await words("the,cat\n0.9,0.1\n0.2,0.8"), ["the cat", "1 2"]);
  assert.deepEqual(await words("le,0.9,0.1\nchat,0.2,0.8"), ["1 2", "le chat"]);
  const signs = (await read('"""a"" b, c",\'=d\n0.5,0.5')).source.words;
  assert.deepEqual(
    signs.map(({ text }) => text),
    ['"a" b, c', "=d"],
  );
});

test("a table with a hole is refused by its place", async () => {
  await refused(",a,b\nx,0.5,", /Row 1, column 2 is not a number/);
  await refused(",a,b\nx,0.5", /Row 1 has 1 weights for 2 input tokens/);
  await refused(",a,b\n", /no row of weights/);
  await refused("hello", /not JSON/);
});

test("an array of NumPy alone has its rows and columns counted", async () => {
  const archive = writeNpz({ weights: { shape: [2, 1, 2], data: [0.25, 0.75, 0.5, 0.5] } });
  // Stored as it is, the array lies behind the name of its file.
  const from = 30 + "weights.npy".length;
  const size = new DataView(archive.buffer).getUint32(18, true);
  const made = await imported(archive.slice(from, from + size));
  assert.equal(made.maps.length, 2);
  assert.deepEqual([made.source.text, made.target.text], ["1 2", "1"]);
  await assert.rejects(imported(archive.slice(from, from + 40)), ImportError);
});
