/** Photo, convolutional network and cells, and the arrows from the strongest cells. Pure. */

/** @import {Frame} from "./frame.js" */
/** @import {Mark} from "../../draw/marks.js" */
/** @import {Seen} from "./model.js" */

import { colour } from "../../core/colours.js";
import { cellRectangle } from "../../core/grid.js";
import { rect, group, mark, round, unless } from "../../draw/marks.js";
import { label } from "../../draw/type.js";
import { FULL, arrow, falling, haloed, headAt, pressed, straight, weighted } from "./marks.js";

/** Arrows are drawn from the strongest cells, up to this share of all weights or this number of cells. */
const SHARE = 0.6;
const MOST = 14;
/** Room for the caption above the photo. */
export const CAPTION = 22;
const TALL = { wide: 210, narrow: 150, small: 120, compact: 92 };
/** Shades of the cells over the photo: all cells of one are one path. */
const SHADES = 24;
/** The least scale of photo and cells, in a room that is too narrow for them. */
const LEAST = 0.1;
const PLATES = [0.62, 0.46, 0.34, 0.26];
/** Below this width the network takes little of it, so that the photo stays large, and has no name. */
const TIGHT = 320;

/**
 * @typedef {{x: number, y: number, width: number, height: number}} Area
 */

/** The cells whose arrows are drawn, strongest first, and the weight of all others. @param {number[]} weights */
export function strongest(weights) {
  const order = weights.map((_, cell) => cell).sort((a, b) => weights[b] - weights[a] || a - b);
  /** @type {number[]} */
  const cells = [];
  let held = 0;
  for (const cell of order) {
    if (held >= SHARE || cells.length === MOST || weights[cell] <= 0) break;
    cells.push(cell);
    held += weights[cell];
  }
  return { cells, rest: Math.max(0, weights.reduce((sum, weight) => sum + weight, 0) - held) };
}

/**
 * The sizes of photo, network and cells in a line.
 * @param {Frame} frame @param {Seen} seen @param {{x: number, y: number, width: number, tall: number}} room
 */
function visionSize({ narrow }, { picture }, { x, y, width, tall }) {
  const aspect = picture.width / picture.height;
  const tight = narrow || width < TIGHT;
  const gap = tight ? 10 : 26;
  const middle = tight ? 34 : 92;
  const fitting = (width - middle - 2 * gap) / (tall * aspect * 1.55);
  const scale = Math.min(1, Math.max(LEAST, fitting));
  const grid = { width: tall * aspect * scale, height: tall * scale };
  const photo = { width: grid.width * 0.55, height: grid.height * 0.55 };
  const whole = photo.width + grid.width + middle + 2 * gap;
  const left = x + (width - whole) / 2;
  const centre = y + grid.height / 2;
  return {
    photo: { x: left, y: centre - photo.height / 2, ...photo },
    plates: { x: left + photo.width + gap, y, width: middle, height: grid.height },
    grid: { x: left + whole - grid.width, y, ...grid },
    height: grid.height,
    tight,
  };
}

/** @param {Frame} frame @param {Seen} seen @param {ReturnType<typeof visionSize>} size @returns {Mark[]} */
function vision(frame, seen, { photo, plates, grid, tight }) {
  const { look, part, keep } = frame;
  const line = { stroke: look.edge };
  const middle = grid.y + grid.height / 2;
  const way = (/** @type {number} */ from, /** @type {number} */ to) =>
    arrow(
      straight({ x: from + 4, y: middle }, { x: to - 6, y: middle }),
      { x: to - 3, y: middle },
      "right",
      line,
    );
  const framed = { fill: "none", stroke: look.edge };
  return [
    keep("photo", [seen.picture, photo.x, photo.y, photo.width, photo.height], () =>
      part("photo", 0, [
        frame.photo(photo),
        rect(photo.x, photo.y, photo.width, photo.height, { rx: 3, ...framed }),
      ]),
    ),
    group("to-network", way(photo.x + photo.width, plates.x)),
    keep("convolutions", [seen.axis, plates.x, plates.y, plates.width, plates.height], () =>
      part("convolutions", 0, convolutions(frame, plates)),
    ),
    group("to-cells", way(plates.x + plates.width, grid.x)),
    part("cells", 0, cellMarks(frame, seen, grid)),
    ...(frame.narrow
      ? []
      : [
          label(
            "photo",
            { size: 11 },
            { x: photo.x + photo.width / 2, y: photo.y - 6, anchor: "middle", fill: look.soft },
            look,
          ),
          ...(tight
            ? []
            : [
                label(
                  "convolutions",
                  { size: 11 },
                  {
                    x: plates.x + plates.width / 2,
                    y: middle - (plates.height * PLATES[0]) / 2 - 10,
                    anchor: "middle",
                    fill: look.soft,
                  },
                  look,
                ),
              ]),
          label(
            `${seen.axis.rows} × ${seen.axis.columns} cells`,
            { size: 11 },
            { x: grid.x + grid.width + 8, y: grid.y + 11, fill: look.soft },
            look,
          ),
        ]),
  ];
}

/** Maps that become smaller and deeper. @param {Frame} frame @param {Area} area @returns {Mark[]} */
function convolutions({ look }, { x, y, width, height }) {
  const step = width / PLATES.length;
  const shift = Math.min(2.5, step / 8);
  return PLATES.flatMap((share, index) => {
    const tall = height * share;
    const depth = index + 2;
    const wide = Math.max(4, step * 0.4);
    return Array.from({ length: depth }, (_, layer) =>
      rect(
        x + index * step + layer * shift,
        y + (height - tall) / 2 - layer * shift * 0.6,
        wide,
        tall,
        { rx: 1.5, fill: look.paper, stroke: look.edge, "stroke-width": 0.75 },
      ),
    );
  });
}

/** The cells over the photo, each in the colour of its weight. @param {Frame} frame @param {Seen} seen @param {Area} area @returns {Mark[]} */
function cellMarks({ network, look, later, photo }, seen, { x, y, width, height }) {
  const { keys } = network;
  const top = Math.max(1e-9, ...keys.map(({ weight }) => weight));
  /** @type {Map<number, string>} */
  const shades = new Map();
  keys.forEach(({ weight }, cell) => {
    const place = cellRectangle(seen.axis, cell, seen.picture);
    const [left, across] = [round(x + place.left * width), round(place.width * width)];
    const [above, down] = [round(y + place.top * height), round(place.height * height)];
    const shade = Math.round((SHADES * weight) / top);
    const d = `M${left} ${above}h${across}v${down}h-${across}z`;
    shades.set(shade, (shades.get(shade) ?? "") + d);
  });
  const cells = [...shades]
    .sort(([a], [b]) => a - b)
    .map(([shade, d]) => ({
      ...mark("path", {
        d,
        fill: colour(look.palette, shade / SHADES),
        "fill-opacity": round(0.35 + (0.55 * shade) / SHADES),
      }),
      key: `shade:${shade}`,
    }));
  const { rows, columns } = seen.axis;
  const lines = [
    ...Array.from(
      { length: rows + 1 },
      (_, row) => `M${round(x)} ${round(y + (row * height) / rows)}h${round(width)}`,
    ),
    ...Array.from(
      { length: columns + 1 },
      (_, column) => `M${round(x + (column * width) / columns)} ${round(y)}v${round(height)}`,
    ),
  ];
  return [
    photo({ x, y, width, height }),
    unless(later("weights"), group("heat", cells)),
    mark("path", {
      d: lines.join(""),
      stroke: look.paper,
      "stroke-width": 0.5,
      "stroke-opacity": 0.6,
      fill: "none",
    }),
    rect(x, y, width, height, { rx: 2, fill: "none", stroke: look.edge }),
  ];
}

/**
 * The arrows from the cells; hard attention has only one.
 * @param {Frame} frame @param {Seen} seen @param {Area} grid @param {{x: number, y: number}} end
 * @returns {Mark[]}
 */
export function cellArrows(frame, seen, grid, end) {
  const { network, look, part, later } = frame;
  const weights = network.keys.map(({ weight }) => weight);
  const { cells, rest } = seen.drawn ? { cells: [seen.drawn.cell], rest: 0 } : strongest(weights);
  const drawn = cells.map((cell) => ({
    cell,
    weight: seen.drawn ? 1 : weights[cell],
    at: centreOf(seen, cell, grid),
  }));
  const bottom = { x: grid.x + grid.width / 2, y: grid.y + grid.height };
  const all = [...drawn, ...(rest > 0.005 ? [{ cell: -1, weight: rest, at: bottom }] : [])].sort(
    (a, b) => a.at.x - b.at.x,
  );
  const top = Math.max(1e-9, ...drawn.map(({ weight }) => weight));
  let x = end.x - FULL / 2;
  const marks = all.map(({ cell, weight, at }) => {
    const wide = weight * FULL;
    const d = falling(at, { x: x + wide / 2, y: end.y - FULL / 2 });
    x += wide;
    const others = cell < 0;
    return part(others ? "cells" : `weight:${cell}`, 5, [
      pressed(d, round(Math.max(8, wide))),
      others
        ? mark("path", {
            d,
            fill: "none",
            stroke: look.accent,
            "stroke-width": round(wide),
            "stroke-opacity": 0.16,
            "data-rest": weight.toFixed(4),
          })
        : weighted(d, weight, top, look),
      ...(others
        ? []
        : [
            mark("circle", {
              cx: round(at.x),
              cy: round(at.y),
              r: 2.25,
              fill: look.paper,
              stroke: look.accent,
            }),
          ]),
    ]);
  });
  const told =
    rest > 0.05
      ? [
          label(
            `${rest.toFixed(2)} on all others`,
            { size: 11 },
            { x: bottom.x + 8, y: bottom.y + 15, fill: look.soft },
            look,
            haloed(look),
          ),
        ]
      : [];
  return [
    unless(later("weights"), group("arrows", marks)),
    unless(later("weights"), group("told", told)),
    unless(
      later("weights"),
      mark("path", { d: headAt(end, "down", FULL / 2 - 2), fill: look.accent }),
    ),
  ];
}

/** @param {Seen} seen @param {number} cell @param {Area} grid */
function centreOf({ axis, picture }, cell, { x, y, width, height }) {
  const place = cellRectangle(axis, cell, picture);
  return {
    x: x + (place.left + place.width / 2) * width,
    y: y + (place.top + place.height / 2) * height,
  };
}

/** The photo with its network, above the decoder. @param {Frame} frame @param {Seen} seen */
export function visionAbove(frame, seen) {
  const { left, room, narrow, small, compact } = frame;
  const size = visionSize(frame, seen, {
    x: narrow ? 0 : left,
    y: CAPTION,
    width: narrow ? room + left : room - 60,
    tall: TALL[compact ? "compact" : small ? "small" : narrow ? "narrow" : "wide"],
  });
  return { size, bottom: CAPTION + size.height, marks: vision(frame, seen, size) };
}
