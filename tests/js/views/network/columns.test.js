import assert from "node:assert/strict";
import { test } from "node:test";

import { INK } from "../../../../static/js/draw/ink.js";
import { columns, headings } from "../../../../static/js/views/network/columns.js";
import { axis } from "../../traces.js";

/** @returns {any} */
const measure = (text, { size }) => Array.from(text).length * size * 0.5;
const ITEMS = axis(Array.from({ length: 40 }, (_, index) => [`word${index}`])).tokens;

/** The places of the headings that are shown, and the size of their type. */
function shown(step, least) {
  const { texts } = headings(ITEMS, columns(ITEMS.length, 0, step), {
    measure,
    look: { ...INK, least },
    y: 0,
    strong: new Set(ITEMS.keys()),
    tone: () => ({}),
  });
  const drawn = texts.filter(Boolean).map(({ attributes }) => attributes);
  const places = drawn.map(({ transform }) =>
    Number(String(transform).match(/translate\(([\d.]+)/)[1]),
  );
  return { places, size: Number(drawn[0]["font-size"]) };
}

test("crowded headings stand as far apart as their type is high, in a drawing that is scaled down, too", () => {
  for (const [step, least] of [
    [16, 0],
    [9, 0],
    [16, 18],
    [23, 22],
    [12, 11],
  ]) {
    const { places, size } = shown(step, least);
    const apart = Math.min(...places.slice(1).map((place, index) => place - places[index]));
    assert.ok(size >= least && places.length > 5);
    assert.ok(apart * Math.sin((48 * Math.PI) / 180) > 0.85 * size, `${apart} for ${size}`);
  }
});
