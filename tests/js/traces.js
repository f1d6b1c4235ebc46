/** Traces for tests, as small as they can be. */

/** An axis of words, each cut into the pieces given: `[["un", "like"], ["this"]]`, and an end mark. @returns {any} */
export function axis(words, merge = "sum", joiner = " ") {
  const text = words.map((pieces) => pieces.join("")).join(joiner);
  const length = Array.from(text).length;
  const made = { kind: "tokens", text, tokens: [], words: [], merge };
  let at = 0;
  words.forEach((pieces, word) => {
    const start = at;
    pieces.forEach((piece) => {
      const end = at + Array.from(piece).length;
      made.tokens.push({
        id: made.tokens.length + 10,
        text: piece,
        start: at,
        end,
        word,
        special: false,
      });
      at = end;
    });
    made.words.push({ text: pieces.join(""), start, end: at, special: false });
    at += Array.from(joiner).length;
  });
  made.tokens.push({
    id: 1,
    text: "</s>",
    start: length,
    end: length,
    word: made.words.length,
    special: true,
  });
  made.words.push({ text: "</s>", start: length, end: length, special: true });
  return made;
}

/** A vector as a trace has it. */
export const vector = (size = 2) => ({ size, norm: 1, summary: Array(size).fill(0.5) });

/** A step that was this likely. @returns {any} */
export function step(probability) {
  const numbers = { size: 4, norm: 1, summary: [0.5, -0.5, 0.1, 0], values: null };
  return {
    probability,
    surprise: -Math.log2(probability),
    alternatives: [{ id: 10, text: "x", probability }],
    query: numbers,
    context: numbers,
    state: numbers,
  };
}

/** Weights that look at one place and a little at the first. @returns {any} */
export function weights(rows, columns) {
  return Array.from({ length: rows }, (_, i) =>
    Array.from({ length: columns }, (_, j) => (j === i % columns ? 0.9 : 0) + (j === 0 ? 0.1 : 0)),
  );
}

/** @returns {any} */
export function map(source, target, change = {}) {
  const made = { kind: "cross", layer: 0, head: 0, query: "target", key: "source", ...change };
  const size = {
    source: source.tokens.length,
    target: target.tokens.length,
    decoder_input: target.tokens.length,
  };
  const matrix = weights(size[made.query], size[made.key]);
  return { weights: matrix, scores: matrix.map((row) => row.map((value) => value * 10)), ...made };
}

/** A trace of a kind of model: what traces of all kinds have, and its own. @returns {any} */
export const traceOf = ({ source, target, ...own }) => ({
  schema: "heed.trace/2",
  model: { id: "toy", weights: "0".repeat(64), mechanism: "additive", order: "before" },
  request: { text: source.text ?? "", target: null, search: { kind: "greedy" }, detail: "steps" },
  text: target.text,
  source,
  target,
  runners_up: [],
  log_probability: -0.1,
  score: -0.1,
  finish: "end",
  timing: { encode_ms: 1, decode_ms: 1 },
  ...own,
});

/** @returns {any} */
export function trace(change = {}) {
  const source = change.source ?? axis([["the"], ["th", "ird"], ["of"], ["the"]]);
  const target = change.target ?? axis([["1979"], ["0", "5"]], "mean", "-");
  const steps = target.tokens.map((_, index) => step(index === 1 ? 0.5 : 0.99));
  const made = { task: "dates", source, target, maps: [map(source, target)], steps };
  return traceOf({ ...made, ...change });
}

/** @returns {any} */
export const model = (change = {}) => ({
  id: "toy",
  name: "Toy",
  task: "dates",
  granularity: "subwords",
  source: { code: "en", name: "English" },
  target: { code: "fr", name: "French" },
  examples: ["the third of may", "today"],
  hints: {},
  guided: "",
  unguided: "",
  learned_from: "",
  input_feeding: false,
  limits: {},
  quality: {},
  ...change,
});

/** A trace of one text, with a picture of 2 × 2 patches between its two words; the second is the answer. @returns {any} */
export function seenTrace(change = {}) {
  const source = axis([["see"], ["boat"]]);
  const [see, boat] = source.tokens;
  const patches = [0, 1, 2, 3].map((cell) => ({
    ...{ id: 60, text: `patch ${cell}`, start: 3, end: 3, word: 1, special: true },
  }));
  const picture = {
    ...{ width: 40, height: 40, format: "JPEG", preview: "data:image/jpeg;base64,/9j/" },
  };
  const row = [0.1, 0.3, 0.1, 0.1, 0.1, 0.3];
  const made = {
    ...source,
    tokens: [see, ...patches, { ...boat, word: 2 }],
    words: [source.words[0], { text: "<image>", start: 3, end: 3, special: true }, source.words[1]],
    written: 5,
    patches: {
      first: 1,
      grid: { kind: "grid", rows: 2, columns: 2, left: 0, top: 0, width: 40, height: 40 },
    },
  };
  const target = axis([["boat"]], "mean");
  return trace({
    source: made,
    target: { ...target, tokens: target.tokens.slice(0, 1), words: target.words.slice(0, 1) },
    maps: [
      {
        ...{ kind: "decoder-self", layer: 0, head: 0, query: "source", key: "source" },
        weights: made.tokens.map(() => row),
        scores: null,
      },
    ],
    steps: [step(0.5)],
    picture,
    ...change,
  });
}

/** A value with as much of its type as a test needs. @param {unknown} value @returns {any} */
export const partial = (value) => value;
