/** The display options of a photo's map: style, opacity, smoothing, map, layer, head, hypothesis. Menus with one option are hidden. */

/** @import {MapKind, PatchScene, PictureScene, PictureSettings, Scale, Style} from "../core/types" */
/** @import {PartWiring} from "./types" */

import { topOf } from "../core/grid_scene.js";
import { css, painterOf } from "../core/photo_colours.js";
import { box, byId, slide } from "../draw/dom.js";
import { check, offer, offerHypotheses, onRadio, onSlide } from "./fields.js";
import { HeadMenus } from "./head_menus.js";

/** @type {Partial<Record<MapKind, string>>} */
const MAPS = { cross: "attention weights", drawn: "cells drawn" };
/** @typedef {Pick<PictureSettings, "style" | "scale" | "pick" | "step" | "opacity" | "smoothing" | "map" | "layer" | "head" | "pool">} Options */

export class PhotoChoices {
  #opacity = byId("opacity", HTMLInputElement);
  #smoothing = byId("smoothing", HTMLInputElement);
  /** A page of patches has one kind of map, and one output. */
  #map = /** @type {HTMLSelectElement | null} */ (document.getElementById("map-kind"));
  #heads;

  /** @param {Pick<PartWiring<Options>, "change">} wiring */
  constructor({ change }) {
    this.#heads = new HeadMenus({ change });
    onRadio("style", (value) => change({ style: /** @type {Style} */ (value) }));
    onRadio("scale", (value) => change({ scale: /** @type {Scale} */ (value) }));
    onSlide(this.#opacity, (opacity, how) => change({ opacity }, how));
    onSlide(this.#smoothing, (smoothing, how) => change({ smoothing }, how));
    const map = this.#map;
    if (!map) return;
    onRadio("hypotheses", (value) => change({ pick: Number(value), step: 0 }));
    map.addEventListener("change", () => change({ map: /** @type {MapKind} */ (map.value) }));
  }

  /** @param {PictureScene | PatchScene} scene */
  draw(scene) {
    const { picked, trace, pick, style, scale, opacity, smoothing } = scene;
    box("stage").dataset.style = style;
    check("style", style);
    check("scale", scale);
    for (const [slider, share] of /** @type {const} */ ([
      [this.#opacity, opacity],
      [this.#smoothing, smoothing],
    ])) {
      slide(slider, Math.round(share * 100), `${Math.round(share * 100)} %`);
    }
    this.#heads.draw(scene);
    if (!this.#map) return;
    offer(this.#map, scene.kinds, picked?.kind, (kind) => MAPS[kind] ?? kind);
    offerHypotheses([trace, ...trace.runners_up], pick);
  }

  /** Draws the colour bar, whose end depends on the row. @param {PictureScene | PatchScene} scene @param {number} row */
  at(scene, row) {
    const paint = painterOf(scene);
    const least = scene.difference ? -1 : 0;
    const stops = Array.from({ length: 9 }, (_, step) =>
      css(paint(least + ((1 - least) * step) / 8)),
    );
    box("bar").style.backgroundImage = `linear-gradient(to right, ${stops.join(", ")})`;
    box("bar").ariaLabel =
      `Colour scale, from ${scene.difference ? "the largest loss" : "0"} to the largest ${scene.difference ? "gain" : "weight"}`;
    box("bar-bottom").textContent = scene.difference ? `−${topOf(scene, row).toFixed(3)}` : "0";
    box("bar-top").textContent = topName(scene) ?? topOf(scene, row).toFixed(3);
  }
}

/** The end of a scale that several maps share, each with a maximum of its own. @param {PictureScene | PatchScene} scene */
function topName({ viewName, scale }) {
  if (viewName === "heads") return "largest of each head";
  return viewName === "sheet" && scale === "row" ? "largest of each word" : null;
}
