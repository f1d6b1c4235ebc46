/** The result: the views and the parts that show a trace, kept on the same row. */

/** @import {Model} from "../core/types" */
/** @import {Companions, Drawing} from "../views/types" */
/** @import {View} from "../core/views.js" */
/** @import {Axis, BaseScene, BaseSettings, BaseTrace, Part} from "./types" */

import { box } from "../draw/dom.js";
import { viewNamed } from "../core/views.js";
import { PlayerControls } from "./player_controls.js";
import { palette } from "../draw/theme.js";
import { ViewChoice } from "./views.js";
import { Views } from "./views.js";

/**
 * @template {BaseSettings} S
 * @template {BaseTrace} T
 * @template {BaseScene<T>} C
 */
export class Stage {
  #root = box("stage");
  #sentence = box("sentence");
  #axis;
  /** @type {{trace: T, model: Model} | null} */
  #result = null;
  /** @type {C | null} */
  #scene = null;
  #views;
  /** @type {Part<C, S>[]} */
  #parts;
  #choice;
  #controls;
  #models;
  #remember;
  /** True if the page has selected the row itself. */
  #preselected = false;
  /** True in a presentation that hides the words still to be guessed. */
  #guessing = false;

  /**
   * @param {Axis<S, T, C>} axis @param {View[]} views those that can be chosen
   * @param {object} wiring
   * @param {Model[]} wiring.models
   * @param {(change: Partial<S>) => void} wiring.change settings that must be drawn again
   * @param {(change: Partial<S>) => void} wiring.remember settings that are drawn already
   * @param {(settings: S, model: Model, signal: AbortSignal) => Promise<T>} wiring.answer the answer of another model
   * @param {(change: Partial<S>) => void} [wiring.request] makes another request
   */
  constructor(axis, views, { models, change, remember, answer, request }) {
    this.#axis = axis;
    this.#models = models;
    this.#remember = remember;
    const select = (/** @type {number} */ row) => this.#controls.to(row);
    const peek = (/** @type {number | null} */ row) => this.#peek(row);
    /** @type {Views<S, T, C>} */
    this.#views = new Views(axis.kind, { models, select, peek, change, answer, request });
    this.#choice = new ViewChoice(views, (view) =>
      change(/** @type {Partial<S>} */ ({ view, part: null })),
    );
    this.#parts = axis.parts({ select, peek, change });
    this.#controls = new PlayerControls({
      go: (row, part) => this.#at(row, part, true),
      settled: () => this.#settled(),
      speed: (speed) => change(/** @type {Partial<S>} */ ({ speed })),
    });
    // Where the page has selected the row itself, Play begins at the first.
    box("play").addEventListener("click", () => this.#rewind(), { capture: true });
    box("steps").addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.#scene && axis.hasSelection(this.#scene))
        return change(axis.noSelection);
      const words = this.#parts.find(({ focus }) => focus);
      if (!this.#controls.key(event, words?.rightToLeft ?? false)) return;
      event.preventDefault();
      if (words?.holdsFocus) words.focus?.(this.#controls.row);
    });
  }

  get scene() {
    return this.#scene;
  }

  /** The answers of other models, where the current view shows them. @returns {Companions | null} */
  get companions() {
    return this.#view?.companions ?? null;
  }

  /** The current view, once its module is loaded. @returns {Drawing<C, S> | null} */
  get #view() {
    return this.#scene && this.#views.get(this.#scene.viewName);
  }

  /** Loads the modules of a view ahead of its first drawing. @param {string} name */
  load(name) {
    return this.#views.load(name);
  }

  /** Shows a photo before its trace has arrived, and hides the previous trace. @param {string} url */
  preview(url) {
    this.#controls.player.pause();
    this.#scene = null;
    this.#result = null;
    this.#root.dataset.state = "waiting";
    for (const view of this.#views.loaded) view.preview?.(url);
  }

  /** @param {T} trace @param {S} settings @param {Model} model */
  show(trace, settings, model) {
    for (const view of this.#views.loaded) view.forget?.();
    this.#replace(trace, model);
    this.#root.dataset.state = "drawing";
    this.redraw(settings);
    this.#root.dataset.state = "ready";
  }

  /** Shows a trace that is still being written, at its newest step. @param {T} trace @param {S} settings @param {Model} model */
  grow(trace, settings, model) {
    const shown = this.#axis.whileGrowing(trace, settings);
    if (!shown) return;
    this.#replace(trace, model);
    this.#root.dataset.state = "growing";
    this.redraw({ ...shown, step: trace.steps.length - 1, part: null, pick: 0 });
  }

  /** @param {T} trace @param {Model} model */
  #replace(trace, model) {
    this.#scene = null; // the player's step belongs to the trace before
    this.#controls.player.pause();
    this.#result = { trace, model };
  }

  /** Takes the same trace with more vectors, for the next drawing. @param {T} trace */
  complete(trace) {
    if (this.#result) this.#result = { ...this.#result, trace };
  }

  pause() {
    this.#controls.player.pause();
  }

  /** Draws the trace again, after a change of settings, theme or width. @param {S} settings */
  redraw(settings) {
    if (!this.#result) return;
    const { trace, model } = this.#result;
    const { playing } = this.#controls.player;
    const chosen = this.#comparable(settings, model);
    const scene = this.#axis.sceneOf(
      trace,
      playing ? { ...chosen, step: this.#token(), part: this.#scene?.part ?? null } : chosen,
      model,
    );
    const how = { settings, palette: palette() };
    this.#scene = scene;
    this.#guessing = settings.present === "guess";
    this.#preselected = settings.step === null && !playing;
    this.#root.dataset.view = scene.viewName;
    this.#choice.draw(scene, this.#models);
    for (const part of this.#parts) part.draw?.(scene, how);
    this.#controls.draw(scene);
    if (!this.#view)
      void this.#views
        .load(scene.viewName)
        .then(() => this.#scene === scene && this.redraw(settings));
    this.#view?.draw(scene, how);
    this.#at(scene.row, scene.part, false);
  }

  /** The settings with the default view instead of one that has no other model to show. @param {S} settings @param {Model} model */
  #comparable(settings, model) {
    const { models } = viewNamed(this.#axis.kind, settings.view);
    return !models || models(this.#models, model).length
      ? settings
      : { ...settings, view: viewNamed(this.#axis.kind, "").name };
  }

  /** @param {number} row @param {number} part @param {boolean} remembered true if it is written into the address bar */
  #at(row, part, remembered) {
    const scene = this.#scene;
    if (!scene) return;
    if (remembered) this.#preselected = false;
    scene.row = row;
    scene.part = part;
    this.#draw(row, false);
    for (const each of this.#parts) each.settle?.(scene, row);
    if (remembered && !this.#controls.player.playing) this.#remember(this.#position());
  }

  #rewind() {
    const scene = this.#scene;
    if (!scene || !this.#preselected || this.#controls.player.playing) return;
    this.#preselected = false;
    this.#controls.player.load(
      scene.rows.length * scene.parts,
      0,
      scene.speed * Math.sqrt(scene.parts),
    );
  }

  /** Shows a row while the pointer is on it; null goes back to the selected one. @param {number | null} row */
  #peek(row) {
    if (!this.#scene || this.#controls.player.playing) return;
    this.#draw(row ?? this.#scene.row, row !== null);
  }

  /** Draws what follows the row at every step and under the pointer. @param {number} row @param {boolean} peeking */
  #draw(row, peeking) {
    const scene = /** @type {C} */ (this.#scene);
    const { playing } = this.#controls.player;
    const settled = !peeking && !playing && this.#root.dataset.state !== "growing";
    const part = peeking ? scene.parts - 1 : scene.part;
    const state = { part, playing: playing || this.#guessing, peeking, settled };
    const text = this.#axis.sentence(scene, row);
    this.#sentence.setAttribute("aria-live", peeking ? "off" : "polite");
    this.#sentence.textContent = text;
    this.#controls.at(row, scene.part, text);
    // Last, because they measure the layout, which is then computed once.
    this.#view?.at?.(row, state);
    for (const part of this.#parts) part.at?.(scene, row, state);
  }

  /** Remembers the row once playing has stopped. */
  #settled() {
    if (!this.#scene || this.#controls.player.playing) return;
    this.#draw(this.#scene.row, false);
    this.#remember(this.#position());
  }

  /** The position of the player, for the address bar. @returns {Partial<S>} */
  #position() {
    const { part, parts } = /** @type {C} */ (this.#scene);
    return /** @type {Partial<S>} */ ({
      step: this.#token(),
      part: part === parts - 1 ? null : part,
    });
  }

  /** The first token of the row, which all units can find again. */
  #token() {
    return this.#scene?.rows[this.#scene.row]?.tokens[0] ?? 0;
  }
}
