/** A growing trace from the events of a stream. */

/** @import {AnyTrace, StartEvent, StepEvent} from "./types" */

/**
 * Parses a stream of server-sent events, which may be cut into pieces anywhere.
 * @returns {(piece: string) => {name: string, data: string}[]} the events that a piece completes
 */
export function eventReader() {
  let rest = "";
  return (piece) => {
    const blocks = (rest + piece).split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? "";
    return blocks.map((block) => {
      const fields = block.split(/\r?\n/).map((line) => line.split(/: ?(.*)/s));
      const of = (/** @type {string} */ wanted) =>
        fields.flatMap(([name, value]) => (name === wanted ? [value ?? ""] : []));
      return { name: of("event").at(-1) ?? "message", data: of("data").join("\n") };
    });
  };
}

/**
 * Reads a stream up to the event that ends it, which it returns; null if there is none.
 * @template {AnyTrace} T
 * @param {Response} response @param {(trace: T, since: number) => void} grows gets the trace as it grows
 */
export async function follow(response, grows) {
  /** @type {T | null} */
  let trace = null;
  for await (const event of eventsOf(response)) {
    if (event.name === "trace" || event.name === "error") return event;
    if (event.name === "start") trace = startedTrace(JSON.parse(event.data));
    if (event.name !== "step" || !trace) continue;
    const step = JSON.parse(event.data);
    trace = withStep(trace, step);
    grows(trace, step.since);
  }
  return null;
}

/**
 * The events of a response, as they arrive.
 * @param {Response} response @param {<V>(read: Promise<V>) => Promise<V>} reading turns the error of a read into that of a call
 */
export async function* eventsOf(response, reading = (read) => read) {
  const events = eventReader();
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  const letters = new TextDecoder();
  for (;;) {
    const { done, value } = await reading(reader.read());
    if (done) return;
    yield* events(letters.decode(value, { stream: true }));
  }
}

/** The trace before its first step. @template {AnyTrace} T @param {StartEvent} start @returns {T} */
export function startedTrace(start) {
  return /** @type {T} */ (
    /** @type {unknown} */ ({
      ...start,
      text: "",
      target: { kind: "tokens", text: "", tokens: [], words: [], merge: "mean" },
      maps: [],
      steps: [],
      log_probability: 0,
      score: 0,
      finish: "writing",
      runners_up: [],
      timing: { encode_ms: 0, decode_ms: 0 },
    })
  );
}

/**
 * The trace with one more step: everything from position `since` on is replaced. The given trace
 * is not changed, because it may be on the screen.
 * @template {AnyTrace} T
 * @param {T} trace @param {StepEvent} step @returns {T}
 */
export function withStep(trace, { since, target, maps, steps }) {
  return {
    ...trace,
    text: target.text,
    target,
    maps: maps.map((map) => {
      const before = trace.maps.find(
        ({ kind, layer, head, key }) =>
          kind === map.kind && layer === map.layer && head === map.head && key === map.key,
      );
      const width = map.key === "decoder_input" ? target.tokens.length : 0;
      return {
        ...map,
        weights: filled([...(before?.weights.slice(0, since) ?? []), ...map.weights], width, 0),
        ...(map.queries && {
          queries: [...(before?.queries?.slice(0, since) ?? []), ...map.queries],
        }),
        scores:
          map.scores &&
          filled([...(before?.scores?.slice(0, since) ?? []), ...map.scores], width, null),
      };
    }),
    steps: [...trace.steps.slice(0, since), ...steps],
  };
}

/** Pads rows to one length: earlier steps attended to fewer tokens. @template T @param {T[][]} rows @param {number} width @param {T} nothing */
function filled(rows, width, nothing) {
  return rows.map((row) =>
    row.length < width ? [...row, ...Array(width - row.length).fill(nothing)] : row,
  );
}
