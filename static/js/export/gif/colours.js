/** Reduction to at most 256 colours by median cut (Heckbert 1982). Pure. */

/** @typedef {{colour: number, count: number}} Counted a colour as 0xrrggbb, and how many pixels have it */

/** @param {number} colour */
const channels = (colour) => [colour >> 16, (colour >> 8) & 255, colour & 255];

/** Counts the colours of pixels on white. @param {Uint8ClampedArray} rgba @param {Map<number, number>} counts is changed */
export function count(rgba, counts) {
  const pixels = packed(rgba);
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
}

/** Pixels as 0xrrggbb, composed on white. @param {Uint8ClampedArray} rgba */
export function packed(rgba) {
  const pixels = new Uint32Array(rgba.length / 4);
  for (let at = 0; at < pixels.length; at++) {
    const [r, g, b, alpha] = [rgba[at * 4], rgba[at * 4 + 1], rgba[at * 4 + 2], rgba[at * 4 + 3]];
    if (alpha === 255) pixels[at] = (r << 16) | (g << 8) | b;
    else {
      const over = (/** @type {number} */ value) =>
        Math.round((value * alpha + 255 * (255 - alpha)) / 255);
      pixels[at] = (over(r) << 16) | (over(g) << 8) | over(b);
    }
  }
  return pixels;
}

/**
 * All colours if there are at most `most`; else the most frequent ones, which stay exact so that the
 * background stays white and flat areas flat, and the means of boxes of the others.
 * @param {Map<number, number>} counts @param {number} [most] @returns {number[]}
 */
export function chosen(counts, most = 256) {
  const all = [...counts]
    .map(([colour, times]) => ({ colour, count: times }))
    .sort((a, b) => b.count - a.count || a.colour - b.colour);
  if (all.length <= most) return all.map(({ colour }) => colour);
  const exact = all.slice(0, most >> 1);
  let boxes = [all.slice(most >> 1)];
  while (boxes.length + exact.length < most) {
    const widest = boxes.reduce((best, box) => (worth(box) > worth(best) ? box : best));
    if (worth(widest) === 0) break;
    boxes = [...boxes.filter((box) => box !== widest), ...halved(widest)];
  }
  return [...exact.map(({ colour }) => colour), ...boxes.map(mean)];
}

/** The channel with the widest range of values in a box, and this range. @param {Counted[]} box */
function spread(box) {
  const ranges = [0, 1, 2].map((channel) => {
    let [least, most] = [255, 0];
    for (const { colour } of box) {
      const value = channels(colour)[channel];
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
    return most - least;
  });
  const wide = Math.max(...ranges);
  return { wide, channel: ranges.indexOf(wide) };
}

/** @type {WeakMap<Counted[], number>} */
const priorities = new WeakMap();

/** The priority of a box for halving: its range, weighted by its pixels. @param {Counted[]} box */
function worth(box) {
  const before = priorities.get(box);
  if (before !== undefined) return before;
  const pixels = box.reduce((total, each) => total + each.count, 0);
  const worth = box.length < 2 ? 0 : spread(box).wide * Math.sqrt(pixels);
  priorities.set(box, worth);
  return worth;
}

/** @param {Counted[]} box */
function halved(box) {
  const { channel } = spread(box);
  const sorted = box.toSorted((a, b) => channels(a.colour)[channel] - channels(b.colour)[channel]);
  const half = sorted.reduce((total, each) => total + each.count, 0) / 2;
  let [seen, cut] = [0, 0];
  while (cut < sorted.length - 1 && seen < half) seen += sorted[cut++].count;
  cut = Math.min(Math.max(cut, 1), sorted.length - 1);
  return [sorted.slice(0, cut), sorted.slice(cut)];
}

/** @param {Counted[]} box */
function mean(box) {
  const total = box.reduce((sum, each) => sum + each.count, 0);
  const [r, g, b] = [0, 1, 2].map((channel) =>
    Math.round(
      box.reduce((sum, each) => sum + channels(each.colour)[channel] * each.count, 0) / total,
    ),
  );
  return (r << 16) | (g << 8) | b;
}

/** Finds the nearest colours of a table, with a cache: frames of an animation share most colours. */
export class Nearest {
  /** @type {Map<number, number>} */
  #cache = new Map();
  #table;

  /** @param {number[]} table */
  constructor(table) {
    this.#table = table.map(channels);
    table.forEach((colour, index) => this.#cache.set(colour, index));
  }

  /** @param {Uint32Array} pixels @returns {Uint8Array} indices into the table */
  of(pixels) {
    const indices = new Uint8Array(pixels.length);
    let [before, index] = [-1, 0];
    pixels.forEach((colour, at) => {
      if (colour !== before) index = this.#one(colour);
      before = colour;
      indices[at] = index;
    });
    return indices;
  }

  /** @param {number} colour */
  #one(colour) {
    const found = this.#cache.get(colour);
    if (found !== undefined) return found;
    const [r, g, b] = channels(colour);
    let [best, least] = [0, Infinity];
    this.#table.forEach((other, index) => {
      const far = (r - other[0]) ** 2 * 2 + (g - other[1]) ** 2 * 4 + (b - other[2]) ** 2;
      if (far < least) [best, least] = [index, far];
    });
    this.#cache.set(colour, best);
    return best;
  }
}
