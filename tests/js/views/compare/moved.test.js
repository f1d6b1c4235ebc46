import assert from "node:assert/strict";
import { test } from "node:test";

import { movedHeads, movedOver } from "../../../../static/js/views/compare/moved.js";
import { axis, map, trace } from "../../traces.js";

const { signal } = new AbortController();

test("the heads that moved most come first, those that did not move are left out", async () => {
  const one = trace();
  const heads = (changes) =>
    changes.map((share, head) => {
      const made = map(one.source, one.target, { head });
      const weights = made.weights.map(([first, second, ...rest]) => [
        first - share,
        second + share,
        ...rest,
      ]);
      return { ...made, weights };
    });
  const [own, other] = [
    { ...one, maps: heads([0, 0, 0]) },
    { ...one, maps: heads([0.01, 0, 0.1]) },
  ];
  const found = await movedHeads(own, other, signal);
  assert.deepEqual(
    found.map(({ head, moved }) => [head, Number(moved.toFixed(6))]),
    [
      [2, 0.1],
      [0, 0.01],
    ],
  );
});

test("models that cut words differently are not compared head by head", async () => {
  const other = trace({ source: axis([["the"], ["third"], ["of"], ["t", "he"]]) });
  assert.deepEqual(await movedHeads(trace(), other, signal), []);
});

test("over several pairs, the difference is the mean over all rows", async () => {
  const shifted = (made, share) => ({
    ...made,
    maps: [map(made.source, made.target)].map((each) => ({
      ...each,
      weights: each.weights.map(([first, second, ...rest]) => [
        first - share,
        second + share,
        ...rest,
      ]),
    })),
  });
  const other = trace({ source: axis([["the"], ["third"], ["of"], ["t", "he"]]) });
  const answers = async (share) =>
    share === null ? [trace(), other] : [shifted(trace(), 0), shifted(trace(), share)];
  const places = [];
  const begins = (place) => places.push(place);
  const { heads, count } = await movedOver([0.1, null, 0.2], answers, begins, signal);
  assert.deepEqual(places, [0, 1, 2]);
  assert.equal(count, 2);
  assert.deepEqual(
    heads.map(({ kind, moved }) => [kind, Number(moved.toFixed(6))]),
    [["cross", 0.15]],
  );
});
