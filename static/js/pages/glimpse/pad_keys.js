/** Drawing on the pad by keys: the arrows move a pen, which the space bar puts down and lifts. */

/** @import {DrawingPad} from "./pad.js" */

import { KEYS } from "../../core/keys.js";
import { box, html } from "../../draw/dom.js";

/** Pixels of the canvas from one place of the pen to the next. */
const STRIDE = 3;
/** @type {Record<string, [number, number]>} */
const WAYS = { right: [1, 0], left: [-1, 0], down: [0, 1], up: [0, -1] };

export class PadKeys {
  #canvas = box("pad");
  #pen = html.span({ class: "pen", "aria-hidden": "true", hidden: true });
  #said = html.p({ class: "visually-hidden", role: "status" });
  #pad;
  #clear;
  #down = false;
  #side;
  #at;

  /** @param {DrawingPad} pad @param {() => void} clear */
  constructor(pad, clear) {
    this.#pad = pad;
    this.#clear = clear;
    this.#side = /** @type {HTMLCanvasElement} */ (this.#canvas).width;
    this.#at = { x: this.#side / 2, y: this.#side / 4 };
    this.#canvas.after(this.#pen, this.#said);
    this.#canvas.addEventListener("keydown", (event) => this.#key(event));
    this.#canvas.addEventListener("blur", () => {
      this.#lift();
      this.#pen.hidden = true;
    });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const action = KEYS.pad[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation(); // here the arrows move the pen, not from glimpse to glimpse
    if (WAYS[action]) this.#move(WAYS[action]);
    else if (action === "clear") this.#clear();
    else if (this.#down) this.#lift();
    else if (action === "pen") this.#put();
    this.#show(action === "clear" ? "The picture is empty. " : "");
  }

  /** @param {[number, number]} way */
  #move([x, y]) {
    const within = (/** @type {number} */ at) =>
      Math.min(Math.max(at, STRIDE), this.#side - STRIDE);
    this.#at = { x: within(this.#at.x + STRIDE * x), y: within(this.#at.y + STRIDE * y) };
    this.#pad.draw([this.#at]);
  }

  #put() {
    this.#down = true;
    this.#pad.begin(this.#at);
  }

  #lift() {
    if (!this.#down) return;
    this.#down = false;
    this.#pad.end();
  }

  /** @param {string} before what is said first */
  #show(before) {
    const { x, y } = this.#at;
    this.#pen.hidden = false;
    this.#pen.toggleAttribute("data-down", this.#down);
    this.#pen.style.setProperty("--x", String(x / this.#side));
    this.#pen.style.setProperty("--y", String(y / this.#side));
    const place = `${Math.round((100 * x) / this.#side)} % from the left, ${Math.round((100 * y) / this.#side)} % from the top`;
    this.#said.textContent = `${before}Pen ${this.#down ? "down" : "up"}, ${place}.`;
  }
}
