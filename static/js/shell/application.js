/**
 * The application of both pages: settings in the address bar, a trace from the server, and the stage
 * that shows it. The differences are in its `Page`: the kind of axis, the form, the request.
 */

/** @import {Model} from "../core/types" */
/** @import {BaseScene, BaseSettings, BaseTrace, Page} from "./types" */
/** @import {Presentation} from "./presentation.js" */
/** @import {SaveLink} from "./save_link.js" */
/** @import {Share} from "./share.js" */

import { TOO_LONG } from "../core/address.js";
import { ApiError, gradually, loadTrace } from "../core/api.js";
import { visible } from "../core/text.js";
import { viewsOf } from "../core/views.js";
import { AddressBar } from "./address_bar.js";
import { box, byId, element, painted } from "../draw/dom.js";
import { MissingVectors } from "./missing_vectors.js";
import { Panels } from "./panels.js";
import { PendingRequest } from "./pending_request.js";
import { preloadedSaved } from "./preloaded_trace.js";
import { onResize, reveal } from "../draw/scrolling.js";
import { Stage } from "./stage.js";
import { watchTheme } from "../draw/theme.js";

const MOST_RETRIES = 3;

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

/** Starts the tour on its pages. */
async function loadTour() {
  if (document.getElementById("tour")) (await import("./tour.js")).startTour();
}

/** Loads what the first drawing does without. */
async function loadRest() {
  await painted();
  (await import("./explanations.js")).explainTerms();
}

/**
 * @template {BaseSettings} S
 * @template {BaseTrace} T
 * @template {BaseScene<T>} C
 */
class Application {
  #page;
  #address;
  #form;
  #stage;
  #panels = new Panels((show) => this.#address.remember(/** @type {Partial<S>} */ ({ show })));
  /** Loaded when its panel is opened. @type {Share<S, T, C> | null} */
  #share = null;
  #vectors;
  #pending = new PendingRequest();
  /** Loaded with the exports, or with a saved trace. @type {SaveLink<S, T> | null} */
  #saveLink = null;
  /** Loaded when one begins. @type {Promise<Presentation> | null} */
  #presentation = null;
  /** True once the user has made a request, not only followed a link. */
  #requested = false;

  /** @param {Page<S, T, C>} page */
  constructor(page) {
    this.#page = page;
    this.#address = new AddressBar(page.state, () => this.#saveLink?.draw());
    this.#form = page.form((change) => this.#request(change));
    /** @type {Stage<S, T, C>} */
    this.#stage = new Stage(page.axis, viewsOf(page.axis.kind), {
      models: page.models,
      change: (change) => this.#change(change),
      remember: (change) => this.#address.remember(change),
      answer: (settings, model, signal) => page.answer(settings, model, signal),
      request: (change) => this.#requestAndShow(change),
    });
    this.#vectors = new MissingVectors(page, this.#stage);
  }

  /** Loads the view of the address, so that the first trace is drawn at once, and the tour's keys. */
  async load() {
    const { DEFAULTS } = this.#page.state;
    const views = [DEFAULTS.view, this.#address.settings.view];
    await Promise.all([...views.map((name) => this.#stage.load(name)), loadTour()]);
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
    byId("call", HTMLDetailsElement).addEventListener("toggle", () => this.#loadShare(), {
      once: true,
    });
    document.getElementById("present")?.addEventListener("click", () => this.#startPresenting());
    this.#restore();
    this.#open();
    void loadRest();
  }

  #now() {
    const { scene, companions } = this.#stage;
    return scene && { scene, settings: this.#address.settings, companions };
  }

  /** The trace with all its maps, for a file. @param {T} trace */
  #whole = async (trace) => (await this.#page.whole?.(trace)) ?? trace;

  /** Loads the modules that export traces: most users never export one. */
  async #loadShare() {
    const [{ Share }, exports] = await Promise.all([
      import("./share.js"),
      this.#page.exports(),
      this.#loadSaveLink(),
    ]);
    const { axis, state } = this.#page;
    const whole = this.#whole;
    this.#share = new Share(axis.kind, state, exports, () => this.#now(), { whole });
    this.#drawShare();
  }

  /** Shows the request of the trace on screen. */
  #drawShare() {
    const now = this.#now();
    if (now) this.#share?.draw(now);
  }

  /** Loads the module that saves traces: most users never save one. */
  async #loadSaveLink() {
    const { SaveLink } = await import("./save_link.js");
    if (this.#saveLink) return;
    const now = () =>
      this.#stage.scene && box("stage").dataset.state !== "growing"
        ? { trace: this.#stage.scene.trace, settings: this.#address.settings }
        : null;
    this.#saveLink = new SaveLink(now, {
      query: this.#page.state.savedQuery,
      title: this.#page.frameTitle,
      whole: this.#whole,
    });
    this.#saveLink.show(this.#address.saved);
  }

  /** Shows the trace of the address: a saved one, or the answer to its request. */
  #open() {
    if (this.#address.saved) {
      this.#loadSaveLink();
      this.#openSaved(this.#address.saved);
      return;
    }
    this.#showExample();
    const instead = this.#page.instead?.(this.#address.settings);
    if (!instead) return void this.#run();
    this.#address.settings = instead.settings;
    this.#form.notice(instead.notice);
    this.#run(MOST_RETRIES, true);
  }

  /** Takes the example of the view of the address, if the address names no input. */
  #showExample() {
    const { settings } = this.#address;
    const before = { ...settings, view: this.#page.state.DEFAULTS.view };
    const example = this.#page.example?.(before, settings, this.#form.model);
    if (!example) return;
    this.#address.settings = { ...settings, ...example };
    this.#form.set(this.#address.settings);
  }

  /** Makes another request: a new entry in the history. @param {Partial<S>} change */
  #request(change) {
    const before = this.#address.settings;
    const next = this.#page.restarted({ ...before, ...change });
    this.#address.goTo(next);
    this.#requested = true;
    this.#page.requesting?.(next, before);
    this.#open();
  }

  /** Makes a request that does not come from the form, which shows it then. @param {Partial<S>} change */
  #requestAndShow(change) {
    this.#request(change);
    this.#form.set(this.#address.settings);
  }

  /** Changes the view of the same answer, or requests the example of the new view. @param {Partial<S>} change */
  #change(change) {
    const { settings, saved } = this.#address;
    const example = saved ? null : this.#page.example?.(settings, change, this.#form.model);
    if (example) return this.#requestAndShow({ ...change, ...example });
    this.#address.remember(change);
    this.#redraw();
  }

  /** Draws the answer with the current settings, after loading the maps that they need. */
  #redraw() {
    const { scene } = this.#stage;
    const { signal } = this.#pending;
    const loading =
      scene && this.#page.load?.(scene.trace, this.#address.settings, scene.model, signal);
    if (!loading) return this.#redrawLoaded();
    loading.then(
      () => this.#redrawLoaded(),
      (error) => {
        if (signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        this.#failed(error, 0);
      },
    );
  }

  /** Draws the answer, after requesting the vectors that the settings need. */
  #redrawLoaded() {
    const fetch = this.#vectors.request(this.#address.settings);
    if (fetch) this.#vectors.fetch(fetch, this.#pending.signal, () => this.#draw());
    else this.#draw();
  }

  #draw() {
    this.#stage.redraw(this.#address.settings);
    this.#drawShare();
    void this.#present();
  }

  /** Begins, changes or ends the presentation, as the address says. */
  async #present() {
    const { present } = this.#address.settings;
    if (present === null && !this.#presentation) return;
    this.#presentation ??= this.#loadPresentation();
    (await this.#presentation).show(this.#address.settings.present);
  }

  async #loadPresentation() {
    const { Presentation } = await import("./presentation.js");
    return new Presentation({
      change: (change) => this.#change(/** @type {Partial<S>} */ (change)),
      redraw: () => this.#stage.redraw(this.#address.settings),
    });
  }

  #startPresenting() {
    // At once, because browsers allow it only while they handle the click.
    document.documentElement.requestFullscreen?.().catch(() => {});
    this.#change(/** @type {Partial<S>} */ ({ present: "1" }));
  }

  /** Shows the trace of a file. Throws `ImportError`. @param {string} name @param {Uint8Array<ArrayBuffer>} bytes */
  async #import(name, bytes) {
    const trace = await this.#page.read(bytes);
    this.#pending.stop();
    this.#address.settings = this.#page.restarted({
      ...this.#address.settings,
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
    this.#address.settings = { ...this.#address.settings, ...request };
    if (Object.keys(request).length && this.#page.models.length)
      this.#form.set(this.#address.settings);
    this.#form.accept();
    this.#show(trace, model, from);
  }

  /** Shows a saved trace. @param {string} id */
  async #openSaved(id) {
    const running = this.#pending.begin();
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
      this.#pending.end(running);
    }
  }

  /** @param {T} trace @param {Model} model @param {{file?: string, id?: string}} [from] its file, or the id it is saved under */
  #show(trace, model, { file, id } = {}) {
    this.#stage.show(trace, this.#address.settings, model);
    this.#drawShare();
    if (this.#vectors.request(this.#address.settings)) this.#redraw();
    void this.#present();
    this.#saveLink?.show(id ?? null);
    document.title = `${visible(this.#page.title(trace, file))} · Heed`;
  }

  #navigated() {
    this.#stage.pause();
    const { settings: before, saved } = this.#address;
    this.#address.read();
    this.#restore();
    const same =
      !saved &&
      !this.#address.saved &&
      this.#page.state.sameRequest(before, this.#address.settings);
    if (same && this.#stage.scene) this.#redraw();
    else this.#open();
  }

  #restore() {
    if (this.#page.models.length) this.#form.set(this.#address.settings);
    this.#panels.set(this.#address.settings.show);
  }

  /** Requests the answer. @param {number} [retries] @param {boolean} [noticed] true if a notice is shown that should stay */
  async #run(retries = MOST_RETRIES, noticed = false) {
    const running = this.#pending.begin();
    const { signal } = running;
    const { model } = this.#form;
    const growth = gradually(signal, (/** @type {T} */ trace) =>
      this.#stage.grow(trace, this.#address.settings, model),
    );
    try {
      if (this.#page.preview) {
        const url = await this.#page.preview(this.#address.settings, signal);
        if (signal.aborted) return;
        if (url !== null) this.#stage.preview(url);
      }
      const trace =
        this.#page.preloaded?.(this.#address.settings, model) ??
        (await this.#page.answer(this.#address.settings, model, signal, growth.push));
      if (signal.aborted) return;
      if (this.#requested) this.#page.answered?.(trace);
      if (!noticed) this.#form.accept();
      this.#show(trace, model);
      if (this.#address.tooLong) this.#form.notice(TOO_LONG);
      const wanted = this.#address.settings.model;
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
      this.#pending.end(running);
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
      this.#pending.retry(() => this.#run(retries - 1), error.retryAfter);
  }
}
