/** The path of glimpses on the page: picture, squares, patches and belief. */

/** @import {GlimpseScene, GlimpseSettings, GlimpseTrace, Palette} from "../../core/types" */
/** @import {RowState, ViewWiring} from "../types" */
/** @import {PathShapes} from "./model.js" */

import { inOrder } from "../../core/kinds/glimpses.js";
import { Bars } from "../../draw/bars.js";
import { element, say, svg } from "../../draw/dom.js";
import { lineUntil, pathShapes } from "./model.js";
import { Patches } from "./patches.js";

/** Radius of a dot, and of the room around it that can be pressed, in hundredths of the picture. */
const DOT = 1.6;
const PRESSED = 5;

/** The shapes of one glimpse. @typedef {{squares: SVGRectElement[], dot: SVGGElement}} Mark */

export class View {
  #figure = element("figure", { class: "path-picture" });
  #patches = new Patches();
  #bars = new Bars();
  #saw = element("h3", { class: "line-name" });
  #believes = element("h3", { class: "line-name" });
  #none = element(
    "p",
    { class: "note", hidden: true },
    "This trace was saved without what each glimpse saw.",
  );
  /** @type {SVGSVGElement | null} */
  #drawing = null;
  #line = svg("polyline", { class: "path-line" });
  /** @type {Mark[]} */
  #marks = [];
  /** @type {PathShapes | null} */
  #shapes = null;
  /** @type {GlimpseScene | null} */
  #scene = null;
  /** @type {Palette | null} */
  #palette = null;

  /** @param {Pick<ViewWiring<GlimpseSettings, GlimpseTrace>, "place" | "select" | "peek">} wiring */
  constructor({ place, select, peek }) {
    place.replaceChildren(
      this.#figure,
      element("section", { class: "path-seen" }, this.#saw, this.#patches.node, this.#none),
      element("section", { class: "path-belief" }, this.#believes, this.#bars.node),
    );
    /** @param {Event} event */
    const rowOf = ({ target }) => {
      const dot = target instanceof Element ? target.closest("[data-row]") : null;
      return dot instanceof SVGElement ? Number(dot.dataset.row) : null;
    };
    this.#figure.addEventListener("click", (event) => {
      const row = rowOf(event);
      if (row !== null) select(row);
    });
    this.#figure.addEventListener("pointerover", (event) => {
      if (event.pointerType === "mouse") peek(rowOf(event));
    });
    this.#figure.addEventListener("pointerleave", () => peek(null));
  }

  /** @param {GlimpseScene} scene @param {{palette: Palette}} how */
  draw(scene, { palette }) {
    document.getElementById("served")?.remove();
    this.#scene = scene;
    this.#palette = palette;
    this.#figure.dataset.theme = palette.name;
    this.#shapes = pathShapes(scene.trace);
    this.#build(scene, this.#shapes);
  }

  /** @param {GlimpseScene} scene @param {PathShapes} shapes */
  #build({ trace: { picture } }, { frame, middles, glimpses, unit }) {
    const drawing = svg("svg", {
      viewBox: `${frame.left} ${frame.top} ${frame.width} ${frame.height}`,
      role: "img",
    });
    const whole = { x: 0, y: 0, width: picture.width, height: picture.height };
    drawing.style.setProperty("--unit", `${unit}px`);
    this.#marks = glimpses.map((boxes, row) => {
      const squares = boxes.map(({ left, top, side }) =>
        svg("rect", { x: left, y: top, width: side, height: side, class: "path-square" }),
      );
      const { x, y } = middles[row];
      const dot = svg("g", { class: "path-dot", "data-row": row });
      dot.append(
        svg("circle", { cx: x, cy: y, r: PRESSED * unit, class: "path-press" }),
        svg("circle", { cx: x, cy: y, r: DOT * unit }),
      );
      return { squares, dot };
    });
    drawing.append(
      svg("image", { ...whole, href: picture.preview, class: "path-image" }),
      svg("rect", { ...whole, class: "path-edge" }),
      this.#line,
      ...this.#marks.flatMap(({ squares }) => squares),
      ...this.#marks.map(({ dot }) => dot),
    );
    this.#drawing = drawing;
    this.#figure.replaceChildren(drawing);
  }

  /** @param {number} row @param {RowState} state */
  at(row, { playing }) {
    const [scene, shapes, palette] = [this.#scene, this.#shapes, this.#palette];
    if (!scene || !shapes || !palette) return;
    const { steps, target } = scene.trace;
    this.#drawing?.setAttribute("aria-label", scene.kind.sentence(scene, row));
    this.#line.setAttribute("points", lineUntil(shapes.middles, row));
    this.#marks.forEach(({ squares, dot }, index) => {
      for (const [scale, square] of squares.entries()) {
        square.toggleAttribute("data-now", index === row);
        square.toggleAttribute("data-finest", scale === 0);
        square.toggleAttribute("data-past", index < row);
      }
      dot.toggleAttribute("data-now", index === row);
      dot.toggleAttribute("data-later", index > row);
      dot.toggleAttribute("data-unwritten", playing && index > row);
    });
    const step = steps[row];
    say(this.#saw, `Glimpse ${row + 1} saw`);
    say(this.#believes, `Belief after glimpse ${row + 1}`);
    this.#none.hidden = Boolean(step?.seen);
    this.#patches.show(step?.seen ?? [], target.glimpses[row] ?? [], palette);
    this.#bars.show(inOrder(step), Number(scene.trace.text));
  }
}
