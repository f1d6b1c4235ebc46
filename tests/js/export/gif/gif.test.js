import assert from "node:assert/strict";
import { test } from "node:test";

import { Nearest, chosen, count, packed } from "../../../../static/js/export/gif/colours.js";
import { Gif } from "../../../../static/js/export/gif/gif.js";
import { lzw } from "../../../../static/js/export/gif/lzw.js";
import { read, unpacked } from "./reader.js";

/** Numbers by chance, the same each time. */
function chance(seed) {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

/** The bytes behind the size of the codes, out of their blocks. */
function bytesOf(parts) {
  const bytes = parts.slice(1).flatMap((part) => [...part]);
  const out = [];
  for (let at = 0; bytes[at]; at += bytes[at] + 1)
    out.push(...bytes.slice(at + 1, at + 1 + bytes[at]));
  return out;
}

test("what is compressed comes back, whatever it is and however long", () => {
  for (const bits of [2, 4, 8]) {
    for (const length of [1, 2, 3, 7, 8, 9, 100, 253, 254, 255, 256, 511, 512, 513, 4000, 30000]) {
      const random = chance(length * bits);
      for (const make of [() => random(1 << bits), () => 1, (i) => (i >> 3) % (1 << bits)]) {
        const indices = Uint8Array.from({ length }, (_, i) => make(i));
        assert.deepEqual(
          unpacked(bits, bytesOf(lzw(indices, bits))),
          indices,
          `${length} of ${bits} bits`,
        );
      }
    }
  }
});

test("a flat picture becomes small", () => {
  const size = lzw(new Uint8Array(100_000), 8).reduce((total, part) => total + part.length, 0);
  assert.ok(size < 1000, `${size} bytes`);
});

test("a film holds its pictures, their time and no end", () => {
  const table = [0xffffff, 0x0e5a76, 0x1d1c1a];
  const gif = new Gif(4, 3, table);
  const pictures = [
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0],
    [2, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 2],
  ];
  pictures.forEach((indices, i) => gif.add(Uint8Array.from(indices), [900, 450, 5, 2700][i]));
  const film = read(gif.end());
  assert.deepEqual([film.name, film.width, film.height, film.loops], ["GIF89a", 4, 3, 0]);
  assert.deepEqual(
    film.pictures.map(({ delay }) => delay),
    [90, 45, 2, 270],
  );
  assert.deepEqual(
    film.pictures.map(({ pixels }) => pixels),
    pictures.map((indices) => indices.map((index) => table[index])),
  );
  assert.deepEqual(film.pictures[1].box, [1, 1, 2, 1]);
  assert.equal(film.pictures[2].count, 1);
});

test("few colours are kept as they are", () => {
  const counts = new Map([
    [0xffffff, 9],
    [0x000000, 5],
    [0x0e5a76, 1],
  ]);
  assert.deepEqual(chosen(counts), [0xffffff, 0x000000, 0x0e5a76]);
});

test("many colours become at most 256, the frequent ones exactly, the others nearly", () => {
  const counts = new Map();
  const random = chance(3);
  for (let i = 0; i < 5000; i++) counts.set(random(0x1000000), 1 + random(3));
  counts.set(0xffffff, 100_000);
  counts.set(0x0e5a76, 50_000);
  const table = chosen(counts);
  assert.ok(table.length <= 256 && new Set(table).size > 200);
  const nearest = new Nearest(table);
  assert.deepEqual(
    [...nearest.of(Uint32Array.of(0xffffff, 0x0e5a76))].map((index) => table[index]),
    [0xffffff, 0x0e5a76],
  );
  const far = [...counts.keys()].map((colour) => {
    const found = table[nearest.of(Uint32Array.of(colour))[0]];
    return Math.hypot(
      ...[16, 8, 0].map((shift) => ((colour >> shift) & 255) - ((found >> shift) & 255)),
    );
  });
  assert.ok(far.reduce((a, b) => a + b) / far.length < 40);
});

test("what shows through is on white", () => {
  const rgba = Uint8ClampedArray.of(255, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0, 128);
  assert.deepEqual(
    [...packed(rgba)].map((colour) => colour.toString(16)),
    ["ff0000", "ffffff", "7f7f7f"],
  );
  const counts = new Map();
  count(rgba, counts);
  count(rgba, counts);
  assert.equal(counts.get(0xff0000), 2);
});
