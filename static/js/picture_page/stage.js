/** The result: every part that draws a picture's trace, kept on the same word. */

/** @import {Model, PictureScene, PictureSettings, PictureTrace} from "../core/types" */

import { box } from "../shell/dom.js";
import { PanelTable } from "../shell/panel_table.js";
import { PlayerControls } from "../shell/player_controls.js";
import { palette } from "../shell/theme.js";
import { sceneOf } from "../core/grid_scene.js";
import { sentence, viewNote } from "../core/grid_sentences.js";
import { PictureChoices } from "./choices.js";
import { PictureCompare } from "../views/compare/grid_view.js";
import { PhotoView } from "../views/photo/view.js";
import { SheetView } from "../views/sheet/view.js";
import { PictureStep } from "../views/step/grid_view.js";
import { tableOf } from "./table.js";
import { Words } from "./caption_view.js";

export class PictureStage {
  #root = box("stage");
  #sentence = box("sentence");
  /** @type {{trace: PictureTrace, model: Model} | null} */
  #result = null;
  /** @type {PictureScene | null} */
  #scene = null;
  #words;
  #photo;
  #sheet;
  #step = new PictureStep();
  #compare;
  /** @type {PanelTable<PictureScene>} */
  #table = new PanelTable(tableOf);
  #choices;
  #controls;
  #remember;
  /** Whether the word on screen is one that nobody chose. */
  #offered = false;

  /**
   * Told what a person sets here: `look` where it must be drawn again, `remember` where it is drawn.
   * @param {Record<"look" | "remember", (change: Partial<PictureSettings>) => void> & {answer: import("../views/compare/grid_view.js").Answer}} wiring
   */
  constructor({ look, remember, answer }) {
    this.#remember = remember;
    const select = (/** @type {number} */ row) => this.#controls.to(row);
    const peek = (/** @type {number | null} */ row) => this.#peek(row);
    const hold = (/** @type {number[]} */ cells) => look({ cells });
    this.#words = new Words({ select, peek });
    this.#photo = new PhotoView(hold);
    this.#sheet = new SheetView({ open: (row) => look({ view: "photo", step: this.#token(row) }) });
    this.#compare = new PictureCompare(answer);
    this.#choices = new PictureChoices(look);
    this.#controls = new PlayerControls({
      go: (row, part) => this.#at(row, part, true),
      settled: () => this.#settled(),
      speed: (speed) => look({ speed }),
    });
    // Where the page itself has chosen the word, Play begins at the first.
    box("play").addEventListener("click", () => this.#rewind(), { capture: true });
    box("let-go").addEventListener("click", () => hold([]));
    box("steps").addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.#scene?.cells.length) return hold([]);
      if (!this.#controls.key(event, false)) return;
      event.preventDefault();
      if (this.#words.holdsFocus) this.#words.focus(this.#controls.row);
    });
  }

  get scene() {
    return this.#scene;
  }

  /** The models beside it with what they answered, where they are on screen. */
  get beside() {
    return this.#scene?.view === "compare" ? this.#compare.beside : [];
  }

  /** A photo that is on its way: it is shown, what was said of another is not. @param {string} url */
  preview(url) {
    this.#controls.player.pause();
    this.#scene = null;
    this.#result = null;
    this.#root.dataset.state = "waiting";
    this.#photo.preview(url);
  }

  /** @param {PictureTrace} trace @param {PictureSettings} settings @param {Model} model */
  show(trace, settings, model) {
    this.#scene = null; // what was playing is gone, and its step with it
    this.#controls.player.pause();
    this.#compare.forget();
    this.#result = { trace, model };
    // What is whole may be drawn by Plotly; what still grows is not.
    this.#root.dataset.state = "drawing";
    this.redraw(settings);
    this.#root.dataset.state = "ready";
  }

  /** A trace that is still being written, at its newest word. @param {PictureTrace} trace @param {PictureSettings} settings @param {Model} model */
  grow(trace, settings, model) {
    if (!trace.steps.length || !trace.picture) return;
    this.#scene = null;
    this.#controls.player.pause();
    this.#result = { trace, model };
    this.#root.dataset.state = "growing";
    this.redraw({ ...settings, view: settings.view === "compare" ? "photo" : settings.view, step: trace.steps.length - 1, part: null, pick: 0 });
  }

  pause() {
    this.#controls.player.pause();
  }

  /** Draws the trace at hand again: other settings, another theme, another width. @param {PictureSettings} settings */
  redraw(settings) {
    if (!this.#result) return;
    const { trace, model } = this.#result;
    const playing = this.#controls.player.playing;
    const scene = sceneOf(trace, playing ? { ...settings, step: this.#token(), part: this.#scene?.part ?? null } : settings, model);
    this.#scene = scene;
    this.#offered = settings.step === null && !playing;
    this.#root.dataset.view = scene.view;
    this.#root.dataset.style = scene.style;
    box("view-note").textContent = viewNote(scene);
    this.#words.draw(scene, palette());
    this.#choices.draw(scene);
    this.#controls.draw(/** @type {any} */ ({ ...scene, view: { rows: scene.rows } }));
    this.#table.draw(scene);
    if (scene.view === "photo") this.#photo.draw(scene);
    else if (scene.view === "sheet") this.#sheet.draw(scene);
    else if (scene.view === "step") this.#step.draw(scene);
    else this.#compare.draw(scene, settings);
    this.#at(scene.row, scene.part, false);
  }

  /** @param {number} row @param {number} part @param {boolean} told whether the address bar should know */
  #at(row, part, told) {
    if (!this.#scene) return;
    if (told) this.#offered = false;
    this.#scene.row = row;
    this.#scene.part = part;
    this.#draw(row, false);
    this.#table.at(row);
    if (told && !this.#controls.player.playing) this.#remember(this.#place());
  }

  #rewind() {
    const scene = this.#scene;
    if (!scene || !this.#offered || this.#controls.player.playing) return;
    this.#offered = false;
    this.#controls.player.load(scene.rows.length * scene.parts, 0, scene.speed * Math.sqrt(scene.parts));
  }

  /** @param {number | null} row shown while the pointer is on it; null goes back to the chosen one */
  #peek(row) {
    if (!this.#scene || this.#controls.player.playing) return;
    this.#draw(row ?? this.#scene.row, row !== null);
  }

  /** What follows the word at once, at every step and under the pointer. @param {number} row @param {boolean} peeking */
  #draw(row, peeking) {
    const scene = /** @type {PictureScene} */ (this.#scene);
    const writing = this.#controls.player.playing;
    const said = sentence(scene, row);
    this.#words.at(row, writing);
    this.#choices.bar(scene, row);
    if (scene.view === "photo") this.#photo.at(row, !peeking && !writing && this.#root.dataset.state !== "growing");
    else if (scene.view === "sheet") this.#sheet.at(row, writing);
    else if (scene.view === "step") this.#step.at(row, peeking ? scene.parts - 1 : scene.part);
    else this.#compare.at(row);
    this.#sentence.setAttribute("aria-live", peeking ? "off" : "polite");
    this.#sentence.textContent = said;
    this.#controls.at(row, scene.part, said);
  }

  /** Playing has stopped or a word was chosen: now it goes into the address bar. */
  #settled() {
    if (!this.#scene || this.#controls.player.playing) return;
    this.#draw(this.#scene.row, false);
    this.#remember(this.#place());
  }

  /** Where the player stands, for the address bar. */
  #place() {
    const { part, parts } = /** @type {PictureScene} */ (this.#scene);
    return { step: this.#token(), part: part === parts - 1 ? null : part };
  }

  /** The first piece of a row, which any units can find again. @param {number} [row] */
  #token(row = this.#scene?.row ?? 0) {
    return this.#scene?.rows[row]?.tokens[0] ?? 0;
  }
}
