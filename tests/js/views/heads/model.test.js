import assert from "node:assert/strict";
import { test } from "node:test";

import {
  figureText,
  headsLayout,
  meanEntropy,
  moved,
  ordered,
  rankedLayout,
} from "../../../../static/js/views/heads/model.js";

const SIDE = { wide: 72, narrow: 28 };
const square = { aspect: 1, stretch: 1 };

test("all heads of a large model fit on one screen, a line for each layer", () => {
  const layout = headsLayout({ layers: 12, heads: 12, ...square }, { width: 1052, height: 560 });
  assert.ok(layout.dense);
  assert.equal(layout.columns, 12);
  assert.ok(layout.width >= 36, `${layout.width}`);
  assert.ok(12 * (layout.height + 6) <= 560);
});

test("on a phone they keep its width, and a finger hits them", () => {
  const layout = headsLayout({ layers: 12, heads: 12, ...square }, { width: 358, height: 600 });
  assert.ok(layout.columns * layout.width + SIDE.narrow <= 358);
  assert.ok(layout.width >= 20);
});

test("a layer takes several lines where its heads are much larger then", () => {
  const phone = { width: 358, height: 460 };
  const layout = headsLayout({ layers: 2, heads: 8, aspect: 1.5, stretch: 1 }, phone);
  assert.equal(layout.columns, 4);
  assert.ok(layout.width > 60, `${layout.width}`);
  assert.ok(4 * (layout.height + 6 + 2) <= 460);
});

test("lines have one length, so that no place in a grid stays empty", () => {
  for (const heads of [1, 2, 4, 6, 8, 9, 12, 16])
    for (const width of [330, 700, 1052, 1600]) {
      const { columns } = headsLayout({ layers: 3, heads, ...square }, { width, height: 560 });
      assert.equal(heads % columns, 0, `${heads} in lines of ${columns}`);
    }
});

test("a few heads are large and have their names", () => {
  const layout = headsLayout({ layers: 3, heads: 4, ...square }, { width: 1052, height: 560 });
  assert.ok(!layout.dense);
  assert.ok(layout.width > 100);
});

test("a wide map is wide and a high one high", () => {
  const room = { width: 1052, height: 560 };
  const [wide, high] = [3, 0.4].map((aspect) =>
    headsLayout({ layers: 2, heads: 4, aspect, stretch: 1 }, room),
  );
  assert.ok(Math.abs(wide.width / wide.height - 3) < 0.2);
  assert.ok(Math.abs(high.width / high.height - 0.4) < 0.1);
});

test("the arrow keys lead through lines and columns, and stop at the edges", () => {
  const grid = { columns: 4, count: 12 };
  assert.equal(moved(5, "ArrowRight", grid), 6);
  assert.equal(moved(5, "ArrowUp", grid), 1);
  assert.equal(moved(1, "ArrowUp", grid), 1);
  assert.equal(moved(9, "ArrowDown", grid), 9);
  assert.equal(moved(11, "ArrowRight", grid), 11);
  assert.deepEqual([moved(5, "Home", grid), moved(5, "End", grid)], [0, 11]);
  assert.equal(moved(5, "a", grid), null);
  assert.equal(moved(0, "ArrowDown", { columns: 1, count: 3 }), 1);
});

test("the entropy of a map is the mean of its rows", () => {
  assert.equal(
    meanEntropy([
      [1, 0],
      [0.5, 0.5],
    ]),
    0.5,
  );
  assert.equal(meanEntropy([]), 0);
});

test("in the order of a measure each head has room for its name", () => {
  for (const width of [330, 700, 1052])
    for (const heads of [12, 384]) {
      const layout = rankedLayout({ heads, ...square }, { width, height: 560 });
      assert.ok(layout.width >= 112, `${layout.width}`);
      assert.ok(layout.columns * (layout.width + 28) <= width);
    }
  const few = rankedLayout({ heads: 2, ...square }, { width: 1052, height: 560 });
  assert.ok(few.width > 200);
});

test("the sharpest head comes first, or the one with the most of a measure; one without it last", () => {
  const heads = [0, 1, 2].map((head) => ({ layer: 0, head }));
  const figures = [{ entropy: 2, sink: 0.1 }, { entropy: 1, sink: 0.5 }, null];
  const order = (name) => ordered(heads, name, ({ head }) => figures[head]).map(({ head }) => head);
  assert.deepEqual(order("layer"), [0, 1, 2]);
  assert.deepEqual(order("entropy"), [1, 0, 2]);
  assert.deepEqual(order("sink"), [1, 0, 2]);
  assert.deepEqual(order("alignment"), [0, 1, 2]);
});

test("a figure is in bits or a share", () => {
  assert.equal(figureText("layer", { entropy: 1.26, sink: 0.5 }), "1.3 bits");
  assert.equal(figureText("sink", { entropy: 1.26, sink: 0.5 }), "50.0\u00a0%");
  assert.equal(figureText("alignment", { entropy: 1 }), "–");
  assert.equal(figureText("layer", null), "");
});
