import assert from "node:assert/strict";
import { test } from "node:test";

import { Player } from "../../../static/js/core/player.js";

/** A player on a clock that ticks when told. */
function stage(count, row = 0, speed = 1) {
  const seen = [];
  const states = [];
  let due = null;
  const clock = { set: (call, ms) => (due = { call, ms }), clear: () => (due = null) };
  const player = new Player({
    go: (at) => seen.push(at),
    changed: (playing) => states.push(playing),
    clock,
  });
  player.load(count, row, speed);
  const tick = () => {
    const { call } = due;
    due = null;
    call();
  };
  return { player, seen, states, tick, due: () => due };
}

test("playing walks every row once and stops at the last", () => {
  const { player, seen, states, tick, due } = stage(3);
  player.play();
  tick();
  tick();
  tick();
  assert.deepEqual(seen, [0, 1, 2]);
  assert.deepEqual(states, [true, false]);
  assert.equal(due(), null);
});

test("playing at the end starts again, in the middle it goes on", () => {
  const end = stage(3, 2);
  end.player.play();
  assert.deepEqual(end.seen, [0]);
  const middle = stage(3, 1);
  middle.player.play();
  middle.tick();
  assert.deepEqual(middle.seen, [1, 2]);
});

test("a pause holds the row", () => {
  const { player, tick, due } = stage(5);
  player.play();
  tick();
  player.pause();
  assert.equal(player.row, 1);
  assert.equal(player.playing, false);
  assert.equal(due(), null);
});

test("a row chosen by hand ends the playing and stays within bounds", () => {
  const { player, seen, states } = stage(4);
  player.play();
  player.to(Infinity);
  player.by(1);
  player.to(-5);
  player.by(-1);
  assert.deepEqual(seen, [0, 3, 3, 0, 0]);
  assert.deepEqual(states, [true, false]);
});

test("twice the speed is half the wait, also for what is playing now", () => {
  const { player, due, tick } = stage(4, 0, 1);
  player.play();
  const slow = due().ms;
  player.load(4, 0, 2);
  tick();
  assert.equal(due().ms, slow / 2);
});

test("nothing to play is not played", () => {
  const { player, seen } = stage(0);
  player.play();
  player.toggle();
  player.by(1);
  assert.equal(player.playing, false);
  assert.deepEqual(seen, []);
});
