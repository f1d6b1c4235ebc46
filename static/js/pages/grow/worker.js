/** Trains in the background: the page stays free, whatever the network takes. */

/** @import {Edit} from "../../core/types" */
/** @import {Frame} from "./training.js" */
/** @import {RunSettings, Written} from "./run.js" */

/** A message of the page. @typedef {{kind: "begin", round: number, task: string, pairs: string, runs: RunSettings[], text: string, edits: readonly Edit[]} | {kind: "go"} | {kind: "pause"} | {kind: "step"} | {kind: "type", text: string, edits: readonly Edit[]} | {kind: "seek", updates: number | null} | {kind: "trace", run: number, text: string} | {kind: "model", run: number}} Order */
/** A message to it. @typedef {{kind: "frame", frame: Frame} | {kind: "typed", typed: (Written | null)[]} | {kind: "stopped"} | {kind: "trace", json: string} | {kind: "model", name: string, bytes: Uint8Array<ArrayBuffer>}} Answer */

import { modelFile } from "./model_file.js";
import { pairsTask } from "./pairs.js";
import { taskNamed } from "./tasks.js";
import { traceOf } from "./trace.js";
import { Training } from "./training.js";

/** The time that the worker computes before it looks for messages. */
const SLICE_MS = 30;
/** Updates after which a run stops by itself; it may go on. */
const MOST_UPDATES = 4000;

/** @type {Training | null} */
let training = null;
let going = false;
/** The updates at which it stops. */
let until = MOST_UPDATES;
// A message to itself comes back after those that wait; a timer would wait for four milliseconds more.
const next = new MessageChannel();
next.port1.onmessage = () => {
  coming = false;
  work();
};
/** True while such a message is on its way: two would compute twice as long before others are read. */
let coming = false;

function goOn() {
  if (coming) return;
  coming = true;
  next.port2.postMessage(null);
}

/** The number of the training, by which the page knows what belongs to an earlier one. */
let round = 0;

const send = (/** @type {Answer} */ answer) => postMessage({ ...answer, round });

onmessage = ({ data }) => follow(/** @type {Order} */ (data));

/** @param {Order} order */
function follow(order) {
  if (order.kind === "begin") return begin(order);
  if (!training) return;
  if (order.kind === "go") go();
  if (order.kind === "pause") going = false;
  if (order.kind === "step") {
    training.update();
    send({ kind: "frame", frame: training.frame() });
  }
  if (order.kind === "type") send({ kind: "typed", typed: training.type(order.text, order.edits) });
  if (order.kind === "seek") send({ kind: "typed", typed: training.seek(order.updates) });
  if (order.kind === "trace") {
    const run = training.runs[order.run];
    const edits = training.editsOf(order.text);
    const json = training.inState(() => JSON.stringify(traceOf(run, order.text, edits)));
    send({ kind: "trace", json });
  }
  if (order.kind === "model") {
    const run = training.runs[order.run];
    send({ kind: "model", ...training.inState(() => modelFile(run)) });
  }
}

/** @param {Extract<Order, {kind: "begin"}>} order */
function begin({ task, pairs, runs, text, edits, ...order }) {
  round = order.round;
  const found = task === "own" ? pairsTask(pairs).task : taskNamed(task);
  going = false;
  until = MOST_UPDATES;
  training = found && new Training(found, runs);
  if (!training) return;
  training.type(text, edits);
  send({ kind: "frame", frame: training.frame() });
}

function go() {
  if (going || !training) return;
  going = true;
  if (training.updates >= until) until = training.updates + MOST_UPDATES;
  goOn();
}

function work() {
  if (!going || !training) return;
  const end = performance.now() + SLICE_MS;
  while (performance.now() < end) {
    training.update();
    if (!training.due) continue;
    const frame = training.frame();
    send({ kind: "frame", frame });
    if (frame.learned || frame.updates >= until) {
      going = false;
      return send({ kind: "stopped" });
    }
    break;
  }
  goOn();
}
