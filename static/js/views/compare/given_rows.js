/**
 * Edits in the comparison: a row of one model's map is dragged onto a row of another's, or taken and
 * given by presses or keys. What the rows are on screen is that of the kind of card.
 */

/** @import {CellEditor, ShownRow} from "../types" */

import { named } from "../../core/text.js";
import { around, html, set } from "../../draw/dom.js";
import { sceneOfCard, shortName } from "./model.js";

/** A pointer that moves less is only pressed. */
const SLACK = 4;
/** The place of what is dragged, beside the pointer. */
const BESIDE = 12;

/** A row on screen, with its map; null: the model has none. @typedef {ShownRow & {map: HTMLElement | null}} Found */
/** The rows of a card that are marked. @typedef {{chosen: number | null, taken: number | null, aim: number | null}} Marks */

/**
 * The rows of a kind of card.
 * @typedef {object} Rows
 * @property {string} map the element of a card whose rows are given
 * @property {string} region the element around it, in which the keys choose a row
 * @property {string | null} role of this element while no row is given
 * @property {Record<string, number>} moves the arrow keys, with the rows that they go on
 * @property {(at: {target: EventTarget | null, clientY: number}) => number | null} below the row at a place on the screen
 * @property {(found: Found) => string} refusal the reason why a row cannot be taken; empty if it can
 * @property {(card: HTMLElement, marks: Marks | null) => void} mark marks rows; null: none is given
 * @property {(found: Found) => HTMLElement} ghost a row as it is painted
 */

export class GivenRows {
  #ended = new AbortController();
  #cards;
  #editor;
  #rows;
  /** The row that is taken, until it is given. @type {ShownRow | null} */
  #taken = null;
  /** The row below what is dragged. @type {Found | null} */
  #aim = null;
  /** The rows that the keys have chosen, by the id of their model. @type {Map<string, number>} */
  #chosen = new Map();
  /** @type {{id: number, x: number, y: number, found: Found, ghost: HTMLElement | null} | null} */
  #held = null;
  #watch = new MutationObserver(() => this.#mark());

  /** @param {CellEditor} editor @param {HTMLElement} place @param {Rows} rows */
  constructor(editor, place, rows) {
    const { signal } = this.#ended;
    this.#editor = editor;
    this.#rows = rows;
    this.#cards = /** @type {HTMLElement} */ (place.querySelector(".cards"));
    this.#cards.toggleAttribute("data-gives", true);
    /** @type {Record<string, (event: any) => void>} */
    const listeners = {
      pointerdown: (event) => this.#pressed(event),
      pointermove: (event) => this.#moved(event),
      pointerup: (event) => this.#released(event),
      pointercancel: () => this.#drop(),
      keydown: (event) => this.#key(event),
      focusin: () => this.#mark(),
      focusout: () => this.#mark(),
    };
    for (const [name, listener] of Object.entries(listeners))
      this.#cards.addEventListener(name, listener, { signal });
    this.#watch.observe(this.#cards, { childList: true });
    this.#mark();
  }

  draw() {
    this.#mark();
  }

  end() {
    this.#ended.abort();
    this.#watch.disconnect();
    this.#drop();
    this.#taken = null;
    this.#mark();
    this.#cards.toggleAttribute("data-gives", false);
  }

  /** @param {PointerEvent} event */
  #pressed(event) {
    if (this.#held) return this.#drop(); // a second finger scrolls or zooms
    const found = event.button === 0 ? this.#below(event) : null;
    if (!found?.map) return;
    event.preventDefault();
    const region = /** @type {HTMLElement | null} */ (found.map.closest(this.#rows.region));
    region?.focus({ preventScroll: true });
    this.#chosen.set(found.scene.model.id, found.row);
    // A finger on the cells or the photo scrolls; it drags a row by its name.
    const { pointerId: id, clientX: x, clientY: y } = event;
    this.#held = { id, x, y, found, ghost: null };
  }

  /** @param {PointerEvent} event */
  #moved({ pointerId, clientX, clientY }) {
    const held = this.#held;
    if (!held || pointerId !== held.id) return;
    if (!held.ghost) {
      if (Math.hypot(clientX - held.x, clientY - held.y) < SLACK) return;
      if (!this.#take(held.found)) return void (this.#held = null);
      this.#cards.setPointerCapture(pointerId);
      held.ghost = this.#ghost(held.found);
      document.body.append(held.ghost);
    }
    held.ghost.style.translate = `${clientX + BESIDE}px ${clientY + BESIDE}px`;
    const target = document.elementFromPoint(clientX, clientY);
    const below = target && this.#below({ target, clientY });
    this.#aim = below && below.scene.model.id !== held.found.scene.model.id ? below : null;
    this.#mark();
  }

  /** @param {PointerEvent} event */
  #released({ pointerId }) {
    const held = this.#held;
    if (!held || pointerId !== held.id) return;
    const aim = this.#aim;
    this.#drop();
    if (!held.ghost) this.#press(held.found);
    else if (aim) this.#give(aim);
    else this.#letGo();
  }

  /** Ends a drag. */
  #drop() {
    this.#held?.ghost?.remove();
    this.#held = null;
    this.#aim = null;
    this.#mark();
  }

  /** Takes a row, or gives it the one that is taken. @param {Found} found */
  #press(found) {
    const taken = this.#taken;
    if (!taken) return void this.#take(found);
    if (taken.scene.model.id !== found.scene.model.id) return this.#give(found);
    if (taken.row === found.row) this.#letGo();
    else this.#take(found);
  }

  /** @param {Found} found @returns {boolean} false if the map has no weights to take */
  #take(found) {
    const refusal = this.#rows.refusal(found);
    if (refusal) {
      this.#editor.say(refusal);
      return false;
    }
    const { scene, row } = found;
    this.#taken = { scene, row };
    this.#mark();
    this.#editor.say(
      `${rowName(this.#taken)}, is taken. Choose a row of another map to give it to.`,
    );
    return true;
  }

  #letGo() {
    if (this.#taken) this.#editor.say("No row is taken.");
    this.#taken = null;
    this.#mark();
  }

  /** @param {ShownRow} to */
  #give({ scene, row }) {
    const from = this.#taken;
    if (!from) return;
    this.#taken = null;
    this.#mark();
    const models = [...this.#cards.children].map((card) => card.getAttribute("data-model") ?? "");
    if (this.#editor.give(from, { scene, row }, models))
      this.#editor.say(
        `At ${nameOf({ scene, row })}, “${shortName(scene.model)}” looks where “${shortName(from.scene.model)}” looked at ${nameOf(from)}.`,
      );
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const card = around(event, ".card");
    const scene = card && sceneOfCard.get(card);
    const map = card && this.#mapOf(card);
    if (!scene || !map) return;
    const { id } = scene.model;
    const row = this.#rowOf(scene);
    const way = this.#rows.moves[event.key];
    if (way) {
      const next = Math.min(Math.max(row + way, 0), itemsOf(scene).length - 1);
      this.#chosen.set(id, next);
      this.#mark();
      this.#editor.say(`${rowName({ scene, row: next })}.`);
    } else if (event.key === "Enter" || event.key === " ") this.#press({ scene, row, map });
    else if (event.key === "Escape" && this.#taken) this.#letGo();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The row that the keys have chosen. @param {ShownRow["scene"]} scene */
  #rowOf(scene) {
    return Math.min(this.#chosen.get(scene.model.id) ?? 0, itemsOf(scene).length - 1);
  }

  /** @param {Element} card @returns {HTMLElement | null} */
  #mapOf(card) {
    return card.querySelector(this.#rows.map);
  }

  /** The row at a place on the screen; of a model without a map its card. @param {{target: EventTarget | null, clientY: number}} at @returns {Found | null} */
  #below({ target, clientY }) {
    const card = around({ target }, ".card");
    const scene = card && sceneOfCard.get(card);
    if (!scene) return null;
    const map = this.#mapOf(card);
    if (!map) return { scene, row: 0, map: null };
    const row = this.#rows.below({ target, clientY });
    return row === null ? null : { scene, row, map };
  }

  /** A row below the pointer that drags it. @param {Found} found */
  #ghost(found) {
    return html.div(
      { class: "row-ghost", "aria-hidden": "true" },
      html.span(nameOf(found)),
      this.#rows.ghost(found),
    );
  }

  /** Marks the rows that are taken, chosen, and below what is dragged. */
  #mark() {
    const active = !this.#ended.signal.aborted;
    if (this.#taken && !this.#isShown(this.#taken)) this.#taken = null;
    for (const each of this.#cards.children) {
      const card = /** @type {HTMLElement} */ (each);
      const scene = sceneOfCard.get(card);
      const region = /** @type {HTMLElement | null | undefined} */ (
        this.#mapOf(card)?.closest(this.#rows.region)
      );
      if (!region || !scene) continue;
      const own = (/** @type {ShownRow | null} */ shown) =>
        shown?.scene.model.id === scene.model.id ? shown.row : null;
      const marks = { chosen: this.#rowOf(scene), taken: own(this.#taken), aim: own(this.#aim) };
      set(region, "role", active ? "application" : this.#rows.role);
      set(region, "aria-describedby", active ? "edit-help" : null);
      this.#rows.mark(card, active ? marks : null);
    }
  }

  /** False for a row of an input that is no longer on screen. @param {ShownRow} shown */
  #isShown({ scene }) {
    const scenes = [...this.#cards.children].flatMap((card) => sceneOfCard.get(card) ?? []);
    return scenes.every((each) => inputOf(each) === inputOf(scene));
  }
}

/** @param {ShownRow["scene"]} scene */
const itemsOf = (scene) => ("view" in scene ? scene.view.rows : scene.rows);

/** The sentence, or the photo. @param {ShownRow["scene"]} scene */
const inputOf = (scene) =>
  "view" in scene ? scene.trace.source.text : scene.trace.picture.preview;

/** @param {ShownRow} shown */
const nameOf = ({ scene, row }) => named(itemsOf(scene)[row]);

/** @param {ShownRow} shown */
const rowName = (shown) =>
  `Row ${shown.row + 1} of “${shortName(shown.scene.model)}”, ${nameOf(shown)}`;
