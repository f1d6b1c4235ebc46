import assert from "node:assert/strict";
import { test } from "node:test";

import { DEFAULTS } from "../../../static/js/core/state.js";
import { sceneOf } from "../../../static/js/core/scene.js";
import {
  noAttention,
  othersNote,
  strongest,
  noSentenceNote,
  piecesNote,
} from "../../../static/js/core/sentences.js";
import { guessNote, readingNote } from "../../../static/js/core/word_notes.js";
import { orderOfAttention } from "../../../static/js/core/step_sentences.js";
import { tokens } from "../../../static/js/core/kinds/tokens.js";
import { axis, map, model, seenTrace, step, trace } from "../traces.js";

const scene = (made, settings = {}, card = {}) =>
  sceneOf(made, { ...DEFAULTS, ...settings }, model(card));
const plain = (text) => text.replaceAll("\u00a0", " ");

test("a step is described in one sentence", () => {
  const said = plain(tokens.sentence(scene(trace(), { units: "subwords" }), 1));
  assert.equal(
    said,
    "Step 2 of 4: wrote “0” (probability 50.0 %), attending mostly to “th” (0.90) and “the” (0.10).",
  );
});

test("a word is as likely as all its pieces together", () => {
  assert.match(
    plain(tokens.sentence(scene(trace(), { units: "words" }), 1)),
    /^Step 2 of 3: wrote “05” \(probability 49\.5 %\)/,
  );
});

test("the end token is described as the end", () => {
  const said = plain(tokens.sentence(scene(trace(), { units: "subwords" }), 3));
  assert.match(said, /^Step 4 of 4: ended the text \(probability 99\.0 %\), attending mostly to/);
});

test("the sentence of a model without attention names no words", () => {
  const said = plain(tokens.sentence(scene(trace({ maps: [] })), 0));
  assert.equal(said, "Step 1 of 3: wrote “1979” (probability 99.0 %), from its one fixed vector.");
});

test("what a list leaves out is counted in words", () => {
  assert.equal(othersNote(3, 0.0123), "3 others share 0.012");
  assert.equal(othersNote(1, 0.0004), "1 other has less than 0.001");
  assert.equal(othersNote(12, -1e-17), "12 others share less than 0.001");
});

test("a given output was not written by the model", () => {
  const given = trace({ finish: "forced" });
  assert.match(plain(tokens.sentence(scene(given), 0)), /given “1979” \(probability 99\.0 %\)/);
  assert.equal(tokens.lines(scene(given)).row, "Given output");
});

test("uniform attention is described as spread out", () => {
  const [source, target] = [
    axis("abcdefgh".split("").map((letter) => [letter])),
    axis([["x"]], "mean"),
  ];
  const flat = map(source, target, {
    weights: target.tokens.map(() => source.tokens.map(() => 1 / 9)),
  });
  const said = tokens.sentence(
    scene(trace({ source, target, maps: [flat], steps: [step(1), step(1)] })),
    0,
  );
  assert.match(said, /attention spread out, most of it on “a” \(0\.11\)/);
});

test("a row of the source has no probability of its own", () => {
  const { source, target } = trace();
  const self = map(source, target, { kind: "encoder-self", query: "source" });
  const both = scene(trace({ maps: [self] }));
  assert.match(tokens.sentence(both, 0), /^Position 1 of 5: “the”, attending/);
  assert.deepEqual(tokens.lines(both), { row: "Input (query)", column: "Input (key)" });
});

test("only the few places that matter are named", () => {
  assert.deepEqual(strongest([0.02, 0.95, 0.03]), [1]);
  assert.deepEqual(strongest([0.5, 0.04, 0.46]), [0, 2]);
  assert.deepEqual(strongest([0.25, 0.25, 0.25, 0.25]), [0, 1, 2]);
  assert.deepEqual(strongest([]), []);
});

test("a row past the end has no sentence", () => {
  assert.equal(tokens.sentence(scene(trace()), 99), "");
});

test("the map's note speaks of what its rows are", () => {
  assert.match(tokens.mapNote(scene(trace(), { units: "words" })), /each row is an output word/);
  assert.match(
    tokens.mapNote(scene(trace(), { units: "subwords" }, { granularity: "characters" })),
    /each row is an output character/,
  );
});

test("each order of attention has its sentence, and no attention too", () => {
  assert.match(orderOfAttention("before"), /Bahdanau/);
  assert.match(orderOfAttention("after"), /Luong/);
  assert.match(orderOfAttention("fixed"), /No attention/);
  assert.match(orderOfAttention("layers"), /Every layer attends/);
  assert.match(noAttention(256), /one vector of 256 numbers/);
  assert.match(noAttention(0), /one vector and/);
});

test("ignored words are named once, and only the first few of many", () => {
  const word = (text) => ({ text, start: 0, end: 0, special: false });
  const source = axis([["i"], ["love"], ["you"]]);
  const passed = (...texts) =>
    readingNote({ ...source, words: [...source.words, ...texts.map(word)] });
  assert.equal(passed(), "");
  assert.equal(passed("\u200b", "\u0301"), "", "nothing to be seen");
  assert.equal(passed("😀", "😀"), "Ignored (unknown to this model): “😀”.");
  assert.match(passed("你", "好", "吗", "日", "本"), /: “你”, “好”, “吗” and 2 more\.$/);
});

test("rare words are named after the ignored ones", () => {
  const source = axis([["spinach"], ["and"], ["kale"]]);
  assert.equal(readingNote({ ...source, rare_words: [] }), "");
  assert.equal(
    readingNote({ ...source, rare_words: [0, 2] }),
    "Rare in training, so the model may guess: “spinach” and “kale”.",
  );
  const both = {
    ...source,
    words: [...source.words, { text: "😀", start: 0, end: 0, special: false }],
    rare_words: [2],
  };
  assert.match(readingNote(both), /^Ignored.*: “😀”\. Rare in training.*: “kale”\.$/);
  assert.equal(
    readingNote(source, { ...axis([["le"], ["zorblax"]]), unknown_words: [1] }),
    "Made up by the model (in no training text): “zorblax”.",
  );
});

test("a prompt and its answer are told apart", () => {
  const both = scene(seenTrace(), { units: "words" });
  assert.match(
    plain(tokens.sentence(both, 0)),
    /^Position 1 of 3, in the prompt: “see”, attending mostly/,
  );
  assert.match(
    plain(tokens.sentence(both, 2)),
    /^Position 3 of 3, in the answer \(probability 50\.0 %\): “boat”, attending mostly to the image token \(0\.60\)/,
  );
  assert.deepEqual(tokens.lines(both), {
    row: "Prompt and answer (query)",
    column: "Prompt and answer (key)",
  });
});

test("the frames of a sound are named by their seconds", () => {
  const source = { ...axis([["0.00–0.02 s"], ["0.02–0.04 s"]]), frame_seconds: 0.02 };
  const heard = trace();
  const sound = scene(
    trace({ source, maps: [{ ...map(source, heard.target), sinks: [0.2, 0.2, 0.2, 0.2] }] }),
    { units: "subwords" },
  );
  assert.match(plain(tokens.sentence(sound, 1)), /attending mostly to the sound at 0\.02–0\.04 s/);
  assert.equal(tokens.lines(sound).column, "Sound");
  assert.match(tokens.mapNote(sound), /each input frame while it writes an output subword/);
  assert.match(tokens.mapNote(sound), /together with the weight on no column\.$/);
});

test("a footnote names the words that are shown in pieces", () => {
  const cut = trace({ source: axis([["un", "known"], ["house"]]) });
  const said = (/** @type {any} */ units) => piecesNote(scene(cut, { units }));
  assert.equal(said("words"), "");
  assert.match(said("subwords"), /^In pieces, as the model reads and writes them: “unknown”/);
});

test("a translation of a text without a word is called a guess", () => {
  const said = (/** @type {string} */ text, task = "translate", finish = "end") =>
    noSentenceNote(
      /** @type {any} */ ({ task, source: { text } }),
      /** @type {any} */ ({ finish }),
    );
  assert.match(said("12345 678,9"), /is guessing.* not from numbers alone\.$/);
  assert.match(said(" https://example.org/a?b=c "), /not from addresses alone/);
  assert.match(said("me@example.org 12"), /not from addresses alone/);
  assert.match(said("€€ ?!"), /not from symbols alone/);
  assert.equal(said("I was born in 1979: see www.example.org"), "");
  assert.equal(said("5 @ home"), "");
  assert.equal(said("3/5/1979", "dates"), "");
  assert.equal(said("12", "translate", "forced"), "");
});

test("a caption of improbable words is called a guess, a given one is not", () => {
  const steps = (/** @type {number[]} */ ...all) =>
    /** @type {any} */ (all.map((probability) => ({ probability })));
  assert.equal(guessNote({ steps: steps(0.9, 0.3), finish: "end" }), "");
  assert.match(guessNote({ steps: steps(0.9, 0.02), finish: "end" }), /is guessing/);
  assert.equal(guessNote({ steps: steps(0.01), finish: "forced" }), "");
  assert.equal(guessNote({ steps: [], finish: "end" }), "");
});
