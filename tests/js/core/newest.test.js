import assert from "node:assert/strict";
import { test } from "node:test";

import { Newest } from "../../../static/js/core/newest.js";

/** A clock that stands still until it is moved. */
function stopped() {
  let now = 0;
  let timers = [];
  return {
    now: () => now,
    after: (ms, call) => timers.push({ at: now + ms, call }),
    async pass(ms) {
      now += ms;
      const due = timers.filter(({ at }) => at <= now);
      timers = timers.filter(({ at }) => at > now);
      for (const { call } of due) call();
      await settled();
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** The questions, with the times at which requests were sent. */
function asked(results = []) {
  const clock = stopped();
  const sent = [];
  const answers = [];
  const newest = new Newest(() => {
    sent.push(clock.now());
    return new Promise((resolve) => answers.push(() => resolve(results.shift() ?? null)));
  }, clock);
  const answer = async () => {
    answers.shift()();
    await settled();
  };
  return { clock, newest, sent, answer, waiting: () => answers.length > 0 };
}

test("one request is on its way at a time, and the next one is for the newest", async () => {
  const { clock, newest, sent, answer } = asked();
  newest.ask();
  for (let i = 0; i < 20; i++) newest.ask();
  await clock.pass(1000);
  assert.deepEqual(sent, [0]);
  await answer();
  assert.deepEqual(sent, [0, 1000]);
  await answer();
  await clock.pass(1000);
  assert.deepEqual(sent, [0, 1000]);
});

test("there are at most ten requests a second", async () => {
  const { clock, newest, sent, answer, waiting } = asked();
  for (let i = 0; i < 20; i++) {
    newest.ask();
    if (waiting()) await answer();
    await clock.pass(25);
  }
  assert.ok(
    sent.every((at, index) => index === 0 || at - sent[index - 1] >= 100),
    `${sent}`,
  );
  assert.ok(sent.length >= 4, `${sent}`);
});

test("a busy server is asked again after the time that it names", async () => {
  const { clock, newest, sent, answer } = asked([3]);
  newest.ask();
  await answer();
  newest.ask();
  await clock.pass(2900);
  assert.deepEqual(sent, [0]);
  await clock.pass(100);
  assert.deepEqual(sent, [0, 3000]);
});

test("what is dropped is not requested", async () => {
  const { clock, newest, sent, answer } = asked();
  newest.ask();
  newest.ask();
  newest.stop();
  await answer();
  await clock.pass(1000);
  assert.deepEqual(sent, [0]);
});
