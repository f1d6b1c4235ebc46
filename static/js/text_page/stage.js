/** The result: every part that draws a trace, kept on the same row. */

/** @import {Model, Scene, Settings, Trace} from "../core/types" */

import { toggled } from "../core/selection.js";
import { sceneOf } from "../core/scene.js";
import { mapNote, noAttention, sentence, readingNote } from "../core/sentences.js";
import { ChainView } from "../views/step/view.js";
import { Choices } from "./choices.js";
import { CompareView } from "../views/compare/view.js";
import { box, sayAny } from "../shell/dom.js";
import { HeadsView } from "../views/heads/view.js";
import { LinesView } from "../views/ribbons/view.js";
import { MapView } from "../views/map/view.js";
import { Numbers } from "./numbers.js";
import { PlayerControls } from "../shell/player_controls.js";
import { Reading } from "./sentence_view.js";
import { strip } from "../shell/vector_strip.js";
import { DataTable } from "./table.js";
import { palette } from "../shell/theme.js";

export class Stage {
  #root = box("stage");
  #sentence = box("sentence");
  #table;
  #numbers = new Numbers();
  /** @type {{trace: Trace, model: Model} | null} */
  #result = null;
  /** @type {Scene | null} */
  #scene = null;
  #reading;
  #map;
  #lines;
  #compare;
  #heads;
  #chain = new ChainView();
  #choices;
  #controls;
  #remember;
  #look;
  /** Tokens whose rows and columns are held. */
  #held = { rows: /** @type {number[]} */ ([]), columns: /** @type {number[]} */ ([]) };

  /**
   * Told what a person sets here: `look` where it must be drawn again, `remember` where it is drawn.
   * @param {Model[]} models
   * @param {Record<"look" | "remember", (change: Partial<Settings>) => void> & {answer?: import("../views/compare/view.js").Answer}} wiring `answer`: who is asked for the models beside it
   */
  constructor(models, { look, remember, answer }) {
    this.#remember = remember;
    this.#look = look;
    const select = (/** @type {number} */ row) => this.#controls.to(row);
    const peek = (/** @type {number | null} */ row) => this.#peek(row);
    this.#reading = new Reading({ select, peek });
    const hold = (/** @type {"rows" | "columns"} */ axis, /** @type {number} */ index) => this.#hold(axis, index);
    this.#table = new DataTable(hold);
    this.#map = new MapView({ select, peek, hold });
    this.#lines = new LinesView({ select, peek });
    this.#compare = new CompareView(models, look, answer);
    this.#heads = new HeadsView(look);
    this.#choices = new Choices(look);
    this.#controls = new PlayerControls({
      go: (row, part) => this.#at(row, part, true),
      settled: () => this.#settled(),
      speed: (speed) => look({ speed }),
    });
    box("steps").addEventListener("keydown", (event) => {
      if (event.key === "Escape" && (this.#held.rows.length || this.#held.columns.length)) return look({ rows: [], columns: [] });
      if (!this.#controls.key(event, this.#reading.rightToLeft)) return;
      event.preventDefault();
      if (this.#reading.holdsFocus) this.#reading.focus(this.#controls.row);
    });
  }

  get scene() {
    return this.#scene;
  }

  /** The models beside it, where they are on screen. */
  get compared() {
    return this.#scene?.viewName === "compare" ? this.#compare : null;
  }

  /** @param {Trace} trace @param {Settings} settings @param {Model} model */
  show(trace, settings, model) {
    this.#compare.forget();
    this.#scene = null; // what was playing is gone, and its step with it
    this.#controls.player.pause();
    this.#result = { trace, model };
    this.redraw(settings);
    this.#root.dataset.state = "ready";
  }

  /**
   * A trace that is still being written, at its newest step. Where models stand side by side it
   * waits for the whole: what they are compared by is not there yet.
   * @param {Trace} trace @param {Settings} settings @param {Model} model
   */
  grow(trace, settings, model) {
    if (settings.view === "compare") return;
    this.#scene = null;
    this.#controls.player.pause();
    this.#result = { trace, model };
    this.redraw({ ...settings, step: trace.steps.length - 1, part: null, pick: 0 });
    this.#root.dataset.state = "growing";
  }

  /** The trace at hand with more of it told, to be drawn next. @param {Trace} trace */
  complete(trace) {
    if (this.#result) this.#result = { ...this.#result, trace };
  }

  pause() {
    this.#controls.player.pause();
  }

  /** Draws the trace at hand again: other settings, another theme, another width. @param {Settings} settings */
  redraw(settings) {
    if (!this.#result) return;
    const { trace, model } = this.#result;
    this.#held = { rows: settings.rows, columns: settings.columns };
    const playing = this.#controls.player.playing;
    const scene = sceneOf(trace, playing ? { ...settings, step: this.#token(), part: this.#scene?.part ?? null } : settings, model);
    const colours = palette();
    this.#scene = scene;
    this.#root.toggleAttribute("data-blind", !scene.view.weights);
    box("map-note").textContent = mapNote(scene);
    sayAny(box("unread"), readingNote(trace.source));
    this.#reading.draw(scene, colours);
    this.#choices.draw(scene, colours);
    this.#controls.draw(scene);
    this.#table.draw(scene);
    this.#blind(scene);
    this.#root.dataset.view = scene.viewName;
    if (scene.viewName === "lines") this.#lines.draw(scene);
    else if (scene.viewName === "step") this.#chain.draw(scene);
    else if (scene.viewName === "heads") this.#heads.draw(scene, colours);
    else if (scene.viewName === "compare") this.#compare.draw(scene, settings, colours);
    else {
      this.#map.draw(scene, colours).catch(() => {
        box("plot").textContent = "The picture could not be drawn; its numbers stand in the table below.";
      });
    }
    this.#at(scene.row, scene.part, false);
  }

  /** @param {number} row @param {number} part @param {boolean} told whether the address bar should know */
  #at(row, part, told) {
    if (!this.#scene) return;
    this.#scene.row = row;
    this.#scene.part = part;
    this.#draw(row, false);
    this.#table.at(row);
    this.#numbers.at(this.#scene, row);
    if (told && !this.#controls.player.playing) this.#remember(this.#place());
  }

  /** @param {number | null} row shown while the pointer is on it; null goes back to the chosen one */
  #peek(row) {
    if (!this.#scene || this.#controls.player.playing) return;
    this.#draw(row ?? this.#scene.row, row !== null);
  }

  /** What follows the row at once, at every step and under the pointer. @param {number} row @param {boolean} peeking */
  #draw(row, peeking) {
    const scene = /** @type {Scene} */ (this.#scene);
    const writing = this.#controls.player.playing;
    const said = sentence(scene, row);
    if (scene.viewName === "lines") this.#lines.at(row, writing);
    else if (scene.viewName === "step") this.#chain.at(row, peeking ? scene.parts - 1 : scene.part);
    else if (scene.viewName === "compare") this.#compare.at(row);
    else if (scene.viewName === "map") this.#map.at(row, writing, !peeking);
    this.#sentence.setAttribute("aria-live", peeking ? "off" : "polite");
    this.#sentence.textContent = said;
    this.#controls.at(row, scene.part, said);
    // Last, for it looks where its pieces are: the layout that this asks for is then the only one.
    this.#reading.at(row, writing);
  }

  /** Holds a row or a column, or lets it go. @param {"rows" | "columns"} axis @param {number} index */
  #hold(axis, index) {
    if (this.#scene) this.#look({ [axis]: toggled(this.#held[axis], this.#scene.view[axis][index]) });
  }

  /** Playing has stopped or a row was chosen: now it goes into the address bar. */
  #settled() {
    if (!this.#scene || this.#controls.player.playing) return;
    this.#draw(this.#scene.row, false);
    this.#remember(this.#place());
  }

  /** Where the player stands, for the address bar. */
  #place() {
    const { part, parts } = /** @type {Scene} */ (this.#scene);
    return { step: this.#token(), part: part === parts - 1 ? null : part };
  }

  /** The first token of the row, which any units can find again. */
  #token() {
    return this.#scene?.view.rows[this.#scene.row]?.tokens[0] ?? 0;
  }

  /** The statement in place of the map, for a model that has none. @param {Scene} scene */
  #blind({ view, output }) {
    const vector = output.steps[0]?.context ?? null;
    if (view.weights) return;
    box("blind-text").textContent = noAttention(vector?.size ?? 0);
    box("blind-strip").replaceChildren(...(vector ? [strip("c", "the same at every step", vector)] : []));
  }
}
