/** Edits in the comparison: a row of one model's map is dragged onto a row of another's, or taken and given by presses or keys. */

/** @import {Scene} from "../../core/types" */
/** @import {CellEditor, ShownRow} from "../types" */

import { named } from "../../core/text.js";
import { around, html, set } from "../../draw/dom.js";
import { sceneOfCard } from "./cards.js";
import { shortName } from "./model.js";
import { viewOf } from "./small_map.js";

/** A pointer that moves less is only pressed. */
const SLACK = 4;
/** The place of what is dragged, beside the pointer. */
const BESIDE = 12;
const DIFFERENCES = "The maps show differences. Choose “weights” to give a row.";

/** A row on screen, with its map. @typedef {ShownRow & {map: HTMLElement | null}} Found */

export class Edit {
  #ended = new AbortController();
  #cards;
  #editor;
  /** The row that is taken, until it is given. @type {ShownRow | null} */
  #taken = null;
  /** The row below what is dragged. @type {Found | null} */
  #aim = null;
  /** The rows that the keys have chosen, by the id of their model. @type {Map<string, number>} */
  #chosen = new Map();
  /** @type {{id: number, x: number, y: number, found: Found, ghost: HTMLElement | null} | null} */
  #held = null;
  #watch = new MutationObserver(() => this.#mark());

  /** @param {CellEditor} editor @param {HTMLElement} place */
  constructor(editor, place) {
    const { signal } = this.#ended;
    this.#editor = editor;
    this.#cards = /** @type {HTMLElement} */ (place.querySelector(".cards"));
    this.#cards.toggleAttribute("data-gives", true);
    /** @type {Record<string, (event: any) => void>} */
    const listeners = {
      pointerdown: (event) => this.#pressed(event),
      pointermove: (event) => this.#moved(event),
      pointerup: (event) => this.#released(event),
      pointercancel: () => this.#drop(),
      keydown: (event) => this.#key(event),
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
    const found = event.button === 0 ? rowBelow(event) : null;
    if (!found?.map) return;
    event.preventDefault();
    /** @type {HTMLElement | null} */ (found.map.closest(".small-box"))?.focus({
      preventScroll: true,
    });
    this.#chosen.set(found.scene.model.id, found.row);
    // A finger on the cells scrolls; it drags a row by its name.
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
      held.ghost = ghostOf(held.found);
      document.body.append(held.ghost);
    }
    held.ghost.style.translate = `${clientX + BESIDE}px ${clientY + BESIDE}px`;
    const target = document.elementFromPoint(clientX, clientY);
    const below = target && rowBelow({ target, clientY });
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
  #take({ scene, row, map }) {
    if (map && viewOf.get(map) !== scene.view) {
      this.#editor.say(DIFFERENCES);
      return false;
    }
    this.#taken = { scene, row };
    this.#mark();
    this.#editor.say(
      `${rowName(this.#taken)} is taken. Choose a row of another map to give it to.`,
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
        `At ${named(scene.view.rows[row])}, “${shortName(scene.model)}” looks where “${shortName(from.scene.model)}” looked at ${named(from.scene.view.rows[from.row])}.`,
      );
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const card = around(event, ".card");
    const scene = card && sceneOfCard.get(card);
    const map = /** @type {HTMLElement | null} */ (card?.querySelector(".map-grid") ?? null);
    if (!scene || !map) return;
    const { id } = scene.model;
    const row = this.#rowOf(scene);
    const way = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (way) {
      const next = Math.min(Math.max(row + way, 0), scene.view.rows.length - 1);
      this.#chosen.set(id, next);
      this.#mark();
      this.#editor.say(rowName({ scene, row: next }));
    } else if (event.key === "Enter" || event.key === " ") this.#press({ scene, row, map });
    else if (event.key === "Escape" && this.#taken) this.#letGo();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The row that the keys have chosen. @param {Scene} scene */
  #rowOf({ model, view }) {
    return Math.min(this.#chosen.get(model.id) ?? 0, view.rows.length - 1);
  }

  /** Marks the rows that are taken, chosen, and below what is dragged. */
  #mark() {
    const active = !this.#ended.signal.aborted;
    if (this.#taken && !this.#isShown(this.#taken)) this.#taken = null;
    for (const card of this.#cards.children) {
      const map = card.querySelector(".map-grid");
      const scene = sceneOfCard.get(card);
      if (!map || !scene) continue;
      const own = (/** @type {ShownRow | null} */ shown) =>
        shown?.scene.model.id === scene.model.id ? shown.row : null;
      const marks = { chosen: this.#rowOf(scene), taken: own(this.#taken), aim: own(this.#aim) };
      map.querySelectorAll(".row-mark").forEach((mark) => mark.remove());
      const region = map.parentElement;
      if (region) set(region, "role", active ? "application" : "region");
      if (region) set(region, "aria-describedby", active ? "edit-help" : null);
      if (!active) continue;
      for (const [name, row] of Object.entries(marks))
        if (row !== null)
          map.append(html.div({ class: "row-mark", "data-mark": name, "--at": row }));
    }
  }

  /** False for a row of an input that is no longer on screen. @param {ShownRow} shown */
  #isShown({ scene }) {
    const scenes = [...this.#cards.children].flatMap((card) => sceneOfCard.get(card) ?? []);
    return scenes.every(({ trace }) => trace.source.text === scene.trace.source.text);
  }
}

/** The row at a place on the screen; of a model without a map its card. @param {{target: EventTarget | null, clientY: number}} at @returns {Found | null} */
function rowBelow({ target, clientY }) {
  const card = around({ target }, ".card");
  const scene = card && sceneOfCard.get(card);
  if (!scene) return null;
  const map = /** @type {HTMLElement | null} */ (around({ target }, ".map-grid"));
  if (!map) return card.querySelector(".map-grid") ? null : { scene, row: 0, map: null };
  const frame = map.querySelector(".plot-frame")?.getBoundingClientRect();
  const count = scene.view.rows.length;
  const row = frame ? Math.floor(((clientY - frame.top) / frame.height) * count) : -1;
  return row >= 0 && row < count ? { scene, row, map } : null;
}

/** @param {ShownRow} shown */
const rowName = ({ scene, row }) =>
  `Row ${row + 1} of “${shortName(scene.model)}”, ${named(scene.view.rows[row])},`;

/** The row, as it is painted, below the pointer that drags it. @param {Found} found */
function ghostOf({ scene, row, map }) {
  const painted = map?.querySelector("canvas");
  const width = scene.view.columns.length;
  const copy = html.canvas({ class: "pixels", width, height: 1 });
  if (painted) copy.getContext("2d")?.drawImage(painted, 0, row, width, 1, 0, 0, width, 1);
  copy.style.width = `${painted?.clientWidth ?? 0}px`;
  return html.div(
    { class: "row-ghost", "aria-hidden": "true" },
    html.span(named(scene.view.rows[row])),
    copy,
  );
}
