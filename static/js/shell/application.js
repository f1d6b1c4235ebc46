/**
 * The application of every page: what is dispatched to the store is shown on the stage. Its host, a
 * server, a file or a notebook, brings the traces.
 */

/** @import {Store} from "../core/store.js" */
/** @import {Dispatched} from "../core/types" */
/** @import {Axis, BaseScene, BaseSettings, BaseTrace, Host} from "./types" */
/** @import {Editing} from "./editing.js" */
/** @import {Share} from "./share.js" */

import { once } from "../core/once.js";
import { POSITION } from "../core/store.js";
import { onResize } from "../draw/scrolling.js";
import { watchTheme } from "../draw/theme.js";
import { isTyped, listKeys } from "./keys.js";
import { Panels } from "./panels.js";
import { Stage } from "./stage.js";

/** Settings that are on the page without a drawing. */
const NOT_DRAWN = ["show", "lesson", "at", "mine", "hide"];

/**
 * @template {BaseSettings} S
 * @template {BaseTrace} T
 * @template {BaseScene<T>} C
 */
export class Application {
  #host;
  #panels;
  /** @type {Store<S, T>} */
  store;
  /** @type {Stage<S, T, C>} */
  stage;
  /** The exports of a page that has some, once they are loaded. @type {Share<S, T, C> | null} */
  share = null;
  /** The controls and the list of edits of attention, once there are any. @type {Editing<S, T, C> | null} */
  #editing = null;

  /** @param {Axis<S, T, C>} axis @param {Store<S, T>} store @param {Host<S, T>} host */
  constructor(axis, store, host) {
    this.store = store;
    this.#host = host;
    this.stage = new Stage(axis, host.views, store, host);
    this.#panels = new Panels((show) => store.dispatch(/** @type {Partial<S>} */ ({ show })));
    this.#panels.set(store.settings.show);
    this.#hide();
    watchTheme(() => this.#draw());
    listKeys();
    addEventListener(
      "resize",
      onResize(() => this.#draw()),
    );
    store.subscribe((change) => this.#follow(change));
    store.subscribe(({ changed }) => {
      if (["editing", "edits", "answer"].some((name) => changed.has(name))) this.#edit();
    });
    const edit = document.getElementById("edit-attention");
    edit?.addEventListener("click", () => this.#toggleEditing());
    addEventListener("keydown", (event) => {
      if (event.key === "e" && edit?.offsetParent && !isTyped(event)) this.#toggleEditing();
    });
  }

  #toggleEditing() {
    const { editing } = this.store.settings;
    const change = { editing: editing ? null : "1" };
    this.store.dispatch(/** @type {Partial<S>} */ (change), { history: "replace" });
  }

  /** Loads what edits attention: most visitors edit none. */
  #loadEditing = once(async () => {
    const { Editing } = await import("./editing.js");
    this.#editing = new Editing(this.store, this.stage, this.#host);
  });

  #edit() {
    const { settings, answer } = this.store;
    const edited = settings.editing || settings.edits?.length || answer?.trace?.baseline;
    if (edited && answer) void this.#loadEditing();
  }

  /** Draws again, and loads what could not be loaded. */
  reload() {
    this.#redraw();
    this.#edit();
  }

  /** The result on screen, for the exports. */
  now = () => {
    const { scene, companions } = this.stage;
    return scene && { scene, settings: this.store.drawn, companions };
  };

  /** A trace for a file: the one on screen has the words that a person linked. @param {T} trace @param {T} [whole] with all its maps @returns {Promise<T>} */
  async linked(trace, whole = trace) {
    const scene = /** @type {any} */ (this.stage.scene);
    if (scene?.trace !== trace || (scene.links ?? null) === null) return whole;
    const { withLinks } = await import("../core/links.js");
    return /** @type {any} */ (withLinks(/** @type {any} */ (whole), scene));
  }

  /** Shows the request of the trace on screen. */
  drawShare() {
    const now = this.now();
    if (now) this.share?.draw(now);
  }

  /** Hides the controls that the address names; `heed.css` lists them. */
  #hide() {
    document.body.dataset.hide = this.store.settings.hide.join(" ");
  }

  /** @param {Dispatched<S, T>} change */
  #follow({ changed, asks }) {
    if (changed.has("show")) this.#panels.set(this.store.settings.show);
    if (changed.has("hide")) this.#hide();
    const drawn = [...changed].filter((name) => !NOT_DRAWN.includes(name));
    if (asks && this.#editing?.asks(changed)) return;
    if (asks && this.#host.ask) this.#host.ask(changed);
    else if (changed.has("answer")) this.#take();
    else if (drawn.length && drawn.every((name) => POSITION.includes(name)))
      this.stage.move(changed);
    else if (drawn.length) this.#redraw();
  }

  /** Draws an answer, which may lack what the settings show by now. */
  #take() {
    if (this.stage.take()) this.#host.complete?.(() => {});
    this.drawShare();
  }

  /** Draws the answer with the current settings, once it has all that they show. */
  #redraw() {
    if (this.#host.complete) this.#host.complete(() => this.#draw());
    else this.#draw();
  }

  #draw() {
    this.stage.draw();
    this.drawShare();
  }
}
