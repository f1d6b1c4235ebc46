/**
 * The application of both pages: settings in the address bar, a trace from the server, and the stage
 * that shows it. The differences are in its `Page`: the kind of axis, the form, the request.
 */

/** @import {Model} from "../core/types" */
/** @import {BaseScene, BaseSettings, BaseTrace, Page} from "./types" */
/** @import {SaveLink} from "./save_link.js" */

import { ApiError, gradually, loadTrace } from "../core/api.js";
import { savedAt } from "../core/saved.js";
import { visible } from "../core/text.js";
import { viewsOf } from "../views/registry.js";
import { box, byId, element } from "./dom.js";
import { Panels } from "./panels.js";
import { preloadedSaved } from "./preloaded_trace.js";
import { reveal } from "./scrolling.js";
import { Share } from "./share.js";
import { Stage } from "./stage.js";
import { watchTheme } from "./theme.js";
import { onResize } from "./scrolling.js";

const SLOW_MS = 300;
const ADDRESS_MS = 150;
const MOST_RETRIES = 3;
const LONGEST_ADDRESS = 8000;

/**
 * Starts the application on this page.
 * @template {BaseSettings} S @template {BaseTrace} T @template {BaseScene<T>} C
 * @param {Page<S, T, C>} page
 */
export async function start(page) {
  const application = new Application(page);
  await application.load();
  application.start();
}

/**
 * @template {BaseSettings} S
 * @template {BaseTrace} T
 * @template {BaseScene<T>} C
 */
class Application {
  #page;
  #settings;
  #form;
  #stage;
  #panels = new Panels((show) => this.#remember(/** @type {Partial<S>} */ ({ show })));
  #share;
  /** Loaded when its panel is opened. @type {SaveLink<S, T> | null} */
  #saveLink = null;
  /** Id of the saved trace that the address names. */
  #saved = savedAt(location.pathname);
  /** @type {AbortController | null} */
  #running = null;
  /** The trace whose vectors were requested, so that a failed request is not repeated. @type {T | null} */
  #refetched = null;
  /** True once the user has made a request, not only followed a link. */
  #requested = false;
  #addressTimer = 0;
  #retryTimer = 0;

  /** @param {Page<S, T, C>} page */
  constructor(page) {
    this.#page = page;
    this.#settings = page.state.fromQuery(location.search);
    this.#form = page.form((change) => this.#request(change));
    /** @type {Stage<S, T, C>} */
    this.#stage = new Stage(page.axis, viewsOf(page.axis.kind), {
      models: page.models,
      change: (change) => this.#change(change),
      remember: (change) => this.#remember(change),
      ask: (settings, model, signal) => page.answer(settings, model, signal),
    });
    this.#share = new Share(page.axis.kind, page.state, page.exports, () => this.#now());
  }

  /** Loads the view of the address, so that the first trace is drawn at once. */
  async load() {
    const { DEFAULTS } = this.#page.state;
    await Promise.all([DEFAULTS.view, this.#settings.view].map((name) => this.#stage.load(name)));
  }

  start() {
    watchTheme(() => this.#draw());
    this.#page.files({
      submit: (change) => this.#request(change),
      open: (name, bytes) => this.#import(name, bytes),
    });
    addEventListener("popstate", () => this.#navigated());
    addEventListener(
      "resize",
      onResize(() => this.#draw()),
    );
    byId("call", HTMLDetailsElement).addEventListener("toggle", () => this.#loadSaveLink(), {
      once: true,
    });
    this.#restore();
    this.#open();
  }

  #now() {
    const { scene, companions } = this.#stage;
    return scene && { scene, settings: this.#settings, companions };
  }

  /** Loads what saves a trace: most users never save one. */
  async #loadSaveLink() {
    const { SaveLink } = await import("./save_link.js");
    if (this.#saveLink) return;
    const now = () =>
      this.#stage.scene && box("stage").dataset.state !== "growing"
        ? { trace: this.#stage.scene.trace, settings: this.#settings }
        : null;
    this.#saveLink = new SaveLink(now, {
      query: this.#page.state.savedQuery,
      title: this.#page.frameTitle,
    });
    this.#saveLink.show(this.#saved);
  }

  /** Shows the trace of the address: a saved one, or the answer to its request. */
  #open() {
    if (this.#saved) {
      this.#loadSaveLink();
      this.#openSaved(this.#saved);
      return;
    }
    const instead = this.#page.instead?.(this.#settings);
    if (!instead) return void this.#run();
    this.#settings = instead.settings;
    this.#form.notice(instead.notice);
    this.#run(MOST_RETRIES, true);
  }

  /** Makes another request: a new entry in the history. @param {Partial<S>} change */
  #request(change) {
    const { state, restarted } = this.#page;
    const before = this.#settings;
    const next = restarted({ ...before, ...change });
    const again = !this.#saved && state.sameRequest(next, before);
    this.#address("replaceState");
    this.#settings = next;
    this.#saved = null;
    if (!again) this.#address("pushState");
    this.#requested = true;
    this.#page.requesting?.(next, before);
    this.#open();
  }

  /** Changes the view of the same answer. @param {Partial<S>} change */
  #change(change) {
    this.#remember(change);
    this.#redraw();
  }

  /** Draws the answer with the current settings, after requesting the vectors that they need. */
  #redraw() {
    const fetch = this.#missingVectors();
    if (fetch) this.#refetch(fetch);
    else this.#draw();
  }

  #draw() {
    this.#stage.redraw(this.#settings);
    const now = this.#now();
    if (now) this.#share.draw(now);
  }

  #missingVectors() {
    const { scene } = this.#stage;
    return scene && scene.trace !== this.#refetched
      ? (this.#page.refetch?.(scene.trace, this.#settings, scene.model) ?? null)
      : null;
  }

  /** Requests the same answer with more vectors; until it comes, a slow one is drawn without. @param {(signal: AbortSignal) => Promise<T | null>} fetch */
  async #refetch(fetch) {
    const running = this.#running ?? new AbortController();
    this.#refetched = this.#stage.scene?.trace ?? null;
    const slow = setTimeout(() => this.#draw(), SLOW_MS);
    try {
      const trace = await fetch(running.signal);
      if (trace && !running.signal.aborted) this.#stage.complete(trace);
    } catch (error) {
      if (!running.signal.aborted && !(error instanceof ApiError)) throw error;
    } finally {
      clearTimeout(slow);
    }
    if (!running.signal.aborted) this.#draw();
  }

  /** Writes settings that are drawn already into the address bar. @param {Partial<S>} change */
  #remember(change) {
    this.#settings = { ...this.#settings, ...change };
    clearTimeout(this.#addressTimer);
    // Browsers refuse an address that changes with every pixel of a slider.
    this.#addressTimer = setTimeout(() => this.#address("replaceState"), ADDRESS_MS);
  }

  /** Shows the trace of a file. Throws `ImportError`. @param {string} name @param {Uint8Array<ArrayBuffer>} bytes */
  async #import(name, bytes) {
    const trace = await this.#page.read(bytes);
    this.#stop();
    this.#settings = this.#page.restarted({
      ...this.#settings,
      map: null,
      layer: null,
      head: null,
      pool: null,
    });
    this.#adopt(trace, this.#page.importedModel(trace), { file: name });
    this.#form.notice(this.#page.notices.imported(visible(name)));
    reveal(box("form-error"));
  }

  /** Shows a trace that was not requested here, with its request in the form if it has one. @param {T} trace @param {Model} model @param {{file?: string, id?: string}} from */
  #adopt(trace, model, from) {
    const request = this.#page.adopt(trace, model);
    this.#settings = { ...this.#settings, ...request };
    if (Object.keys(request).length && this.#page.models.length) this.#form.set(this.#settings);
    this.#form.accept();
    this.#show(trace, model, from);
  }

  /** Shows a saved trace. @param {string} id */
  async #openSaved(id) {
    const running = this.#begin();
    try {
      const trace = /** @type {T} */ (preloadedSaved(id) ?? (await loadTrace(id, running.signal)));
      if (running.signal.aborted) return;
      this.#adopt(trace, this.#page.modelOf(trace), { id });
      this.#form.notice(this.#page.notices.saved);
    } catch (error) {
      if (running.signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      this.#failed(error, 0);
    } finally {
      this.#end(running);
    }
  }

  /** Stops the current request. */
  #stop() {
    this.#running?.abort();
    clearTimeout(this.#retryTimer);
  }

  /** Begins a request, which stops the one before. */
  #begin() {
    this.#stop();
    const running = new AbortController();
    this.#running = running;
    box("stage").setAttribute("aria-busy", "true");
    const slow = setTimeout(() => box("progress").toggleAttribute("data-slow", true), SLOW_MS);
    return Object.assign(running, { slow });
  }

  /** @param {AbortController & {slow: number}} running */
  #end(running) {
    clearTimeout(running.slow);
    if (this.#running !== running) return;
    box("progress").toggleAttribute("data-slow", false);
    box("stage").setAttribute("aria-busy", "false");
  }

  /** @param {T} trace @param {Model} model @param {{file?: string, id?: string}} [from] its file, or the id it is saved under */
  #show(trace, model, { file, id } = {}) {
    this.#stage.show(trace, this.#settings, model);
    const now = this.#now();
    if (now) this.#share.draw(now);
    if (this.#missingVectors()) this.#redraw();
    this.#saveLink?.show(id ?? null);
    document.title = `${visible(this.#page.title(trace, file))} · Heed`;
  }

  #navigated() {
    this.#stage.pause();
    clearTimeout(this.#addressTimer);
    const [before, saved] = [this.#settings, this.#saved];
    this.#settings = this.#page.state.fromQuery(location.search);
    this.#saved = savedAt(location.pathname);
    this.#restore();
    if (
      !saved &&
      !this.#saved &&
      this.#page.state.sameRequest(before, this.#settings) &&
      this.#stage.scene
    )
      this.#redraw();
    else this.#open();
  }

  #restore() {
    if (this.#page.models.length) this.#form.set(this.#settings);
    this.#panels.set(this.#settings.show);
  }

  /** @param {"pushState" | "replaceState"} how */
  #address(how) {
    clearTimeout(this.#addressTimer);
    const address = this.#page.state.addressOf(location, this.#saved, this.#settings);
    // A text of this length is too long for every model, and its address would break the page.
    if (address.length > LONGEST_ADDRESS) return;
    history[how](null, "", address);
    this.#saveLink?.draw();
  }

  /** Requests the answer. @param {number} [retries] @param {boolean} [noticed] true if a notice is shown that should stay */
  async #run(retries = MOST_RETRIES, noticed = false) {
    const running = this.#begin();
    const { signal } = running;
    const { model } = this.#form;
    const growth = gradually(signal, (/** @type {T} */ trace) =>
      this.#stage.grow(trace, this.#settings, model),
    );
    try {
      if (this.#page.preview) {
        const url = await this.#page.preview(this.#settings, signal);
        if (signal.aborted) return;
        if (url !== null) this.#stage.preview(url);
      }
      const trace =
        this.#page.preloaded?.(this.#settings, model) ??
        (await this.#page.answer(this.#settings, model, signal, growth.push));
      if (signal.aborted) return;
      if (this.#requested) this.#page.answered?.(trace);
      if (!noticed) this.#form.accept();
      this.#show(trace, model);
      const wanted = this.#settings.model;
      if (wanted !== null && wanted !== model.id)
        this.#form.notice(
          `The model “${wanted}” is not installed; “${model.name}” answered instead.`,
        );
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      this.#failed(error, retries);
    } finally {
      growth.end();
      this.#end(running);
    }
  }

  /** @param {ApiError} error @param {number} retries */
  #failed(error, retries) {
    this.#form.accept();
    const place = this.#form.refuse(error);
    this.#page.failed?.(error, place);
    box("stage").dataset.state = this.#stage.scene ? "stale" : this.#page.refused;
    if (error.field) return;
    const again = element("button", { type: "button", class: "quiet" }, "Try again");
    again.addEventListener("click", () => this.#open());
    place.append(" ", again);
    if (error.retryAfter && retries > 0)
      this.#retryTimer = setTimeout(() => this.#run(retries - 1), error.retryAfter * 1000);
  }
}
