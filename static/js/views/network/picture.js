/** The picture of a network on the page: drawn step by step, with parts that show their numbers. */

/** @import {Palette, PictureScene, Scene} from "../../core/types" */
/** @import {RowState} from "../types" */
/** @import {Chain} from "../step/model.js" */
/** @import {How} from "./frame.js" */
/** @import {Network} from "./model.js" */
/** @import {Size} from "./size.js" */

import { html, svg } from "../../draw/dom.js";
import { measure } from "../../draw/headings.js";
import { onScreen } from "../../draw/ink.js";
import { Drawing } from "../../draw/page.js";
import { photoOf } from "../../draw/photo_marks.js";
import { roomBelow } from "../../draw/scrolling.js";
import { printing } from "../../draw/theme.js";
import { Tooltip } from "../../draw/tooltip.js";
import { Sight } from "../../draw/visibility.js";
import { NumbersCard } from "./card.js";
import { drawNetwork } from "./draw.js";
import { Moves } from "./moves.js";
import { scaled, sizeFor } from "./size.js";
import { Kept } from "../../draw/kept.js";
import { networkOf } from "./model.js";
import { nameOf, numbersOf, sentenceOf } from "./numbers.js";
import { Roving } from "./roving.js";

/** Text is measured in the size of the headings of the map. */
const MEASURED = 14;
const BOLD = 1.07;

let count = 0;

/** @typedef {Scene | PictureScene} Drawn */

export class NetworkPicture {
  #stepOf;
  #select;
  #room;
  #name = `network-${++count}`;
  #title = svg("title", { id: `${this.#name}-title` });
  #about = svg("desc", { id: `${this.#name}-about` });
  #picture = new Drawing(
    {
      role: "group",
      "aria-labelledby": `${this.#name}-title`,
      "aria-describedby": `${this.#name}-about`,
    },
    this.#title,
    this.#about,
  );
  #scroll = html.div({ class: "network-scroll" }, this.#picture.node);
  #moves = new Moves(this.#picture.node);
  #card = new NumbersCard(() => this.#close());
  #roving = new Roving(this.#picture.node);
  #tooltip = new Tooltip();
  #kept = new Kept();
  /** Widths of texts. @type {Map<string, number>} */
  #widths = new Map();
  #sight = new Sight(() => this.#request());
  /** The request of the frame in which it is drawn. */
  #frame = 0;
  /** @type {Drawn | null} */
  #scene = null;
  /** @type {Palette | null} */
  #palette = null;
  /** @type {{row: number, part: number, playing: boolean, known: boolean} | null} */
  #wanted = null;
  /** False while the word of the step is not named. */
  #known = true;
  /** The values that the drawing on the page was made of. @type {unknown[]} */
  #drawn = [];
  /** @type {Network | null} */
  #network = null;
  #focus = 0;
  /** That of the scene and the room it was computed for. @type {{of: unknown[], size: Size} | null} */
  #size = null;
  /** The part whose numbers are shown. @type {string | null} */
  #pressed = null;

  node = html.div({ class: "network" }, this.#scroll, this.#card.node);

  /**
   * @param {{stepOf: (scene: any, row: number) => Chain, select: (row: number) => void, room?: () => number}} wiring `room`: the height beside another view
   */
  constructor({ stepOf, select, room }) {
    this.#stepOf = stepOf;
    this.#select = select;
    this.#room = room;
    this.#sight.watch([this.node]);
    this.#picture.node.addEventListener("click", ({ target }) => this.#press(partAt(target)));
    this.#picture.node.addEventListener("pointerover", (event) => {
      if (event.pointerType === "mouse") this.#hint(partAt(event.target), event);
    });
    this.#picture.node.addEventListener("pointerleave", () => this.#tooltip.hide());
    this.node.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {Drawn} scene @param {Palette} palette */
  draw(scene, palette) {
    this.#scene = scene;
    if (palette !== this.#palette) this.#kept.forget();
    this.#palette = palette;
    this.#tooltip.hide();
  }

  /** The motion of a part of the step that is drawn. @param {string} part */
  moves(part) {
    const [network, palette] = [this.#network, this.#palette];
    const seen = this.#sight.holds(this.node);
    return network && palette && seen ? this.#moves.of(part, network, onScreen(palette)) : [];
  }

  forget() {
    this.#moves.clear();
    this.#scene = null;
    this.#drawn = [];
    this.#kept.forget();
    this.#widths.clear();
    this.#close();
  }

  /**
   * Shows a step in the next frame, and the first step of a trace at once, so that what is below
   * the picture does not move.
   * @param {number} row @param {RowState} state
   */
  at(row, { part, playing, known }) {
    this.#wanted = { row, part, playing, known };
    if (!this.#drawn.length || printing()) this.#show();
    else this.#request();
  }

  /** Draws in the next frame, unless it is out of sight. */
  #request() {
    if (!this.#frame && this.#sight.holds(this.node))
      this.#frame = requestAnimationFrame(() => this.#show());
  }

  /** Draws what is wanted, if it is not what is drawn. */
  #show() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const [scene, palette, wanted] = [this.#scene, this.#palette, this.#wanted];
    if (!scene || !palette || !wanted) return;
    const { row, part, playing, known } = wanted;
    const room = Math.floor(this.#scroll.clientWidth - 2);
    if (room <= 0) return; // hidden
    const facts = [scene, palette, row, part, playing, known, room];
    if (facts.every((fact, index) => fact === this.#drawn[index])) return;
    if (known !== this.#known) this.#kept.forget(); // their names may have another word
    this.#known = known;
    this.#drawn = facts;
    const network = networkOf(scene, row, this.#stepOf(scene, row));
    // A word that is still computed or guessed is not named, nor are those after it.
    this.#network = known ? network : { ...network, target: network.target.slice(0, row) };
    /** @type {How} */
    const how = {
      named: this.#network,
      room,
      measure: (text, { size, bold }) => (this.#wide(text) * size * (bold ? BOLD : 1)) / MEASURED,
      keep: (key, facts, make) => this.#kept.get(key, facts, make),
      look: onScreen(palette),
      part,
      playing,
      small: this.#room !== undefined,
      photo: network.seen ? photoOf(network.seen.picture.preview) : undefined,
    };
    const { scale, ...layout } = this.#sizeOf(network, how, scene);
    const picture = drawNetwork(network, scaled({ ...how, ...layout }, scale));
    const { width, height, marks, focus } = picture;
    this.#picture.set({
      width: Math.round(width * scale),
      height: Math.round(height * scale),
      viewBox: `0 0 ${width} ${height}`,
      "data-kind": network.kind,
      "data-row": row,
    });
    this.#picture.node.style.setProperty("--scale", scale.toFixed(3));
    this.#title.textContent = `The network of the model in step ${row + 1}`;
    this.#about.textContent = known ? sentenceOf(network) : `Step ${row + 1} is computed.`;
    this.#picture.show(marks);
    this.#roving.update();
    this.#focus = focus * scale;
    if (width * scale > room) this.#follow(this.#focus);
    if (this.#pressed) this.#tell(this.#pressed);
  }

  /** @param {Network} network @param {How} how @param {unknown} scene */
  #sizeOf(network, how, scene) {
    const of = [scene, how.room, how.small];
    if (!this.#size || of.some((fact, index) => fact !== this.#size?.of[index])) {
      this.#kept.forget(); // their texts may have another size
      this.#size = { of, size: sizeFor(network, how, this.#high) };
    }
    return this.#size.size;
  }

  /** The height for it on the first screen. */
  get #high() {
    return Math.min(roomBelow(this.node), this.#room?.() ?? Infinity);
  }

  /** @param {string} text */
  #wide(text) {
    const width = this.#widths.get(text) ?? measure(text);
    this.#widths.set(text, width);
    return width;
  }

  /** Scrolls the picture, which is wider than its room, never the page. @param {number} x */
  #follow(x) {
    this.#scroll.scrollLeft = x - this.#scroll.clientWidth / 2;
  }

  /** @param {SVGElement | null} part */
  #press(part) {
    const id = part?.dataset.part;
    if (!part || !id) return this.#close();
    this.#tooltip.hide();
    this.#roving.to(part);
    if (part.dataset.row !== undefined && this.#network && this.#network.step >= 0)
      this.#select(Number(part.dataset.row));
    this.#show();
    if (this.#pressed === id && part.dataset.row === undefined) return this.#close();
    this.#tell(id);
  }

  /** @param {string} id */
  #tell(id) {
    const numbers = this.#network && numbersOf(this.#network, id);
    const part = this.#roving.find(id);
    if (!numbers || !part || !this.#network) return this.#close();
    this.#mark(part);
    this.#pressed = id;
    const focus = this.#focus - this.#scroll.scrollLeft;
    this.#card.show(numbers, this.#network.written, part, this.node, focus);
  }

  /** @param {SVGElement | null} part */
  #mark(part) {
    for (const other of this.#picture.node.querySelectorAll("[data-pressed]"))
      if (other !== part) other.removeAttribute("data-pressed");
    part?.setAttribute("data-pressed", "");
  }

  #close() {
    this.#pressed = null;
    this.#mark(null);
    this.#card.hide();
  }

  /** @param {SVGElement | null} part @param {PointerEvent} event */
  #hint(part, { clientX, clientY }) {
    const id = part?.dataset.part;
    if (!id || !this.#network || id === this.#pressed) return this.#tooltip.hide();
    this.#tooltip.explain(nameOf(this.#network, id), new DOMRect(clientX, clientY - 6, 0, 12));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && this.#pressed) {
      const part = this.#roving.find(this.#pressed);
      this.#close();
      part?.focus();
    } else {
      const part = partAt(event.target);
      if (!part) return;
      if (event.key === "Enter" || event.key === " ") this.#press(part);
      else if (!this.#roving.key(event.key, part)) return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

/** @param {EventTarget | null} target */
function partAt(target) {
  const found = target instanceof Element ? target.closest("[data-part]") : null;
  return found instanceof SVGElement ? found : null;
}
