/**
 * The one colour scale: a single blue-green that only becomes darker (in the dark theme: lighter), so
 * that it can be read without colour vision and in print. A weight of 0 has the colour of the page.
 */

/** @import {Palette} from "./types" */

/** @type {Palette} */
export const LIGHT = {
  name: "light",
  stops: ["#fbfaf7", "#d9e9e8", "#a6d0d3", "#66adbb", "#2f86a0", "#145f7d", "#0a3450"],
  warm: ["#fbfaf7", "#f5e2cb", "#ecbf8d", "#d98f4a", "#b3621d", "#7d3f0b"],
  ink: "#1d1c1a",
  soft: "#5d5a54",
  line: "#efece5",
};

/** @type {Palette} */
export const DARK = {
  name: "dark",
  stops: ["#131517", "#17303a", "#17505f", "#1f7488", "#3d9fb0", "#86cdd0", "#e4f7ee"],
  warm: ["#131517", "#33241a", "#66421f", "#a36a2d", "#dda05c", "#fbdcb4"],
  ink: "#ecebe7",
  soft: "#a9a69e",
  line: "#202427",
};

const DARK_INK = "#000000"; // with a lighter ink, a shade in the middle would be unreadable with both
const LIGHT_INK = "#ffffff";

/** @param {string} hex */
function linear(hex) {
  return [1, 3, 5].map((at) => {
    const value = parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
}

/** @param {number[]} rgb */
function hexOf(rgb) {
  const channels = rgb.map((value) => {
    const clipped = Math.min(1, Math.max(0, value));
    const gamma = clipped <= 0.0031308 ? clipped * 12.92 : 1.055 * clipped ** (1 / 2.4) - 0.055;
    return Math.round(gamma * 255)
      .toString(16)
      .padStart(2, "0");
  });
  return `#${channels.join("")}`;
}

/** Oklab, B. Ottosson 2020: equal steps look equal. @param {string} hex */
function oklab(hex) {
  const [r, g, b] = linear(hex);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** @param {number[]} lab */
function fromOklab([lightness, a, b]) {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return hexOf([
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]);
}

/**
 * The colour at `position` between 0 and 1.
 * @param {Palette} palette @param {number} position
 */
export function colour(palette, position) {
  return along(palette.stops, position);
}

/**
 * The colour of a difference between -1 and 1: the scale's own for more, a warm one for less. They
 * differ in yellow against blue, which nearly all people can distinguish.
 * @param {Palette} palette @param {number} position
 */
export function divergent(palette, position) {
  return along(position < 0 ? palette.warm : palette.stops, Math.abs(position));
}

/** Shades from one stop to the next: closer than the eye can distinguish. */
const FINE = 48;
/** Of each scale the shades mixed so far: a map has thousands of cells. @type {WeakMap<string[], string[]>} */
const mixed = new WeakMap();

/** @param {string[]} stops @param {number} position */
function along(stops, position) {
  const shades = mixed.get(stops) ?? [];
  mixed.set(stops, shades);
  const place = Math.round(Math.min(1, Math.max(0, position || 0)) * (stops.length - 1) * FINE);
  return (shades[place] ??= between(stops, place / FINE));
}

/** @param {string[]} stops @param {number} place among them */
function between(stops, place) {
  const below = Math.min(Math.floor(place), stops.length - 2);
  const from = oklab(stops[below]);
  const to = oklab(stops[below + 1]);
  return fromOklab(from.map((value, channel) => value + (to[channel] - value) * (place - below)));
}

/** @param {string} hex relative luminance as WCAG 2 defines it */
function luminance(hex) {
  const [r, g, b] = linear(hex);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** @param {string} one @param {string} other contrast ratio as WCAG 2 defines it */
export function contrast(one, other) {
  const [bright, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (bright + 0.05) / (dark + 0.05);
}

/** @param {string} background the ink that reads better on it */
export function inkOn(background) {
  return contrast(background, DARK_INK) >= contrast(background, LIGHT_INK) ? DARK_INK : LIGHT_INK;
}
