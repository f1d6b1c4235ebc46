/**
 * Colours and opacities of weights over a photo. The photo is
 * neither light nor dark like the page, so these scales are the same in both themes. Their
 * lightness only increases, so that they can be read without colour vision. Pure.
 */

/** @import {PaperChoices, PictureScene, Style} from "./types" */
/** @import {Field} from "./field.js" */

/** Red, green and blue from 0 to 255, and the opacity from 0 to 1. @typedef {[number, number, number, number]} Paint */

/** @type {[number, Paint][]} */
const HEAT = [
  [0, [58, 12, 94, 0]],
  [0.12, [72, 14, 104, 0.18]],
  [0.35, [170, 42, 92, 0.62]],
  [0.6, [233, 98, 46, 0.78]],
  [0.82, [251, 173, 40, 0.86]],
  [1, [255, 240, 128, 0.95]],
];
/** The scales of figures: white is that of a grey print. @type {Partial<Record<PaperChoices["colours"], [number, Paint][]>>} */
const SCALES = {
  heat: HEAT,
  cyan: [
    [0, [4, 40, 60, 0]],
    [0.12, [6, 52, 74, 0.18]],
    [0.35, [10, 110, 130, 0.62]],
    [0.6, [40, 170, 180, 0.78]],
    [0.82, [120, 220, 215, 0.86]],
    [1, [225, 250, 240, 0.95]],
  ],
  white: [
    [0, [255, 255, 255, 0]],
    [1, [255, 255, 255, 0.92]],
  ],
};
const NIGHT = [10, 12, 14];

/** Shares of the attention that lines surround, the inner line first. */
export const SURROUNDED = [0.5, 0.8];

/** @param {Style} style @param {number} opacity between 0 and 1 @param {PaperChoices["colours"]} [colours] of a figure @returns {(position: number) => Paint} of a position between 0 and 1 */
export function paintOf(style, opacity, colours = "heat") {
  if (style === "outline") return () => [0, 0, 0, 0];
  if (style === "spotlight")
    return (position) => [NIGHT[0], NIGHT[1], NIGHT[2], opacity * (1 - eased(position))];
  const scale = SCALES[colours] ?? HEAT;
  return (position) => {
    const [red, green, blue, cover] = along(scale, Math.min(Math.max(position, 0), 1));
    return [red, green, blue, cover * opacity];
  };
}

/** The colours of a scene: of its weights or, between -1 and 1, of what edits changed. @param {Pick<PictureScene, "style" | "opacity" | "difference"> & {paper?: PaperChoices}} scene @returns {(position: number) => Paint} */
export function painterOf({ style, opacity, difference, paper }) {
  if (!difference) return paintOf(style, opacity, paper?.colours);
  const [more, less] = [paintOf("heat", opacity), paintOf("heat", opacity, "cyan")];
  return (position) => (position < 0 ? less(-position) : more(position));
}

/** Raises middle positions: half of the largest weight is nearly as bright as the largest. @param {number} position */
const eased = (position) => 1 - (1 - Math.min(Math.max(position, 0), 1)) ** 1.7;

/** @param {[number, Paint][]} scale @param {number} position @returns {Paint} */
function along(scale, position) {
  const above = scale.findIndex(([stop]) => stop >= position);
  if (above <= 0) return scale[0][1];
  const [[from, one], [to, other]] = [scale[above - 1], scale[above]];
  const part = (position - from) / (to - from);
  return /** @type {Paint} */ (
    one.map((value, channel) => value + (other[channel] - value) * part)
  );
}

/** @param {Paint} paint */
export const css = ([red, green, blue, cover]) =>
  `rgba(${Math.round(red)}, ${Math.round(green)}, ${Math.round(blue)}, ${cover.toFixed(3)})`;

/**
 * The field as pixels, four bytes each.
 * @param {Field} field @param {number} top the value of the strongest colour @param {(position: number) => Paint} paint
 */
export function pixelsOf({ values }, top, paint) {
  const STEPS = 255;
  /** @type {Paint[]} */
  const shades = [];
  const shadeOf = (/** @type {number} */ value) => {
    const step = Math.max(-STEPS, Math.min(STEPS, Math.round((value / (top || 1)) * STEPS)));
    return (shades[step + STEPS] ??= paint(step / STEPS));
  };
  const pixels = new Uint8ClampedArray(values.length * 4);
  values.forEach((value, index) => {
    const [red, green, blue, cover] = shadeOf(value);
    pixels.set([red, green, blue, cover * 255], index * 4);
  });
  return pixels;
}
