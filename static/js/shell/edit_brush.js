/** The tools of edits over a photo: the brush, its weight, and the gate of the captioner. */

import { html, say, slide } from "../draw/dom.js";

/**
 * @typedef {object} Wiring
 * @property {(weight: number) => void} weight @property {(value: number) => void} gate @property {() => void} redraw
 */

/** The weight of what is brushed, before another is chosen. */
const WEIGHT = 0.8;
/** The photo alone is brushed. */
const BY_BRUSH = { "data-view-place": "photo" };

export class BrushTools {
  #away = html.input({ type: "checkbox", id: "edit-away" });
  #weight = html.input({
    ...{ type: "range", id: "edit-weight", min: 5, max: 95, step: 5, value: 100 * WEIGHT },
    "aria-label": "Weight of the brushed cells together",
  });
  #weightNow = html.output({ class: "number note", for: "edit-weight" });
  #gate = html.input({
    ...{ type: "range", id: "edit-gate", min: 0, max: 100, step: 5 },
    "aria-label": "Gate β",
  });
  #gateNow = html.output({ class: "number note", for: "edit-gate" });
  #everywhere = html.input({ type: "checkbox", id: "edit-gate-all" });
  #gateField = html.span(
    { class: "edit-gate" },
    html.label({ class: "picker edit-temperature" }, "Gate β ", this.#gate, this.#gateNow),
    html.label({ class: "picker" }, this.#everywhere, " at every step"),
  );
  node = html.div(
    { class: "edit-tools", hidden: true },
    html.label(
      { class: "picker edit-temperature", ...BY_BRUSH },
      "Brush with weight ",
      this.#weight,
      this.#weightNow,
    ),
    html.label({ class: "picker", ...BY_BRUSH }, this.#away, " keep attention away"),
    this.#gateField,
  );

  /** @param {Wiring} wiring */
  constructor({ weight, gate, redraw }) {
    this.#weight.addEventListener("input", () => {
      this.#away.checked = false;
      weight(Number(this.#weight.value) / 100);
    });
    this.#gate.addEventListener("input", () => gate(Number(this.#gate.value) / 100));
    this.#everywhere.addEventListener("change", redraw);
  }

  /** The weight of what is brushed next; null where the attention is kept away. */
  get weight() {
    return this.#away.checked ? null : Number(this.#weight.value) / 100;
  }

  /** True if the gate is set at every step. */
  get everywhere() {
    return this.#everywhere.checked;
  }

  /** @param {{hidden: boolean, weight: number | null, gate: number | null}} now `weight`: of the cells that are brushed, if any; `gate`: null where there is none */
  draw({ hidden, weight, gate }) {
    this.node.hidden = hidden;
    const now = weight ?? Number(this.#weight.value) / 100;
    slide(this.#weight, Math.round(100 * now), now.toFixed(2));
    say(this.#weightNow, now.toFixed(2));
    this.#gateField.hidden = gate === null;
    if (gate === null) return;
    slide(this.#gate, Math.round(100 * gate), gate.toFixed(2));
    say(this.#gateNow, gate.toFixed(2));
  }
}
