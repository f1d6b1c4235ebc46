import assert from "node:assert/strict";
import { test } from "node:test";
import { allocate } from "../../../../static/js/pages/grow/kernels.js";
import { half } from "../../../../static/js/pages/grow/model_file.js";
import { Random, exp, logarithm, tanh } from "../../../../static/js/pages/grow/numbers.js";
import { History } from "../../../../static/js/pages/grow/history.js";

test("WebAssembly and the script multiply alike, whatever the sizes and strides", () => {
  for (const [rows, columns, inner] of [
    [1, 4, 1],
    [3, 4, 5],
    [4, 8, 7],
    [5, 12, 3],
    [9, 20, 11],
  ]) {
    const results = [true, false].map((simd) => {
      const sizes = { a: rows * inner + 1, b: inner * (columns + 3), c: rows * columns };
      const { views, multiply, simd: on } = allocate(sizes, simd);
      assert.equal(on, simd);
      const random = new Random(1);
      for (const view of [views.a, views.b, views.c])
        for (let at = 0; at < view.length; at++) view[at] = random.normal();
      // The left factor is transposed, and begins at the second number.
      multiply(
        { of: views.a, at: 1, row: 1, column: rows },
        { of: views.b, row: columns + 3 },
        { of: views.c, row: columns },
        rows,
        columns,
        inner,
      );
      return Array.from(views.c);
    });
    results[0].forEach((value, at) => assert.ok(Math.abs(value - results[1][at]) < 1e-5));
  }
});

test("the functions of numbers are those of Math, to the precision of their arrays", () => {
  for (let x = -30; x <= 30; x += 0.37) {
    assert.ok(Math.abs(exp(x) / Math.exp(x) - 1) < 1e-7, `exp ${x}`);
    assert.ok(Math.abs(tanh(x) - Math.tanh(x)) < 1e-7, `tanh ${x}`);
    assert.ok(Math.abs(logarithm(Math.exp(x)) - x) < 1e-6, `log ${x}`);
  }
  assert.ok(Number.isFinite(exp(1e9)) && exp(-1e9) > 0);
});

test("random numbers follow from their seed, and are spread evenly", () => {
  const draw = (seed, stream) => Array.from({ length: 5 }, (() => { const random = new Random(seed, stream); return () => random.next(); })()); // prettier-ignore
  assert.deepEqual(draw(1, 2), draw(1, 2));
  assert.notDeepEqual(draw(1, 2), draw(2, 2));
  assert.notDeepEqual(draw(1, 2), draw(1, 3));
  const random = new Random(5);
  const counts = Array(10).fill(0);
  for (let at = 0; at < 10000; at++) counts[random.below(10)]++;
  assert.ok(counts.every((count) => count > 850 && count < 1150));
  const normal = Array.from({ length: 4000 }, () => random.normal());
  const mean = normal.reduce((sum, value) => sum + value, 0) / normal.length;
  const square = normal.reduce((sum, value) => sum + value * value, 0) / normal.length;
  assert.ok(Math.abs(mean) < 0.06 && Math.abs(square - 1) < 0.08);
});

test("a number as a 16-bit float is the nearest there is", () => {
  const back = (bits) => {
    const size = (bits >> 10) & 31;
    const rest = bits & 1023;
    const value = size ? (1 + rest / 1024) * 2 ** (size - 15) : rest * 2 ** -24;
    return bits & 0x8000 ? -value : value;
  };
  for (const value of [0, 1, -1, 0.1, 65504, 1e-5, -3.14159, 2 ** -24, 1e9])
    assert.ok(
      Math.abs(back(half(value)) - Math.max(-65504, Math.min(65504, value))) <=
        Math.max(Math.abs(value) * 2 ** -11, 2 ** -25),
      String(value),
    );
  assert.equal(half(1), 0x3c00);
  assert.equal(half(-2), 0xc000);
});

test("a history keeps so many states, the further apart the more there were", () => {
  const history = new History(4);
  for (let updates = 0; updates < 20; updates++) history.add(updates, () => `at ${updates}`);
  assert.ok(history.items.length <= 4);
  assert.deepEqual(
    history.items.map(({ updates }) => updates),
    [0, 8, 16],
  );
  assert.equal(history.at(17)?.value, "at 16");
  assert.equal(history.at(-1), null);
});
