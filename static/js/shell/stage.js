/** The result: the views and the parts that show the answer of the store, kept on the same row. */

/** @import {Companions, Drawing, Known} from "../views/types" */
/** @import {View} from "../core/views.js" */
/** @import {Store} from "../core/store.js" */
/** @import {Model} from "../core/types" */
/** @import {Axis, BaseScene, BaseSettings, BaseTrace, Part, StageWiring} from "./types" */

import { rowOf } from "../core/trace.js";
import { viewNamed } from "../core/views.js";
import { PART_MS } from "../core/player.js";
import { box, say, set } from "../draw/dom.js";
import { palette } from "../draw/theme.js";
import { PlayerControls } from "./player_controls.js";
import { ViewChoice, Views } from "./views.js";

/** Known before the modules of a view are loaded. @type {Known} */
const NOTHING = { says: "", attended: false };

/**
 * @template {BaseSettings} S
 * @template {BaseTrace} T
 * @template {BaseScene<T>} C
 */
export class Stage {
  #root = box("stage");
  #sentence = box("sentence");
  #axis;
  /** @type {Store<S, T>} */
  #store;
  /** @type {{trace: T, model: Model} | null} */
  #result = null;
  /** @type {C | null} */
  #scene = null;
  #views;
  /** @type {Part<C, S>[]} */
  #parts;
  #choice;
  #models;
  /** True until the position in a new answer is another. */
  #arriving = true;
  /** True while the current row is to be guessed. */
  #concealed = false;

  /** @param {Axis<S, T, C>} axis @param {View[]} views those that can be chosen @param {Store<S, T>} store @param {StageWiring<S, T>} wiring */
  constructor(axis, views, store, { models, change, answer, request, photo, audits }) {
    this.#axis = axis;
    this.#store = store;
    this.#models = models;
    const select = (/** @type {number} */ row) => this.controls.to(row);
    const peek = (/** @type {number | null} */ row) => this.#peek(row);
    /** @type {Views<S, T, C>} */
    this.#views = new Views(axis.kind, {
      models,
      select,
      peek,
      change,
      replace: (trace) => this.#replace(trace),
      answer,
      request,
      photo,
      audits,
    });
    this.#choice = new ViewChoice(views, (view) =>
      change(/** @type {Partial<S>} */ ({ view, part: null })),
    );
    this.#parts = axis.parts({ select, peek, change, request });
    this.controls = new PlayerControls({
      go: (row, part) => this.#go(row, part),
      settled: () => this.#settled(),
      speed: (speed) => change(/** @type {Partial<S>} */ ({ speed })),
      // Where the page has selected the row itself, Play begins at the first.
      chosen: () => store.settings.step !== null,
      scrub: (share) => this.#view?.scrub?.(share),
    });
    box("steps").addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.#letGo()) return;
      const words = this.#parts.find(({ focus }) => focus);
      if (!this.controls.key(event, words?.rightToLeft ?? false)) return;
      event.preventDefault();
      if (words?.holdsFocus) words.focus?.(this.controls.row);
    });
  }

  /** @param {T} trace the one on screen, with a part of it moved */
  #replace(trace) {
    const { answer } = this.#store;
    if (answer)
      this.#store.dispatch({ answer: { ...answer, trace, since: 0 } }, { history: "none" });
  }

  /** Clears the selection; false if there is none. */
  #letGo() {
    const settings = /** @type {Record<string, unknown[]>} */ (
      /** @type {unknown} */ (this.#store.settings)
    );
    const selected = this.#axis.selection.filter((name) => settings[name]?.length);
    if (!selected.length) return false;
    const none = Object.fromEntries(selected.map((name) => [name, []]));
    this.#store.dispatch(/** @type {Partial<S>} */ (none));
    return true;
  }

  get scene() {
    return this.#scene;
  }

  /** Adds a part that was loaded later than the page. @param {Part<C, S>} part */
  add(part) {
    this.#parts.push(part);
    this.draw();
  }

  /** The views that the trace fits. */
  get views() {
    return this.#choice.offered;
  }

  /** The answers of other models, where the current view shows them. @returns {Companions | null} */
  get companions() {
    return this.#view?.companions ?? null;
  }

  /** The current view, once its module is loaded. @returns {Drawing<C, S> | null} */
  get #view() {
    return this.#scene && this.#views.get(this.#scene.viewName);
  }

  get #growing() {
    return this.#store.answer?.phase === "growing";
  }

  /** Loads the modules of a view ahead of its first drawing. @param {string} name */
  load(name) {
    return this.#views.load(name);
  }

  /**
   * Takes the answer of the store. One that continues the answer before leaves views and player as
   * they are. Returns false if it is on screen already.
   */
  take() {
    const { answer } = this.#store;
    if (!answer) return false;
    const { phase, trace, model, since, preview } = answer;
    this.#root.dataset.state = phase;
    // After a failure the last trace stays; more of it may still be loaded.
    const same = !trace || trace === this.#result?.trace;
    if (same && phase !== "waiting" && phase !== "growing" && phase !== "ready") return false;
    if (since === null) {
      this.controls.player.pause();
      this.#scene = null; // the player's step belongs to the trace before
      if (phase !== "waiting") for (const view of this.#views.loaded) view.forget?.();
    }
    this.#result = trace && model && { trace, model };
    if (preview !== undefined) for (const view of this.#views.loaded) view.preview?.(preview);
    this.#arriving = true;
    this.draw();
    return true;
  }

  /** Draws the trace again, after a change of settings, theme or width. */
  draw() {
    if (!this.#result) return;
    const { trace, model } = this.#result;
    const settings = this.#settings(trace);
    const scene = this.#axis.sceneOf(trace, this.#comparable(settings, model), model);
    const { picked } = /** @type {any} */ (scene);
    // While the map of a large trace is not loaded, the picture before stays.
    if (/** @type {any} */ (trace).run && picked && scene.rows.length && !picked.weights.length)
      return;
    const how = { settings, palette: palette() };
    this.#scene = scene;
    this.#root.dataset.view = scene.viewName;
    this.#choice.draw(scene, this.#models);
    for (const part of this.#parts) part.draw?.(scene, how);
    const { parts, byRow } = viewNamed(this.#axis.kind, scene.viewName);
    this.controls.draw(scene, parts && !byRow);
    const view = this.#view;
    view?.draw(scene, how);
    this.#at(scene.row, scene.part);
    if (!view) void this.#drawLoaded(scene, how);
  }

  /** Draws a view that is shown for the first time, unless another one is by then. @param {C} scene @param {Parameters<Drawing<C, S>["draw"]>[1]} how */
  async #drawLoaded(scene, how) {
    await this.load(scene.viewName);
    if (this.#scene !== scene) return;
    this.#view?.draw(scene, how);
    this.#at(scene.row, scene.part);
  }

  /** Hides the current row, which is to be guessed, or reveals it. @param {boolean} concealed */
  conceal(concealed) {
    if (concealed === this.#concealed) return;
    this.#concealed = concealed;
    if (this.#scene) this.#show(this.#scene.row, false);
  }

  /** Goes to the position of the store in the same scene. @param {ReadonlySet<string>} changed */
  move(changed) {
    const scene = this.#scene;
    if (!scene) return;
    this.#arriving = false;
    const { step, part, row } = this.#store.state.position;
    if (!changed.has("step") && !changed.has("part"))
      return this.#show(row ?? scene.row, row !== null);
    if (step === null) return this.draw();
    const at = rowOf(scene.rows, step);
    // The numbers of another piece of a word.
    if (scene.parts > 1 && (scene.pieces?.[at] ?? step) !== step) return this.draw();
    this.#at(at, Math.min(part ?? Infinity, scene.parts - 1));
    this.controls.follow(scene);
  }

  /** True while rows are computed part by part, so that nothing is known of what comes later. */
  get #computing() {
    const { part } = this.#store.state.position;
    return part !== null && !this.#growing && (this.#scene?.parts ?? 1) > 1;
  }

  /** The settings of the drawing: a growing trace is shown at its newest step, unless it plays. @param {T} trace @returns {S} */
  #settings(trace) {
    const { drawn: settings } = this.#store;
    const shown = this.#growing ? this.#axis.whileGrowing(trace, settings) : null;
    if (!shown || this.controls.player.playing) return shown ?? settings;
    return { ...shown, step: trace.steps.length - 1, part: null, pick: 0 };
  }

  /** The settings with the default view instead of one that has no other model to show. @param {S} settings @param {Model} model */
  #comparable(settings, model) {
    const { models } = viewNamed(this.#axis.kind, settings.view);
    return !models || models(this.#models, model).length
      ? settings
      : { ...settings, view: viewNamed(this.#axis.kind, "").name };
  }

  /** @param {number} row @param {number} part */
  #at(row, part) {
    const scene = this.#scene;
    if (!scene) return;
    scene.row = row;
    scene.part = part;
    this.#show(row, false);
    for (const each of this.#parts) each.settle?.(scene, row);
  }

  /** Shows a row while the pointer is on it; null goes back to the selected one. @param {number | null} row */
  #peek(row) {
    // Of a word to be guessed no other row is shown, in which it would stand uncovered.
    const guessing = this.#store.settings.present === "guess";
    if (!this.#scene || this.controls.player.playing || guessing) return;
    const known = row === null || row < this.#scene.row || !this.#computing;
    this.#store.dispatch({ row: known ? row : null }, { history: "none" });
  }

  /** True if a screen reader says the row already: with the whole answer, or as the value of the slider. */
  get #isSaid() {
    return this.#arriving || this.controls.slides;
  }

  /** Draws what follows the row at every step and under the pointer. @param {number} row @param {boolean} peeking */
  #show(row, peeking) {
    const scene = /** @type {C} */ (this.#scene);
    const { playing } = this.controls.player;
    const settled = !peeking && !playing && !this.#growing;
    const part = peeking ? scene.parts - 1 : scene.part;
    const computing = this.#computing;
    // In a presentation the words still to be guessed are hidden as those still to be played are.
    const reads = scene.view?.rowAxis === "source"; // its rows are there from the beginning
    const hides = playing || (computing && !reads) || this.#store.settings.present === "guess";
    const pace = computing && !peeking ? PART_MS / scene.speed : null;
    const computed = part >= scene.parts - 1;
    const known = computed && !this.#concealed;
    const state = { part, playing: hides, known, peeking, settled, pace };
    // Until its last part, nothing is known of a row but what its parts have computed.
    const sofar = computed ? null : (this.#view?.known?.(row, part) ?? NOTHING);
    const text = sofar ? sofar.says : this.#axis.sentence(scene, row);
    const complete = computed && (!computing || row === scene.rows.length - 1);
    const hidden = unknown(sofar, complete, reads);
    // Only if it differs: setting it computes the style of all words again.
    if (hidden !== (this.#root.dataset.unknown ?? null)) set(this.#root, "data-unknown", hidden);
    this.#sentence.setAttribute("aria-live", peeking || this.#isSaid ? "off" : "polite");
    say(this.#sentence, text);
    this.controls.at(row, scene.part, text, !computing);
    // Last, because they measure the layout, which is then computed once.
    this.#view?.at?.(row, state);
    for (const part of this.#parts) part.at?.(scene, row, state);
  }

  /** Goes where the player is: an address has that once it rests. @param {number} row @param {number | null} part null for all */
  #go(row, part) {
    if (!this.#scene) return;
    const { rows, parts } = this.#scene;
    const step = rows[row]?.tokens[0] ?? 0;
    const position = { step, part: parts > 1 ? part : null };
    this.#store.dispatch(
      { .../** @type {Partial<S>} */ (position), row: null },
      { history: this.controls.player.playing ? "none" : "replace" },
    );
  }

  /** Shows the row at rest once playing has stopped. */
  #settled() {
    if (!this.#scene || this.controls.player.playing) return;
    this.#show(this.#scene.row, false);
    this.#store.dispatch({});
  }
}

/** The things that the page hides: the weights and the word of the row, and what follows. @param {Known | null} known @param {boolean} complete @param {boolean} reads true if the rows are read, not written */
function unknown(known, complete, reads) {
  const weights = known && !known.attended && "weights";
  const written = reads || complete ? [] : [known && "word", "output"];
  return [weights, ...written].filter(Boolean).join(" ") || null;
}
