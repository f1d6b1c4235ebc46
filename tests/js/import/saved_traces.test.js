/** Saved traces of the kinds that have a page of their own: read as they are, or refused with a reason. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { ImportError } from "../../../static/js/core/errors.js";
import { DEFAULTS } from "../../../static/js/core/grid_state.js";
import { grid } from "../../../static/js/core/kinds/grid.js";
import { readGlimpseTrace } from "../../../static/js/import/glimpse_trace.js";
import { readPatchTrace } from "../../../static/js/import/patch_trace.js";
import { readPictureTrace } from "../../../static/js/import/picture_trace.js";
import { readStoryTrace } from "../../../static/js/import/story_trace.js";
import { imported } from "../../../static/js/import/trace_file.js";
import { isTrace } from "../../../static/js/shell/samples.js";
import { glimpseTrace } from "../glimpses.js";
import { patchTrace } from "../patches.js";
import { captioner, pictureTrace } from "../picture_traces.js";
import { storyTrace } from "../stories.js";
import { trace as textTrace } from "../traces.js";

/** @returns {any} */
const bytes = (value) => new TextEncoder().encode(JSON.stringify(value));
const REQUEST = { text: "", target: null, search: { kind: "greedy" }, detail: "steps" };
/** @returns {any} */
const savedPicture = (change = {}) =>
  pictureTrace({ schema: "heed.trace/2", request: REQUEST, ...change });

const step = glimpseTrace().steps[0];
const photo = savedPicture();
const SUMS_TO_TWO = [
  [1, 1, 0],
  [0, 0, 1],
];
/** The reader of each kind, a trace, and changes with the reasons why it is refused. @type {Record<string, {read: (file: Uint8Array<ArrayBuffer>) => any, made: (change?: object) => any, refused: [string, object, RegExp][]}>} */
const KINDS = {
  picture: {
    read: readPictureTrace,
    made: savedPicture,
    refused: [
      ["a row too few", { maps: [{ ...photo.maps[0], weights: [] }] }, /rows of weights for/],
      ["another axis", { maps: [{ ...photo.maps[0], key: "target" }] }, /does not name its axes/],
      ["a step too few", { steps: photo.steps.slice(1) }, /steps for/],
      [
        "a picture elsewhere",
        { picture: { ...photo.picture, preview: "https://elsewhere.example/photo.jpg" } },
        /does not contain its photo/,
      ],
      ["no cells", { source: { ...photo.source, rows: 0 } }, /which part of its picture/],
      ["too many cells", { source: { ...photo.source, rows: 400, columns: 400 } }, /at most 4096/],
      ["no target", { target: null }, /no target/],
      ["no kind of model", { model: {} }, /its kind of model/],
    ],
  },
  story: {
    read: readStoryTrace,
    made: storyTrace,
    refused: [
      ["no sentences", { source: { kind: "sentences", text: "" } }, /has no sentences/],
      ["no hops", { target: { kind: "hops", text: "" } }, /how many hops/],
      ["no question", { question: null }, /no question/],
      ["no map", { maps: [] }, /one map/],
      ["too few steps", { steps: storyTrace().steps.slice(1) }, /1 steps for 2 hops/],
      [
        "a row that sums to 2",
        { maps: [{ ...storyTrace().maps[0], weights: SUMS_TO_TWO }] },
        /sums to 2/,
      ],
    ],
  },
  glimpse: {
    read: readGlimpseTrace,
    made: glimpseTrace,
    refused: [
      ["another kind", { target: { kind: "tokens" } }, /neither a picture nor the trace/],
      ["no picture", { picture: undefined }, /no picture/],
      [
        "a picture elsewhere",
        { picture: { ...glimpseTrace().picture, preview: "http:x" } },
        /no picture/,
      ],
      ["no glimpses", { target: { kind: "glimpses", text: "", glimpses: [] } }, /no glimpses/],
      ["no squares", { target: { kind: "glimpses", text: "", glimpses: [[]] } }, /no squares/],
      ["a step too few", { steps: [step] }, /belief for every glimpse/],
      ["no beliefs", { steps: [step, { ...step, alternatives: [] }] }, /belief for every glimpse/],
      ["odd patches", { steps: [step, { ...step, seen: [[[0]]] }] }, /not squares of numbers/],
      ["no map", { maps: [] }, /one map/],
    ],
  },
  patches: {
    read: readPatchTrace,
    made: patchTrace,
    refused: [
      ["the source of a text", { source: { kind: "tokens" } }, /not the trace of patches/],
      ["maps of a captioner", { maps: patchTrace().maps.slice(-1) }, /not the trace of patches/],
      ["maps that are none", { maps: "none" }, /not the trace of patches/],
      ["no photo", { picture: null }, /which part of its picture/],
      ["weights of another size", { maps: [{ ...patchTrace().maps[0], weights: [[1]] }] }, /rows/],
      ["another axis", { maps: [{ ...patchTrace().maps[0], key: "target" }] }, /name its axes/],
      ["positions of another size", { positions: [[1]] }, /5 rows of 5/],
      ["no text", { text: 7 }, /output text/],
    ],
  },
};

for (const [kind, { read, made, refused }] of Object.entries(KINDS)) {
  test(`a saved trace of a ${kind} is read as it is`, () => {
    assert.deepEqual({ ...read(bytes(made())), timing: 0 }, { ...made(), timing: 0 });
  });
  for (const [what, change, message] of refused)
    test(`a trace of a ${kind} with ${what} is refused`, () => {
      assert.throws(
        () => read(bytes(made(change))),
        (error) => error instanceof ImportError && message.test(error.message),
      );
    });
}

test("a saved picture is drawn, and patches need no steps", () => {
  assert.ok(grid.sceneOf(readPictureTrace(bytes(photo)), DEFAULTS, captioner()).rows.length > 1);
  const { positions, ...bare } = patchTrace();
  assert.equal(positions.length, 5);
  assert.equal(readPatchTrace(bytes({ ...bare, steps: undefined })).steps.length, 0);
});

test("a trace says on which page it belongs", async () => {
  assert.throws(() => readPictureTrace(bytes(textTrace())), /Text page/);
  await assert.rejects(imported(bytes(photo)), /Pictures page/);
  await assert.rejects(imported(bytes(storyTrace())), /Story page/);
  assert.throws(
    () => readStoryTrace(bytes({ schema: "heed.trace/2" })),
    /not the trace of a story/,
  );
});

test("no JSON, and a very large file, are refused", () => {
  assert.throws(() => readPictureTrace(new TextEncoder().encode("no json")), /not JSON/);
  assert.throws(() => readPatchTrace(new Uint8Array(33 * 1024 * 1024)), /larger than 32 MB/);
});

test("a file is a photo unless it says that it is JSON", () => {
  assert.ok(isTrace({ name: "heed-soft.json", type: "" }));
  assert.ok(isTrace({ name: "trace", type: "application/json" }));
  assert.ok(!isTrace({ name: "photo.jpg", type: "image/jpeg" }));
});
