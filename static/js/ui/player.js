/** The step player's controls. The playing itself is `Player`, which knows no page. */

/** @import {Scene} from "../types" */

import { Player } from "../player.js";
import { box, byId } from "./dom.js";

const CLOCK = {
  set: (/** @type {() => void} */ call, /** @type {number} */ ms) => setTimeout(call, ms),
  clear: (/** @type {any} */ timer) => clearTimeout(timer),
};

export class PlayerControls {
  #slider = byId("slider", HTMLInputElement);
  #place = box("place");
  #play = byId("play", HTMLButtonElement);
  #back = byId("back", HTMLButtonElement);
  #forth = byId("forth", HTMLButtonElement);
  #speed = byId("speed", HTMLSelectElement);

  /** @param {{go: (row: number) => void, settled: () => void, speed: (speed: number) => void}} wiring */
  constructor({ go, settled, speed }) {
    this.player = new Player({
      clock: CLOCK,
      go,
      changed: (playing) => {
        this.#play.setAttribute("aria-label", playing ? "Pause" : "Play");
        this.#play.toggleAttribute("data-playing", playing);
        settled();
      },
    });
    this.#play.addEventListener("click", () => this.player.toggle());
    this.#back.addEventListener("click", () => this.player.by(-1));
    this.#forth.addEventListener("click", () => this.player.by(1));
    this.#slider.addEventListener("input", () => this.player.to(Number(this.#slider.value) - 1));
    this.#speed.addEventListener("change", () => speed(Number(this.#speed.value)));
  }

  /** @param {Scene} scene */
  draw({ view, row, speed }) {
    this.player.load(view.rows.length, row, speed);
    this.#slider.max = String(view.rows.length);
    this.#slider.disabled = view.rows.length < 2;
    this.#speed.value = String(speed);
  }

  /** @param {number} row @param {string} sentence */
  at(row, sentence) {
    const count = Number(this.#slider.max);
    this.#slider.value = String(row + 1);
    this.#slider.style.setProperty("--done", `${count > 1 ? (row / (count - 1)) * 100 : 100}%`);
    this.#slider.setAttribute("aria-valuetext", sentence);
    this.#place.textContent = `${row + 1} / ${count}`;
    // aria-disabled, not disabled: a button that vanishes from under the keyboard loses its place.
    this.#back.setAttribute("aria-disabled", String(row === 0));
    this.#forth.setAttribute("aria-disabled", String(row === count - 1));
  }

  /**
   * Arrow keys, Home, End and the space bar wherever steps are shown. True if the key was used.
   * @param {KeyboardEvent} event @param {boolean} rtl
   */
  key(event, rtl) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const target = /** @type {Element} */ (event.target);
    if (target.matches("select, textarea, input:not([type=range])")) return false;
    const ownSpace = target.matches("button, summary");
    const inMap = target.matches("#map");
    if (event.key === " " && !ownSpace) this.player.toggle();
    else if (target === this.#slider) return false;
    else if (event.key === "ArrowDown" || (!inMap && event.key === (rtl ? "ArrowLeft" : "ArrowRight"))) this.player.by(1);
    else if (event.key === "ArrowUp" || (!inMap && event.key === (rtl ? "ArrowRight" : "ArrowLeft"))) this.player.by(-1);
    else if (event.key === "Home") this.player.to(0);
    else if (event.key === "End") this.player.to(Infinity);
    else if (event.key === "Enter" && target.matches("[data-row]")) this.player.to(Number(target.getAttribute("data-row")));
    else return false;
    return true;
  }
}
