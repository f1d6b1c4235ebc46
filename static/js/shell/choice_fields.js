/** Fields that choose how a trace is shown: radios, menus and the hypotheses of a beam. */

/** @import {Output, PictureOutput} from "../core/types" */

import { signed, visible } from "../core/text.js";
import { box, element, fill } from "./dom.js";

/** @param {string} id of the fieldset @param {(value: string) => void} call */
export function onRadio(id, call) {
  box(id).addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement && target.type === "radio") call(target.value);
  });
}

/** @param {string} id of the fieldset @param {string} value */
export function check(id, value) {
  for (const radio of box(id).querySelectorAll("input")) radio.checked = radio.value === value;
}

/**
 * Fills a menu, which is hidden where there is nothing to choose.
 * @template {string | number} T
 * @param {HTMLSelectElement} select @param {T[]} values @param {T | undefined} value
 * @param {(value: T) => string} named
 */
export function offer(select, values, value, named) {
  const label = select.closest("label");
  if (label) label.hidden = values.length < 2;
  fill(
    select,
    values.map((each) => ({ value: String(each), text: named(each) })),
    String(value),
  );
}

/** @param {HTMLInputElement} slider @param {number} value in its own units @param {string} text */
export function slide(slider, value, text) {
  const [low, high] = [Number(slider.min), Number(slider.max)];
  slider.value = String(value);
  slider.style.setProperty("--done", `${((value - low) / (high - low)) * 100}%`);
  slider.setAttribute("aria-valuetext", text);
}

/** The hypotheses of a beam, the best first. @param {(Output | PictureOutput)[]} all @param {number} pick */
export function offerHypotheses(all, pick) {
  box("hypotheses").hidden = all.length < 2;
  const options = all.map(({ text, score }, index) => {
    const input = element("input", { type: "radio", name: "hypotheses", value: index });
    input.checked = index === pick;
    const title = `${index === 0 ? "Best" : `Runner-up ${index}`}: score ${score}`;
    const number = element("span", { class: "number note" }, signed(score, 2));
    return element(
      "label",
      { title },
      input,
      element("span", {}, element("bdi", {}, visible(text) || "(nothing)"), " ", number),
    );
  });
  box("hypotheses-list").replaceChildren(...(all.length < 2 ? [] : options));
}
