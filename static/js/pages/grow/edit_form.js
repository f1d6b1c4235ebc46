/** The edits of the text that a person typed: a form for one more, and a chip for each. */

/** @import {Edit} from "../../core/types" */

import { box, byId, fill, html } from "../../draw/dom.js";
import { nameOf } from "./edits.js";
import { letters } from "./map_figure.js";

const ALL = "all";

export class EditForm {
  #operation = byId("grow-edit-op", HTMLSelectElement);
  #key = byId("grow-edit-key", HTMLSelectElement);
  #step = byId("grow-edit-step", HTMLSelectElement);
  #chips = box("grow-chips");
  #drop;
  /** The texts and edits that are shown. */
  #shown = "";

  /** @param {(edit: Edit) => void} change puts an edit on, or takes it off @param {() => void} drop takes all of them off */
  constructor(change, drop) {
    this.#drop = drop;
    this.#chips.addEventListener("click", ({ target }) => {
      const chip = target instanceof Element ? target.closest("[data-edit]") : null;
      if (chip) change(JSON.parse(chip.getAttribute("data-edit") ?? ""));
    });
    this.#operation.addEventListener("change", () => this.#enable());
    box("grow-edit").addEventListener("click", () => change(this.#chosen()));
  }

  /** @param {{source: string, steps: number} | null} typed null if there is no map to edit @param {readonly Edit[]} edits */
  show(typed, edits) {
    box("grow-edits").hidden = !typed;
    const shown = JSON.stringify([typed, edits]);
    if (!typed || shown === this.#shown) return;
    this.#shown = shown;
    const read = letters(typed.source);
    const numbered = Array.from({ length: typed.steps }, (_, step) => ({
      value: String(step),
      text: `step ${step + 1}`,
    }));
    const named = read.map((letter, key) => ({
      value: String(key),
      text: `${key + 1}: ${letter}`,
    }));
    keeping(this.#key, named);
    keeping(this.#step, [{ value: ALL, text: "all steps" }, ...numbered]);
    const held = [...this.#chips.children].findIndex((chip) => chip === document.activeElement);
    this.#chips.replaceChildren(
      ...edits.map((edit) => {
        const name = nameOf(edit, read);
        return html.button(
          { type: "button", "data-edit": JSON.stringify(edit), "aria-label": `Drop: ${name}` },
          `${name} ×`,
        );
      }),
      ...(edits.length
        ? [html.button({ type: "button", class: "quiet", onclick: this.#drop }, "No edits")]
        : []),
    );
    if (held !== -1) this.#focus(held);
    this.#enable();
  }

  /** Focuses the chip in the place of one that is gone. @param {number} place */
  #focus(place) {
    const { children } = this.#chips;
    const next = children[Math.min(place, children.length - 1)] ?? this.#operation;
    if (next instanceof HTMLElement) next.focus();
  }

  #enable() {
    this.#key.disabled = this.#operation.value === "uniform";
  }

  /** @returns {Edit} */
  #chosen() {
    const [key, step] = [this.#key.value, this.#step.value];
    return {
      op: /** @type {Edit["op"]} */ (this.#operation.value),
      ...(!this.#key.disabled && { keys: Number(key) }),
      ...(step !== ALL && { queries: Number(step) }),
    };
  }
}

/** Fills a menu, and keeps its choice if it is still there. @param {HTMLSelectElement} select @param {{value: string, text: string}[]} options */
function keeping(select, options) {
  const chosen = options.some(({ value }) => value === select.value);
  fill(select, options, chosen ? select.value : options[0].value);
}
