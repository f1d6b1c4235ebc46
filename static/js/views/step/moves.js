/** The motion of a part: what its figures do while it is computed. */

/** @import {Move} from "../../draw/motion.js" */

import { html } from "../../draw/dom.js";
import { APPEARS, DROPS, inTurn } from "../../draw/motion.js";

/** @type {Keyframe[]} */
const GROWS = [{ offset: 0, transform: "scaleX(0)" }];
/** @type {Keyframe[]} */
const COMES = [{ offset: 0, opacity: 0, transform: "translateX(-0.8em)" }];

/**
 * @param {string} part @param {Element[]} places of its figures @param {Element | null} written the word in the sentence
 * @returns {Move[]}
 */
export function movesOf(part, places, written) {
  const inBody = (/** @type {string} */ selector) =>
    places.flatMap((place) => [...place.querySelectorAll(selector)]);
  const inTable = (/** @type {string} */ selector) => inBody(`tr:not([hidden]) ${selector}`);
  const vectors = (/** @type {number} */ from) => inTurn(inBody(".vector"), COMES, { from });
  switch (part) {
    case "scores":
      return [
        ...inTurn(inTable("td.of-scores .number"), DROPS),
        ...inTurn(inBody("figure"), APPEARS, { takes: 0.9 }),
      ];
    case "weights":
      return [
        ...inTurn(inTable("td.of-weights.wide .number"), APPEARS, { to: 0.5 }),
        ...inTurn(inTable("td.of-weights .bar"), GROWS, { from: 0.2, pseudo: "::after" }),
        ...inTurn(inTable("td.of-weights .bar + .number"), APPEARS, { from: 0.25 }),
        ...inTurn(inBody("figure"), APPEARS, { takes: 0.9 }),
      ];
    case "context":
      return [
        ...inTurn(inTable("td.of-context .spark"), COMES, { to: 0.7 }),
        ...inTurn(inBody("figure:not(.vector)"), APPEARS, { takes: 0.7 }),
        ...vectors(0.6),
      ];
    case "word":
    case "belief":
      return [
        ...inTurn(inBody(".bar"), GROWS, { to: 0.6, pseudo: "::after" }),
        ...inTurn(inBody(".bars .number"), APPEARS, { to: 0.65 }),
        ...into(written, inBody(".bars [data-written] .bar-label")[0]),
      ];
    default:
      return [...inTurn(inBody("figure:not(.vector), .patches"), APPEARS), ...vectors(0)];
  }
}

/** The box of the word stays empty until the word has come. */
const COMES_AT = 0.9;
const EMPTY = { color: "transparent" };

/** The chosen word goes from its bar into the sentence. @param {Element | null} box @param {Element | undefined} label @returns {Move[]} */
function into(box, label) {
  if (!box || !label) return [];
  const [from, to] = [label.getBoundingClientRect(), box.getBoundingClientRect()];
  const waits = { node: box, frames: [EMPTY, EMPTY], from: 0, to: COMES_AT };
  // A presentation is scaled, and some pages have no word to fill in.
  const still = document.documentElement.hasAttribute("data-presenting");
  if (!to.width || still) return to.width ? [waits] : [];
  const word = html.span({ class: "flying", "aria-hidden": "true" }, label.textContent);
  word.style.font = getComputedStyle(box).font;
  word.style.left = `${to.left}px`;
  word.style.top = `${to.top}px`;
  document.body.append(word);
  const away = `translate(${from.left - to.left}px, ${from.top - to.top}px) scale(0.6)`;
  const frames = [
    { transform: away, opacity: 0 },
    { transform: away, opacity: 1, offset: 0.2 },
    { transform: "none", opacity: 1 },
  ];
  return [waits, { node: word, frames, from: 0.4, to: COMES_AT, made: true }];
}
