import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { withoutBrowser } from "./page.js";

let { find } = withoutBrowser();
const { PlayerControls } = await import("../../../static/js/shell/player_controls.js");

/** @type {any[]} */
let calls = [];
beforeEach(() => (calls = []));

/** Controls of three rows of six parts, which show where they went. @param {number} row @param {number | null} part null for a whole row */
function opened(row, part, { fine = true, chosen = true } = {}) {
  ({ find } = withoutBrowser());
  const controls = new PlayerControls({
    go: (row, part) => {
      calls.push([row, part]);
      controls.at(row, part ?? 5, "", part === null);
    },
    settled: () => {},
    speed: () => {},
    chosen: () => chosen,
    scrub: (share) => calls.push(`at ${share.toFixed(2)}`),
  });
  const rows = Array.from({ length: 3 }, () => /** @type {any} */ ({}));
  controls.draw({ rows, row, parts: 6, part: part ?? 5, speed: 1 }, fine);
  controls.at(row, part ?? 5, "", part === null);
  return controls;
}

/** @param {number} value */
function slide(value) {
  find("slider").value = String(value);
  find("slider").dispatchEvent(new Event("input"));
}

test("a row that was chosen whole is computed from its first part on", () => {
  const controls = opened(0, null);
  controls.by(1);
  controls.by(1);
  assert.deepEqual(calls, [
    [0, 0],
    [0, 1],
  ]);
});

test("after the last part of a row comes the first of the next", () => {
  opened(0, 5).by(1);
  assert.deepEqual(calls, [[1, 0]]);
});

test("playing begins with the first part, of the first row if none was chosen", () => {
  for (const [chosen, row] of /** @type {const} */ ([
    [true, 2],
    [false, 0],
  ])) {
    calls = [];
    const controls = opened(2, null, { chosen });
    controls.toggle();
    controls.player.pause();
    assert.deepEqual(calls, [[row, 0]]);
  }
});

test("a row that is chosen is shown whole", () => {
  const controls = opened(0, 2);
  controls.to(1);
  controls.to(9);
  assert.deepEqual(calls, [
    [1, null],
    [2, null],
  ]);
});

test("the end is that of the last row in parts", () => {
  assert.equal(opened(2, 5).atEnd, true);
  assert.equal(opened(2, null).atEnd, false);
});

test("the slider goes from part to part, and through each", () => {
  opened(0, 1);
  slide(2.5);
  slide(2.75);
  slide(9);
  assert.deepEqual(calls, [[0, 2], "at 0.50", "at 0.75", [1, 2], "at 1.00"]);
});

test("where parts are no stages, the slider goes from row to row", () => {
  opened(0, 1, { fine: false });
  slide(2);
  assert.deepEqual(calls, [[1, null]]);
});
