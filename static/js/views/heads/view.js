/** All heads of all layers at once, each as a small map; pressing one opens it. */

/** @import {AttentionMap, Palette, Scene, Settings, Trace} from "../../core/types" */
/** @import {ViewWiring} from "../types" */
/** @import {Head} from "./heads_grid.js" */
/** @import {Link} from "../../core/links.js" */
/** @import {Pair} from "./pairs_file.js" */

import { ApiError } from "../../core/api.js";
import { heatmapOf } from "../../core/heatmap.js";
import { parseLinks } from "../../core/links.js";
import { direction } from "../../core/text.js";
import { viewOf } from "../../core/trace.js";
import { html } from "../../draw/dom.js";
import { pixels } from "../../draw/pixels.js";
import { mapGrid } from "../compare/small_map.js";
import { HeadFigures } from "./figures.js";
import { HeadsGrid } from "./heads_grid.js";
import { MEASURES, figureText, ordered } from "./model.js";
import { OrderChoice } from "./order.js";
import { loadThumbnails, reducedOf } from "./thumbnails.js";

/** Cells may be so much wider than high. */
const STRETCH = 1.8;
/** An enlarged map with more rows or columns has no room for their words. */
const MOST_WORDS = 16;

/** @typedef {{scene: Scene, settings: Settings, palette: Palette, links: Link[] | null}} Now */
/**
 * @typedef {{model: string, kind: string, links: string | null, figures: HeadFigures, count: number}} Measured over the pairs of a file
 * @typedef {{run: string, pick: number, kind: string, links: string | null, figures: HeadFigures}} Loaded of a trace that came without its maps
 */

export class View {
  #grid;
  #order;
  #answer;
  /** @type {Now | null} */
  #now = null;
  #figures = new HeadFigures();
  /** @type {Measured | null} */
  #measured = null;
  /** @type {Loaded | null} */
  #loaded = null;
  #running = new AbortController();
  #measuring = new AbortController();

  /** @param {ViewWiring<Settings, Trace>} wiring */
  constructor({ place, change, answer, request }) {
    const maps = html.div();
    this.#answer = answer;
    this.#order = new OrderChoice(change, request ? (pairs) => void this.#measure(pairs) : null);
    this.#grid = new HeadsGrid(maps, {
      open: ({ layer, head }) => change({ layer, head, pool: null, view: "map" }),
      enlarged: (head) => this.#drawn(head, true),
    });
    place.replaceChildren(this.#order.root, maps);
  }

  /** @param {Scene} scene @param {{settings: Settings, palette: Palette}} how */
  draw(scene, { settings, palette }) {
    this.#running.abort();
    this.#running = new AbortController();
    const links = this.#order.draw(scene, settings);
    this.#now = { scene, settings, palette, links };
    void this.#fill(this.#now, this.#running.signal);
  }

  /** Stops measuring the pairs of a file. */
  forget() {
    this.#measuring.abort();
  }

  /** Draws the maps at once, or once they and their figures are loaded. @param {Now} now @param {AbortSignal} signal */
  async #fill({ scene, links }, signal) {
    const { trace, output, picked, model } = scene;
    const kind = picked?.kind;
    if (!kind) return this.#lay();
    const told = { kind, links: scene.links };
    const measured = fitting(this.#measured, { ...told, model: model.id });
    if (measured) this.#order.say(averagesOver(measured.count));
    const of = { ...told, run: trace.run ?? "", pick: scene.pick };
    const known = measured ?? fitting(this.#loaded, of);
    this.#figures = known?.figures ?? new HeadFigures();
    if (!trace.run) {
      if (!known) this.#figures.addMaps(trace, output, kind, links);
      return this.#lay();
    }
    try {
      await loadThumbnails(trace, output, kind, signal);
      this.#lay();
      if (known) return;
      const figures = await new HeadFigures().addTrace(trace, output, kind, links, signal);
      this.#figures = figures;
      this.#loaded = { ...of, figures };
      this.#lay();
    } catch (error) {
      this.#refused(error, signal);
    }
  }

  #lay() {
    const { scene, settings } = /** @type {Now} */ (this.#now);
    const { columns, rows } = scene.view;
    const aspect = columns.length / Math.max(rows.length, 1);
    const order = this.#orderNow(settings);
    const heads = ordered(mapsOf(scene), order, (head) => this.#figures.of(head));
    const measure = order === "layer" ? "" : MEASURES[order];
    this.#grid.lay(heads, scene.pool ? null : scene.picked, { aspect, stretch: STRETCH }, measure);
    this.#grid.fill((head) => this.#drawn(head, false));
  }

  /** Measures the heads over the pairs of a file, each forced to its output. @param {Pair[]} pairs */
  async #measure(pairs) {
    const { scene, settings } = /** @type {Now} */ (this.#now);
    const { model, picked } = scene;
    if (!picked) return;
    this.#measuring.abort();
    this.#measuring = new AbortController();
    const { signal } = this.#measuring;
    const { kind } = picked;
    const figures = new HeadFigures();
    try {
      for (const [place, { text, target, links }] of pairs.entries()) {
        this.#order.say(`Measuring pair ${place + 1} of ${pairs.length}…`);
        const asked = { ...settings, text, target, pick: 0 };
        const trace = await this.#answer(asked, model, signal);
        await figures.addTrace(trace, trace, kind, parseLinks(links), signal);
        if (signal.aborted) return;
      }
    } catch (error) {
      return this.#refused(error, signal);
    }
    const { scene: shown } = /** @type {Now} */ (this.#now);
    const count = pairs.length;
    this.#measured = { model: model.id, kind, links: shown.links, figures, count };
    await this.#fill(/** @type {Now} */ (this.#now), this.#running.signal);
  }

  /** Says why there are no figures. @param {unknown} error @param {AbortSignal} signal */
  #refused(error, signal) {
    if (signal.aborted) return;
    if (!(error instanceof ApiError)) throw error;
    this.#order.say(error.message);
  }

  /** Alignment is a measure of cross-attention alone. @param {Settings} settings */
  #orderNow({ order }) {
    const aligns = this.#now?.scene.picked?.kind === "cross";
    return order === "alignment" && !aligns ? "layer" : order;
  }

  /** @param {Head} head @param {boolean} large */
  #drawn(head, large) {
    const { scene, palette, settings } = /** @type {Now} */ (this.#now);
    const map = /** @type {AttentionMap} */ (
      mapsOf(scene).find(({ layer, head: number }) => layer === head.layer && number === head.head)
    );
    const reduced = reducedOf(map);
    const view = reduced ? null : viewOf(scene.trace, scene.output, map, scene.units);
    const weights = reduced ?? view?.weights ?? [];
    const { colourAt } = heatmapOf(weights, { ...scene, palette });
    const [rows, columns] = [weights.length, weights[0]?.length ?? 0];
    const worded = large && view && Math.max(rows, columns) <= MOST_WORDS;
    const drawing = worded
      ? mapGrid(view, `head ${head.head + 1}`, colourAt)
      : pixels({ rows, columns, colourAt, rtl: direction(scene.view.columnText) === "rtl" });
    return { drawing, note: figureText(this.#orderNow(settings), this.#figures.of(head)) };
  }
}

/** @param {number} count */
const averagesOver = (count) =>
  `The figures are averages over ${count} pair${count > 1 ? "s" : ""}.`;

/**
 * The measures, if they are of this.
 * @template {object} T
 * @param {T | null} measured @param {Partial<T>} wanted @returns {T | null}
 */
const fitting = (measured, wanted) =>
  measured &&
  /** @type {(keyof T)[]} */ (Object.keys(wanted)).every((name) => measured[name] === wanted[name])
    ? measured
    : null;

/** The maps of the kind on screen. @param {Scene} scene */
const mapsOf = ({ output, picked }) => output.maps.filter(({ kind }) => kind === picked?.kind);
