/** The path of glimpses on the page: picture, squares, patches and belief. */

/** @import {GlimpseScene, GlimpseSettings, GlimpseTrace, Palette} from "../../core/types" */
/** @import {RowState, ViewWiring} from "../types" */

import { inOrder } from "../../core/kinds/glimpses.js";
import { Bars } from "../../draw/bars.js";
import { html, say } from "../../draw/dom.js";
import { onScreen } from "../../draw/ink.js";
import { Drawing } from "../../draw/page.js";
import { followRows } from "../../draw/rows.js";
import { pathMarks } from "./marks.js";
import { pathShapes } from "./model.js";
import { Patches } from "./patches.js";

export class View {
  #picture = new Drawing({ role: "img" });
  #figure = html.figure({ class: "path-picture" }, this.#picture.node);
  #patches = new Patches();
  #bars = new Bars();
  #saw = html.h3({ class: "line-name" });
  #believes = html.h3({ class: "line-name" });
  #none = html.p(
    { class: "note", hidden: true },
    "This trace was saved without what each glimpse saw.",
  );
  /** @type {GlimpseScene | null} */
  #scene = null;
  /** @type {Palette | null} */
  #palette = null;

  /** @param {Pick<ViewWiring<GlimpseSettings, GlimpseTrace>, "place" | "select" | "peek">} wiring */
  constructor({ place, select, peek }) {
    place.replaceChildren(this.#figure);
    (document.getElementById("path-side") ?? place).append(
      html.section({ class: "path-seen" }, this.#saw, this.#patches.node, this.#none),
      html.section({ class: "path-belief" }, this.#believes, this.#bars.node),
    );
    followRows(this.#figure, { select, peek });
  }

  /** @param {GlimpseScene} scene @param {{palette: Palette}} how */
  draw(scene, { palette }) {
    document.getElementById("served")?.remove();
    this.#scene = scene;
    this.#palette = palette;
    this.#figure.dataset.theme = palette.name;
    document.getElementById("pad")?.removeAttribute("data-drawn");
    const { frame, unit } = pathShapes(scene.trace);
    const { left, top, width, height } = frame;
    this.#picture.set({ viewBox: `${left} ${top} ${width} ${height}` });
    this.#picture.node.style.setProperty("--unit", `${unit}px`);
  }

  /** @param {number} row @param {RowState} state */
  at(row, { playing, known }) {
    const [scene, palette] = [this.#scene, this.#palette];
    if (!scene || !palette) return;
    const { steps, target } = scene.trace;
    const name = known ? scene.kind.sentence(scene, row) : `Glimpse ${row + 1}`;
    this.#picture.set({ "aria-label": name });
    this.#picture.show(pathMarks(scene.trace, { row, playing, look: onScreen(palette) }));
    const step = steps[row];
    say(this.#saw, `Glimpse ${row + 1} saw`);
    say(this.#believes, `Belief after glimpse ${row + 1}`);
    this.#none.hidden = Boolean(step?.seen);
    this.#patches.show(step?.seen ?? [], target.glimpses[row] ?? [], palette);
    this.#bars.show(inOrder(step), Number(scene.trace.text));
  }
}
