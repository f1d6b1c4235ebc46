/** The encoder of a text as columns: words, and a state for each, read in one or both directions. Pure. */

/** @import {Item} from "../../core/types" */
/** @import {Columns} from "./columns.js" */
/** @import {Frame} from "./frame.js" */
/** @import {Mark} from "../../draw/marks.js" */

import { cellsOf, frameAround, shaded } from "./cells.js";
import { headings } from "./columns.js";
import { byStrength } from "./strength.js";
import { group } from "../../draw/marks.js";
import { arrow, largest, means, straight } from "./marks.js";

/** Numbers of a vector that are drawn; half of them for each direction. */
export const NUMBERS = 16;
const HALVES = 6;
/** Columns that have room for an arrow between two vectors. */
const JOINED = 16;

/** Weights that count as strong, for headings that are bold or have no room. */
const STRONG = 0.15;

/**
 * The headings of keys: those with strong weights are bold, once these are computed.
 * @param {Frame} frame @param {Item[]} items @param {Columns} place @param {{weight: number}[]} keys @param {number} y the lower edge @param {string} [kind] of the part
 */
export function keyHeadings({ look, measure, part, later }, items, place, keys, y, kind = "input") {
  const top = Math.max(1e-9, ...keys.map(({ weight }) => weight));
  const strong = (/** @type {number} */ j) =>
    !later("weights") && (keys[j]?.weight ?? 0) > STRONG && keys[j].weight > 0.5 * top;
  const { height, over, texts } = headings(items, place, {
    measure,
    look,
    y,
    strong: byStrength(keys),
    tone: (j) => (strong(j) ? { bold: true, fill: look.accent } : {}),
  });
  const [most] = byStrength(keys);
  const marks = texts.flatMap((text, j) =>
    text
      ? [part(`${kind}:${j}`, 0, [text], { "data-first": j === most && strong(j) ? "" : null })]
      : [],
  );
  return { height, over, marks };
}

/** The height that the headings need, before their place is known. @param {Frame} frame @param {Item[]} items @param {Columns} place */
export const headingHeight = ({ look, measure }, items, place) =>
  headings(items, place, { measure, look, y: 0, strong: new Set([0]), tone: () => ({}) });

/** The height of the states. @param {Frame} frame */
export const readerHeight = ({ cell, network: { both } }) => NUMBERS * cell + (both ? HALVES : 0);

/**
 * The states of the encoder. Of both directions, the upper half has read from the start, the lower
 * from the end.
 * @param {Frame} frame @param {Columns} place @param {number} y
 * @returns {Mark[]}
 */
export function reader(frame, place, y) {
  const { network, look, part, cell, side, keep } = frame;
  const { memory, both } = network;
  const vectors = memory.map((each) => each && means(each.summary, NUMBERS));
  const most = largest(vectors);
  const half = (NUMBERS / 2) * cell;
  const lower = y + half + HALVES;
  const width = place.wide;
  const placesOf = (/** @type {number} */ j) =>
    both
      ? [
          { x: place.x(j), y, width, height: half },
          { x: place.x(j), y: lower, width, height: half },
        ]
      : [{ x: place.x(j), y, width, height: NUMBERS * cell }];
  const columns = vectors.map((values, j) => ({ values, places: placesOf(j) }));
  const geometry = [place.count, place.x(0), place.step, width, y, cell, both];
  const cells = keep("memory-cells", [...geometry, ...memory], () =>
    shaded(
      columns.flatMap(({ values, places }) =>
        places.flatMap((at, index) => {
          const size = (values?.length ?? 0) / places.length;
          return cellsOf(values && values.slice(index * size, (index + 1) * size), at, most);
        }),
      ),
      look,
    ),
  );
  const states = columns.map(({ values, places }, j) =>
    part(
      `memory:${j}`,
      1,
      places.map((at) => frameAround(at, Boolean(values), look)),
    ),
  );
  const chains =
    both && place.step >= JOINED
      ? keep("directions", geometry, () =>
          directions(frame, place, [y + half / 2, lower + half / 2]),
        )
      : [];
  const names = both
    ? [
        ...side(y + half / 2 + 4, "reads forward", "→h"),
        ...side(lower + half / 2 + 4, "and back", "←h"),
      ]
    : side(y + half + 4, "encoder", "h");
  return [
    group("directions", chains),
    ...names,
    group("memory-cells", cells),
    group("states", states),
  ];
}

/** The arrows from state to state: forward above, backward below. @param {Frame} frame @param {Columns} place @param {number[]} heights */
function directions({ look }, place, [above, under]) {
  return Array.from({ length: place.count - 1 }, (_, j) => {
    const [a, b] = [place.x(j), place.x(j + 1)].sort((one, other) => one - other);
    const [from, to] = [a + place.wide / 2 + 1.5, b - place.wide / 2 - 1.5];
    const forward = place.x(j) < place.x(j + 1);
    const line = { stroke: look.edge };
    const right = (/** @type {number} */ y) =>
      arrow(straight({ x: from, y }, { x: to - 2, y }), { x: to, y }, "right", line);
    const left = (/** @type {number} */ y) =>
      arrow(straight({ x: to, y }, { x: from + 2, y }), { x: from, y }, "left", line);
    return forward ? [...right(above), ...left(under)] : [...left(above), ...right(under)];
  }).flat();
}
