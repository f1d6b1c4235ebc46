import assert from "node:assert/strict";
import { test } from "node:test";

import { APPEARS, inTurn, Motion } from "../../../static/js/draw/motion.js";

/** @type {(() => void)[]} */
let frames = [];
let reduced = false;
Object.assign(globalThis, {
  requestAnimationFrame: (call) => frames.push(call),
  cancelAnimationFrame: (frame) => frames.splice(frame - 1, 1),
  matchMedia: () => ({ matches: reduced }),
});
const paint = () => frames.splice(0).forEach((call) => call());

/** An element that notes what happens to its animation. @returns {any} */
function mark() {
  const log = [];
  return {
    log,
    remove: () => log.push("removed"),
    animate: (_, { delay, duration }) => ({
      delay: log.push(`${delay} for ${duration}`),
      pause: () => log.push("pause"),
      cancel: () => log.push("cancel"),
      set currentTime(ms) {
        log.push(`at ${ms}`);
      },
    }),
  };
}

test("marks move one after the other, within the time", () => {
  const marks = [mark(), mark(), mark()];
  const moves = inTurn(marks, APPEARS, { from: 0.2, to: 1, takes: 0.4 });
  assert.deepEqual(
    moves.map(({ from, to }) => [from, to].map((share) => share.toFixed(2))),
    [
      ["0.20", "0.60"],
      ["0.40", "0.80"],
      ["0.60", "1.00"],
    ],
  );
});

test("a motion takes the time of its part, and begins once the part is drawn", () => {
  const node = mark();
  const motion = new Motion();
  motion.start(1200, () => [{ node, frames: APPEARS, from: 0.25, to: 0.5 }]);
  assert.deepEqual(node.log, []);
  paint();
  assert.deepEqual(node.log, ["300 for 300"]);
  motion.stop();
  assert.equal(node.log.at(-1), "cancel");
});

test("what was made for a motion is removed with it", () => {
  const [node, other] = [mark(), mark()];
  const motion = new Motion();
  const move = { frames: APPEARS, from: 0, to: 1 };
  motion.start(1000, () => [
    { ...move, node, made: true },
    { ...move, node: other },
  ]);
  paint();
  motion.start(1000, () => []);
  assert.equal(node.log.at(-1), "removed");
  assert.equal(other.log.at(-1), "cancel");
});

test("the slider holds a motion at an instant, even before it begins", () => {
  const node = mark();
  const motion = new Motion();
  motion.start(1000, () => [{ node, frames: APPEARS, from: 0, to: 1 }]);
  motion.at(0.25);
  paint();
  motion.at(0.5);
  assert.deepEqual(node.log, ["0 for 1000", "pause", "at 250", "pause", "at 500"]);
});

test("nothing moves where a person wants less motion", () => {
  reduced = true;
  new Motion().start(1000, () => assert.fail("moved"));
  reduced = false;
  assert.equal(frames.length, 0);
});
