/** The audit of a text: the attention beside the effect of each cell, and every figure beside its baseline. */

/** @import {Audit} from "../../core/wire" */
/** @import {View as MapView, Palette, Scene, Settings, Trace} from "../../core/types" */
/** @import {ViewWiring} from "../types" */

import { differenceOf, heatmapOf } from "../../core/heatmap.js";
import { html } from "../../draw/dom.js";
import { Tooltip } from "../../draw/tooltip.js";
import { highlight, pointedAt } from "../compare/linked_words.js";
import { smallMap } from "../compare/small_map.js";
import { csvOf, mapOf, mapsOf } from "./model.js";
import { Report } from "./report.js";
import { auditBody, auditOfText } from "./request.js";
import { valueMaps } from "./values.js";

/** The size of a cell: both maps stand side by side. */
const CELL = { wide: 28, narrow: 18 };
const FEW = 10;

export class View {
  #report;
  #tooltip = new Tooltip();

  /** @param {Pick<ViewWiring<Settings, Trace>, "place" | "request">} wiring */
  constructor({ place, request }) {
    this.#report = new Report(place, Boolean(request));
    const { maps } = this.#report;
    maps.addEventListener("pointerover", (event) => this.#point(event));
    maps.addEventListener("pointermove", (event) => this.#point(event));
    maps.addEventListener("pointerleave", () => this.#leave());
  }

  /** @param {Scene} scene @param {{palette: Palette}} how */
  draw(scene, { palette }) {
    const { trace } = scene;
    this.#report.draw(
      {
        ...scene,
        edited: Boolean(trace.request.edits?.length),
        key: (choices) => JSON.stringify(auditBody(trace, choices)),
        run: (choices, signal, progress) => auditOfText(trace, choices, signal, progress),
        drawn: (audit) => this.#draw(audit, palette),
        csv: csvOf,
      },
      palette,
    );
  }

  /** Stops the audit of the trace before. */
  forget() {
    this.#report.forget();
  }

  get companions() {
    return { models: [], answers: [], drawn: this.#report.audit };
  }

  /** @param {Audit} audit @param {Palette} palette */
  #draw(audit, palette) {
    const { maps } = this.#report;
    maps.replaceChildren(...drawnMaps(audit, palette));
    const cell = audit.attention[0].length > FEW ? CELL.narrow : CELL.wide;
    maps.style.setProperty("--audit-cell", `${cell}px`);
  }

  /** @param {PointerEvent} event */
  #point(event) {
    const pointed = pointedAt(event);
    highlight(this.#report.maps, pointed);
    const { view, row, column } = pointed;
    if (!view?.weights || row === null || column === null) return this.#tooltip.hide();
    this.#tooltip.show(view, row, column, new DOMRect(event.clientX, event.clientY - 4, 0, 8));
  }

  #leave() {
    this.#tooltip.hide();
    highlight(this.#report.maps, { view: null, row: null, column: null, key: null });
  }
}

/** The attention, the effects, and the maps that count the values. @param {Audit} audit @param {Palette} palette */
function drawnMaps(audit, palette) {
  const heatOf = (/** @type {MapView} */ { weights }) =>
    heatmapOf(weights ?? [], { scale: "whole", log: false, palette }).colourAt;
  const { attention, effect } = mapsOf(audit);
  const costs = differenceOf(effect.weights ?? [], palette, () => true, 0.1);
  return [
    figure("Attention", "where it looks", attention, heatOf(attention)),
    figure(
      "Effect",
      `bits lost without the cell, up to ${costs.most.toFixed(1)}; brown: likelier without it`,
      effect,
      costs.colourAt,
    ),
    ...valueMaps(audit).map(({ name, says, numbers, symbol }) => {
      const view = mapOf(audit, numbers, symbol);
      return figure(name, `${says}, up to ${mostOf(view).toFixed(2)}`, view, heatOf(view));
    }),
  ];
}

/** @param {string} name @param {string} says @param {MapView} view @param {(row: number, column: number) => string} shade */
const figure = (name, says, view, shade) =>
  html.figure(html.figcaption(html.b(name), ` ${says}`), smallMap(view, `${name}, ${says}`, shade));

/** @param {MapView} view */
const mostOf = ({ weights }) => Math.max(0, ...(weights ?? []).flat());
