/** The heads of all layers as a grid of buttons; a head that is small is enlarged beside the pointer. */

import { around, html } from "../../draw/dom.js";
import { roomBelow } from "../../draw/scrolling.js";
import { headsLayout, moved, rankedLayout } from "./model.js";

/** The least height that the grid asks for. */
const LEAST_HEIGHT = 240;
/** A map below this width is enlarged. */
const SMALL = 150;
const MARGIN = 10;

/**
 * @typedef {object} Head
 * @property {number} layer @property {number} head
 *
 * @typedef {object} Shown
 * @property {Node} drawing @property {string} note
 */

export class HeadsGrid {
  #box;
  #enlarged;
  #lens = html.div({ class: "lens", "aria-hidden": "true" });
  /** @type {{head: Head, button: HTMLButtonElement, note: HTMLElement, place: HTMLElement}[]} */
  #heads = [];
  /** @type {import("./model.js").HeadsLayout} */
  #layout = { columns: 1, width: 0, height: 0, dense: false };

  /**
   * @param {HTMLElement} box @param {object} wiring
   * @param {(head: Head) => void} wiring.open @param {(head: Head) => Shown} wiring.enlarged
   */
  constructor(box, { open, enlarged }) {
    this.#box = box;
    this.#enlarged = enlarged;
    this.#lens.hidden = true;
    box.addEventListener("click", (event) => {
      const found = this.#of(event);
      if (found) open(found.head);
    });
    box.addEventListener("pointerover", (event) => {
      if (event.pointerType === "mouse") this.#enlarge(this.#of(event));
    });
    box.addEventListener("pointerleave", () => this.#enlarge(null));
    box.addEventListener("focusin", (event) => {
      const found = this.#of(event);
      if (found?.button.matches(":focus-visible")) this.#enlarge(found);
    });
    box.addEventListener("focusout", () => this.#enlarge(null));
    box.addEventListener("keydown", (event) => this.#key(event));
    // A head under the pointer need not have the focus.
    document.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") this.#enlarge(null);
    });
  }

  /**
   * Lays out the heads, in the order of their layers; with the name of a measure, in their own.
   * @param {Head[]} heads @param {Head | null} current @param {import("./model.js").Shape} shape @param {string} [measure]
   */
  lay(heads, current, shape, measure = "") {
    const layers = [...new Set(heads.map(({ layer }) => layer))];
    const most = Math.max(
      ...layers.map((layer) => heads.filter((each) => each.layer === layer).length),
    );
    const room = {
      width: this.#box.clientWidth,
      height: roomBelow(this.#box, LEAST_HEIGHT),
    };
    this.#layout = measure
      ? rankedLayout({ heads: heads.length, ...shape }, room)
      : headsLayout({ layers: layers.length, heads: most, ...shape }, room);
    const { columns, width, height, dense } = this.#layout;
    this.#heads = heads.map((head) => this.#head(head, measure !== ""));
    const at = this.#heads.findIndex(
      ({ head }) => head.layer === current?.layer && head.head === current.head,
    );
    this.#heads[at]?.button.setAttribute("aria-current", "true");
    this.#rove(Math.max(at, 0));
    const numbered = dense && columns === most && !measure;
    const grid = html.div(
      {
        class: "heads-grid",
        "data-dense": dense,
        "data-numbered": numbered,
        "data-ranked": measure !== "",
        "--heads": columns,
        "--lines": Math.ceil(most / columns),
        "--map-width": `${width}px`,
        "--map-height": `${height}px`,
      },
      numbered && numbers(columns),
      measure ? this.#ranking(measure) : layers.map((layer) => this.#layer(layer)),
    );
    this.#lens.hidden = true;
    this.#box.replaceChildren(grid, this.#lens);
  }

  /** Draws every head. @param {(head: Head) => Shown} shown */
  fill(shown) {
    for (const { head, place, note } of this.#heads) {
      const { drawing, note: text } = shown(head);
      place.replaceChildren(drawing);
      note.textContent = ` ${text}`;
    }
  }

  /** @param {number} layer */
  #layer(layer) {
    const id = `heads-layer-${layer + 1}`;
    const name = html.h3({ id }, html.span({ class: "layer-word" }, "Layer "), String(layer + 1));
    const buttons = this.#heads.filter(({ head }) => head.layer === layer);
    return html.div(
      { class: "layer", role: "group", "aria-labelledby": id },
      name,
      buttons.map(({ button }) => button),
    );
  }

  /** @param {string} measure */
  #ranking(measure) {
    const buttons = this.#heads.map(({ button }) => button);
    return html.div(
      { class: "layer", role: "group", "aria-label": `Heads by ${measure}` },
      buttons,
    );
  }

  /** @param {Head} head @param {boolean} ranked */
  #head(head, ranked) {
    const note = html.span({ class: "note" });
    const place = html.span({ class: "head-drawing" });
    const number = head.head + 1;
    const title = ranked
      ? `Layer ${head.layer + 1}, head ${number}`
      : [html.span({ class: "head-word" }, "Head "), String(number)];
    const name = html.span({ class: "head-name" }, title, note);
    const button = html.button(
      {
        type: "button",
        class: "head-map",
        "data-layer": head.layer,
        "data-head": head.head,
        tabindex: -1,
      },
      name,
      place,
    );
    return { head, button, note, place };
  }

  /** @param {Event} event */
  #of(event) {
    const button = around(event, "button");
    return this.#heads.find((each) => each.button === button) ?? null;
  }

  /** One head is in the order of the Tab key; the arrow keys lead to the others. @param {number} at */
  #rove(at) {
    this.#heads.forEach(({ button }, index) => (button.tabIndex = index === at ? 0 : -1));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = this.#heads.findIndex(({ button }) => button === document.activeElement);
    const to =
      at < 0
        ? null
        : moved(at, event.key, { columns: this.#layout.columns, count: this.#heads.length });
    if (to === null) return;
    this.#rove(to);
    this.#heads[to].button.focus();
    event.preventDefault();
    event.stopPropagation(); // here the arrows move among the heads, not from step to step
  }

  /** Shows a head large, beside its own place. @param {HTMLElement | {head: Head, button: HTMLElement} | null} found */
  #enlarge(found) {
    if (!found || !("head" in found) || this.#layout.width >= SMALL) {
      this.#lens.hidden = true;
      return;
    }
    const { drawing, note } = this.#enlarged(found.head);
    const title = html.b(`Layer ${found.head.layer + 1}, head ${found.head.head + 1}`);
    this.#lens.replaceChildren(html.p(title, ` ${note}`), drawing);
    this.#lens.hidden = false;
    const [own, cell] = [this.#lens.getBoundingClientRect(), found.button.getBoundingClientRect()];
    const room = { width: document.documentElement.clientWidth, height: innerHeight };
    const after = cell.right + MARGIN;
    const left = after + own.width > room.width ? cell.left - own.width - MARGIN : after;
    const top = cell.top + cell.height / 2 - own.height / 2;
    const within = (/** @type {number} */ value, /** @type {number} */ most) =>
      Math.min(Math.max(value, MARGIN), Math.max(most - MARGIN, MARGIN));
    this.#lens.style.left = `${within(left, room.width - own.width)}px`;
    this.#lens.style.top = `${within(top, room.height - own.height)}px`;
  }
}

/** The numbers of the heads, above their columns. @param {number} columns */
function numbers(columns) {
  const names = Array.from({ length: columns }, (_, index) => html.span(String(index + 1)));
  return html.div(
    { class: "head-numbers", "aria-hidden": "true" },
    html.span({ class: "layer-word" }, "Head"),
    names,
  );
}
