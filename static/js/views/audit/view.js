/** The audit of a text: the attention beside the effect of each cell, and every figure beside its baseline. */

/** @import {Audit, Contrast} from "../../core/wire" */
/** @import {View as MapView, Palette, Scene, Settings, Trace} from "../../core/types" */
/** @import {RowState, ViewWiring} from "../types" */

import { differenceOf, heatmapOf } from "../../core/heatmap.js";
import { html } from "../../draw/dom.js";
import { Tooltip } from "../../draw/tooltip.js";
import { highlight, pointedAt } from "../compare/linked_words.js";
import { fit } from "../compare/fit.js";
import { smallMap } from "../compare/small_map.js";
import { contrastView } from "./contrast_model.js";
import { csvOf, effectMaps, mapOf } from "./model.js";
import { Report } from "./report.js";
import { auditBody, auditOfText } from "./request.js";
import { valueMaps } from "./values.js";

export class View {
  #report;
  #tooltip = new Tooltip();
  #change;
  /** The rows of the scene. @type {Scene["rows"]} */
  #rows = [];
  /** The place of the first token that was written, on an axis that begins with a prompt. */
  #first = 0;

  /** @param {Pick<ViewWiring<Settings, Trace>, "place" | "request" | "change" | "audits">} wiring */
  constructor({ place, request, change, audits = [] }) {
    this.#change = change;
    this.#report = new Report(place, request ? null : audits);
    const { maps } = this.#report;
    maps.addEventListener("pointerover", (event) => this.#point(event));
    maps.addEventListener("pointermove", (event) => this.#point(event));
    maps.addEventListener("pointerleave", () => this.#leave());
    new ResizeObserver(() => requestAnimationFrame(() => fit(maps))).observe(place);
  }

  /** @param {Scene} scene @param {{settings: Settings, palette: Palette}} how */
  draw(scene, { settings, palette }) {
    const { trace } = scene;
    this.#rows = scene.rows;
    this.#first = (scene.view.rowAxis === "source" && trace.source.written) || 0;
    this.#report.draw(
      {
        ...scene,
        output: trace,
        settings,
        change: this.#change,
        cells: false,
        edited: Boolean(trace.request.edits?.length),
        token: this.#token(scene.row),
        key: (choices) => JSON.stringify(auditBody(trace, choices)),
        call: async (choices) => auditOfText(trace, choices),
        drawn: (audit) => this.#draw(audit, palette, settings.take === "word"),
        contrast: (contrast) => [contrastMap(contrast, palette)],
        csv: csvOf,
      },
      palette,
    );
  }

  /** @param {number} row @param {RowState} state */
  at(row, { peeking }) {
    if (!peeking) this.#report.at(this.#token(row));
  }

  /** The first token of a row, among those of the output: a prompt counts as the first. @param {number} row */
  #token(row) {
    return Math.max((this.#rows[row]?.tokens[0] ?? 0) - this.#first, 0);
  }

  /** Stops the audit of the trace before. */
  forget() {
    this.#report.forget();
  }

  get companions() {
    return { models: [], answers: [], drawn: this.#report.audit };
  }

  /** @param {Audit} audit @param {Palette} palette @param {boolean} byWord */
  #draw(audit, palette, byWord) {
    const { maps } = this.#report;
    maps.replaceChildren(...drawnMaps(audit, palette, byWord));
    fit(maps);
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

/**
 * The attention, the effects, and the maps that count the values.
 * @param {Audit} audit @param {Palette} palette @param {boolean} byWord true for the effects of leaving words out
 */
function drawnMaps(audit, palette, byWord) {
  const heatOf = (/** @type {MapView} */ { weights }) =>
    heatmapOf(weights ?? [], { scale: "whole", log: false, palette }).colourAt;
  const { attention, effect, says } = effectMaps(audit, byWord);
  const costs = differenceOf(effect.weights ?? [], palette, () => true, 0.1);
  return [
    figure("Attention", "where it looks", attention, heatOf(attention)),
    figure(
      "Effect",
      `${says}, up to ${costs.most.toFixed(1)}; brown: likelier without it`,
      effect,
      costs.colourAt,
    ),
    ...valueMaps(audit).map(({ name, says, numbers, symbol }) => {
      const view = mapOf(audit, numbers, symbol);
      return figure(name, `${says}, up to ${mostOf(view).toFixed(2)}`, view, heatOf(view));
    }),
  ];
}

/** The contrast of each key, as a map of one row. @param {Contrast} contrast @param {Palette} palette */
function contrastMap(contrast, palette) {
  const view = contrastView(contrast);
  const shades = differenceOf(view.weights ?? [], palette, () => true, 0.1);
  const says = `bits for “${contrast.word}”, up to ${shades.most.toFixed(1)}; brown: for “${contrast.other}”`;
  return figure("Contrast", says, view, shades.colourAt);
}

/** @param {string} name @param {string} says @param {MapView} view @param {(row: number, column: number) => string} shade */
const figure = (name, says, view, shade) =>
  html.figure(html.figcaption(html.b(name), ` ${says}`), smallMap(view, `${name}, ${says}`, shade));

/** @param {MapView} view */
const mostOf = ({ weights }) => Math.max(0, ...(weights ?? []).flat());
