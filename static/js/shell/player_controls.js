/** The step player's controls. `Player` moves through the steps, without the DOM. */

/** @import {Clock} from "../core/player.js" */
/** @import {Item} from "../core/types" */

import { Player } from "../core/player.js";
import { box, byId, say } from "../draw/dom.js";

/** @type {Clock<ReturnType<typeof setTimeout>>} */
const CLOCK = {
  set: (call, ms) => setTimeout(call, ms),
  clear: (timer) => clearTimeout(timer),
};

export class PlayerControls {
  #slider = byId("slider", HTMLInputElement);
  #place = box("place");
  /** The position in words. */
  place = "";
  #play = byId("play", HTMLButtonElement);
  #back = byId("back", HTMLButtonElement);
  #forth = byId("forth", HTMLButtonElement);
  #speed = byId("speed", HTMLSelectElement);
  /** Positions of the player per row: the parts in which a row is shown. */
  #parts = 1;

  #chosen;

  /** @param {{go: (row: number, part: number) => void, settled: () => void, speed: (speed: number) => void, chosen: () => boolean}} wiring `chosen`: true if a person has chosen the row */
  constructor({ go, settled, speed, chosen }) {
    this.#chosen = chosen;
    this.player = new Player({
      clock: CLOCK,
      go: (place) => go(Math.floor(place / this.#parts), place % this.#parts),
      changed: (playing) => {
        this.#play.setAttribute("aria-label", playing ? "Pause" : "Play");
        this.#play.toggleAttribute("data-playing", playing);
        settled();
      },
    });
    this.#play.addEventListener("click", () => this.toggle());
    this.#back.addEventListener("click", () => this.player.by(-1));
    this.#forth.addEventListener("click", () => this.player.by(1));
    this.#slider.addEventListener("input", () => this.to(Number(this.#slider.value) - 1));
    this.#speed.addEventListener("change", () => speed(Number(this.#speed.value)));
  }

  /** @param {{rows: Item[], row: number, parts: number, part: number, speed: number}} scene */
  draw({ rows, row, parts, part, speed }) {
    this.#parts = parts;
    this.player.load(rows.length * parts, row * parts + part, speed * Math.sqrt(parts));
    this.#slider.max = String(rows.length);
    this.#slider.disabled = rows.length < 2;
    this.#speed.value = String(speed);
  }

  /** Takes a position that is not the player's own, which ends the playing. @param {Parameters<PlayerControls["draw"]>[0]} scene */
  follow(scene) {
    if (this.player.row === scene.row * this.#parts + scene.part) return;
    this.player.pause();
    this.draw(scene);
  }

  /** Goes to the last part of a row. @param {number} row */
  to(row) {
    const last = Number(this.#slider.max) - 1;
    this.player.to(Math.min(Math.max(row, 0), last) * this.#parts + this.#parts - 1);
  }

  toggle() {
    if (this.player.playing) this.player.pause();
    else this.player.play(this.#chosen() ? undefined : 0);
  }

  /** True while the slider has the focus, so that its value is said. */
  get slides() {
    return document.activeElement === this.#slider;
  }

  /** True at the last part of the last row. */
  get atEnd() {
    return this.player.atEnd;
  }

  get row() {
    return Math.floor(this.player.row / this.#parts);
  }

  /** @param {number} row @param {number} part @param {string} sentence */
  at(row, part, sentence) {
    const count = Number(this.#slider.max);
    this.#slider.value = String(row + 1);
    this.#slider.style.setProperty("--done", `${count > 1 ? (row / (count - 1)) * 100 : 100}%`);
    this.#slider.setAttribute("aria-valuetext", sentence);
    const parts = this.#parts;
    this.place = `${row + 1} / ${count}${part < parts - 1 ? ` · part ${part + 1}` : ""}`;
    say(this.#place, this.place);
    // aria-disabled, not disabled: a disabled button would lose the keyboard focus.
    this.#back.setAttribute("aria-disabled", String(row === 0 && (parts === 1 || part === 0)));
    this.#forth.setAttribute("aria-disabled", String(row === count - 1 && part === parts - 1));
  }

  /**
   * Handles arrow keys, Home, End and the space bar. Returns true if the key was used.
   * @param {KeyboardEvent} event @param {boolean} rtl
   */
  key(event, rtl) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const target = /** @type {Element} */ (event.target);
    if (target.matches("select, textarea, input:not([type=range])")) return false;
    const ownSpace = target.matches("button, summary");
    const inMap = target.matches("#map");
    if (event.key === " " && !ownSpace) this.toggle();
    else if (target === this.#slider) return false;
    else if (event.key === "ArrowDown") this.to(this.row + 1);
    else if (event.key === "ArrowUp") this.to(this.row - 1);
    else if (!inMap && event.key === (rtl ? "ArrowLeft" : "ArrowRight")) this.player.by(1);
    else if (!inMap && event.key === (rtl ? "ArrowRight" : "ArrowLeft")) this.player.by(-1);
    else if (event.key === "Home") this.player.to(0);
    else if (event.key === "End") this.player.to(Infinity);
    else if (event.key === "Enter" && target.matches("[data-row]"))
      this.to(Number(target.getAttribute("data-row")));
    else return false;
    return true;
  }
}
