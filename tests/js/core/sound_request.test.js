import assert from "node:assert/strict";
import { test } from "node:test";

import { soundCurl, soundPython } from "../../../static/js/core/sound_calls.js";
import { soundFields } from "../../../static/js/core/sound_request.js";
import { hears } from "../../../static/js/core/sound_task.js";
import { wavOf } from "../../../static/js/core/wav.js";

const BODY = {
  text: "it's.wav",
  model: "ear",
  search: /** @type {const} */ ({ kind: "beam", beam: 2, length_penalty: 1 }),
};

test("samples become a WAV file of 16 bits", () => {
  const view = new DataView(wavOf(new Float32Array([0, 1, -2]), 16_000));
  const word = (/** @type {number} */ at) =>
    String.fromCharCode(...Array.from({ length: 4 }, (_, place) => view.getUint8(at + place)));
  assert.deepEqual([word(0), word(8), word(36)], ["RIFF", "WAVE", "data"]);
  assert.equal(view.byteLength, 50);
  assert.equal(view.getUint32(4, true), 42);
  assert.equal(view.getUint32(24, true), 16_000);
  assert.deepEqual(
    [44, 46, 48].map((at) => view.getInt16(at, true)),
    [0, 32_767, -32_767],
  );
});

test("the name of the file is no field of the form", () => {
  assert.deepEqual(soundFields(BODY), [
    ["model", "ear"],
    ["search", '{"kind":"beam","beam":2,"length_penalty":1}'],
  ]);
  assert.ok(hears({ task: "transcribe" }) && !hears({ task: "translate" }));
});

test("the calls name the file", () => {
  assert.match(soundCurl("http://a", BODY), /--form 'sound=@it'\\''s\.wav' \\\n/);
  assert.match(soundPython("http://a", BODY), /open\("it's\.wav", "rb"\)/);
});
