/** The step player's controls. `Player` moves through the steps, without the DOM. */

/** @import {Clock} from "../core/player.js" */
/** @import {Item} from "../core/types" */

import { BEAT_MS, PART_MS, Player } from "../core/player.js";
import { KEYS } from "../core/keys.js";
import { box, byId, say } from "../draw/dom.js";
import { isTyped } from "./keys.js";

/** @type {Clock<ReturnType<typeof setTimeout>>} */
const CLOCK = {
  set: (call, ms) => setTimeout(call, ms),
  clear: (timer) => clearTimeout(timer),
};

/** Keys of a text that runs from right to left, as its steps do. @type {Record<string, string>} */
const MIRRORED = { ArrowLeft: "ArrowRight", ArrowRight: "ArrowLeft" };
/** Keys that an element handles itself: a map scrolls. @type {Record<string, string[]>} */
const OWN = { map: ["forward", "back"] };

/** Steps of the slider within a part. */
const FINE = 0.02;

export class PlayerControls {
  #slider = byId("slider", HTMLInputElement);
  #place = box("place");
  /** The position in words. */
  place = "";
  #play = byId("play", HTMLButtonElement);
  #back = byId("back", HTMLButtonElement);
  #forth = byId("forth", HTMLButtonElement);
  #speed = byId("speed", HTMLSelectElement);
  #rows = 1;
  /** Positions of the player per row: the parts in which a row is shown. */
  #parts = 1;
  /** True if the slider goes from part to part, and through each; otherwise from row to row. */
  #fine = false;
  /** True if all parts of the row are shown, because it was chosen rather than computed. */
  #whole = true;

  #chosen;

  #choosing = false;
  #scrub;

  /**
   * @param {object} wiring
   * @param {(row: number, part: number | null) => void} wiring.go shows a row, up to a part or whole
   * @param {() => void} wiring.settled @param {(speed: number) => void} wiring.speed
   * @param {() => boolean} wiring.chosen true if a person has chosen the row
   * @param {(share: number) => void} wiring.scrub shows the part at an instant
   */
  constructor({ go, settled, speed, chosen, scrub }) {
    this.#chosen = chosen;
    this.#scrub = scrub;
    this.player = new Player({
      clock: CLOCK,
      go: (place) =>
        go(Math.floor(place / this.#parts), this.#choosing ? null : place % this.#parts),
      changed: (playing) => {
        this.#play.setAttribute("aria-label", playing ? "Pause" : "Play");
        this.#play.toggleAttribute("data-playing", playing);
        settled();
      },
    });
    this.#play.addEventListener("click", () => this.toggle());
    this.#back.addEventListener("click", () => this.by(-1));
    this.#forth.addEventListener("click", () => this.by(1));
    this.#slider.addEventListener("input", () => this.#slide(Number(this.#slider.value)));
    this.#speed.addEventListener("change", () => speed(Number(this.#speed.value)));
  }

  /** @param {{rows: Item[], row: number, parts: number, part: number, speed: number}} scene @param {boolean} [fine] true if the slider goes through the parts */
  draw({ rows, row, parts, part, speed }, fine = this.#fine) {
    this.#rows = rows.length;
    this.#parts = parts;
    this.#fine = fine && parts > 1;
    const pace = parts > 1 ? BEAT_MS / PART_MS : 1;
    this.player.load(rows.length * parts, row * parts + part, speed * pace);
    this.#slider.step = this.#slider.min = this.#fine ? String(FINE) : "1";
    this.#slider.max = String(rows.length * (this.#fine ? parts : 1));
    this.#slider.disabled = rows.length < 2;
    this.#speed.value = String(speed);
  }

  /** Takes a position that is not the player's own, which ends the playing. @param {Parameters<PlayerControls["draw"]>[0]} scene */
  follow(scene) {
    if (this.player.row === scene.row * this.#parts + scene.part) return;
    this.player.pause();
    this.draw(scene);
  }

  /** Goes to a row, with all of its parts. @param {number} row */
  to(row) {
    const at = Math.min(Math.max(row, 0), this.#rows - 1);
    this.#choosing = true;
    this.player.to(at * this.#parts + this.#parts - 1);
    this.#choosing = false;
  }

  /** Goes on or back. A row that was chosen whole is computed from its first part on. @param {number} places */
  by(places) {
    if (places > 0 && this.#complete) this.player.to(this.row * this.#parts);
    else this.player.by(places);
  }

  /** Follows the slider, also through a part. @param {number} value */
  #slide(value) {
    if (!this.#fine) return this.to(value - 1);
    const place = Math.ceil(value) - 1;
    if (place !== this.player.row || this.player.playing || this.#whole) this.player.to(place);
    this.#scrub(value - place);
  }

  toggle() {
    if (this.player.playing) this.player.pause();
    else if (!this.#chosen()) this.player.play(0);
    else this.player.play(this.#complete ? this.row * this.#parts : undefined);
  }

  /** True if the row is shown whole, although it has parts. */
  get #complete() {
    return this.#whole && this.#parts > 1;
  }

  /** True while the slider has the focus, so that its value is said. */
  get slides() {
    return document.activeElement === this.#slider;
  }

  /** True at the last part of the last row. */
  get atEnd() {
    return this.player.atEnd && !this.#complete;
  }

  get row() {
    return Math.floor(this.player.row / this.#parts);
  }

  /** @param {number} row @param {number} part @param {string} sentence @param {boolean} whole */
  at(row, part, sentence, whole) {
    this.#whole = whole;
    const [count, parts] = [this.#rows, this.#parts];
    const value = this.#fine ? row * parts + part + 1 : row + 1;
    const [first, last] = [Number(this.#slider.min), Number(this.#slider.max)];
    // A slider that stands within the part stays there.
    if (Math.ceil(Number(this.#slider.value)) !== value) this.#slider.value = String(value);
    this.#slider.style.setProperty(
      "--done",
      `${last > first ? ((value - first) / (last - first)) * 100 : 100}%`,
    );
    this.#slider.setAttribute("aria-valuetext", sentence);
    this.place = `${row + 1} / ${count}${part < parts - 1 ? ` · part ${part + 1}` : ""}`;
    say(this.#place, this.place);
    // aria-disabled, not disabled: a disabled button would lose the keyboard focus.
    this.#back.setAttribute("aria-disabled", String(row === 0 && (parts === 1 || part === 0)));
    this.#forth.setAttribute("aria-disabled", String(this.atEnd));
  }

  /**
   * Handles arrow keys, Home, End and the space bar. Returns true if the key was used.
   * @param {KeyboardEvent} event @param {boolean} rtl
   */
  key(event, rtl) {
    if (isTyped(event)) return false;
    const target = /** @type {Element} */ (event.target);
    const action = KEYS.result[(rtl && MIRRORED[event.key]) || event.key];
    const own = target.matches("button, summary") ? ["play"] : (OWN[target.id] ?? []);
    if (own.includes(action ?? "") || (target === this.#slider && !this.#fine && action !== "play"))
      return false;
    if (action === "play") this.toggle();
    else if (action === "below") this.to(this.row + 1);
    else if (action === "above") this.to(this.row - 1);
    else if (action === "forward") this.by(1);
    else if (action === "back") this.by(-1);
    else if (action === "first") this.to(0);
    else if (action === "last") this.to(Infinity);
    else if (action === "choose" && target.matches("[data-row]"))
      this.to(Number(target.getAttribute("data-row")));
    else return false;
    return true;
  }
}
