/** The page of pictures: settings in the address bar, a trace from the server, and the parts that show it. */

/** @import {Model, PictureSettings, PictureTrace, Trace} from "../types" */

import { ApiError, ask, gradually, loadTrace } from "../api.js";
import { ImportError } from "../outside.js";
import { savedAt } from "../saved.js";
import { visible } from "../text.js";
import { box, byId, element } from "../ui/dom.js";
import { Panels } from "../ui/panels.js";
import { reveal } from "../ui/scrolling.js";
import { servedAs } from "../ui/served.js";
import { watchTheme } from "../ui/theme.js";
import { onWidth } from "../ui/width.js";
import { brought } from "./brought.js";
import { fieldsOf, modelOf, pathOf, question, seeing } from "./request.js";
import { sampleOf } from "./samples.js";
import { YOURS, addressOf, afresh, asksTheSame, fromQuery, savedQuery } from "./state.js";
import { PictureForm } from "./ui/form.js";
import { Photos } from "./ui/photos.js";
import { PictureShare } from "./ui/share.js";
import { PictureStage } from "./ui/stage.js";

const SLOW_MS = 300;
const ADDRESS_MS = 150;
const MOST_RETRIES = 3;
/** A larger file is not decoded here before the server has made a small picture of it. */
const MOST_SHOWN = 20_000_000;

/** @type {Model[]} */
const models = seeing(JSON.parse(byId("ask", HTMLFormElement).dataset.models ?? "[]"));

class PicturePage {
  #settings = fromQuery(location.search);
  #form = new PictureForm(models, (change) => this.#ask(change));
  #stage = new PictureStage({
    look: (change) => this.#look(change),
    remember: (change) => this.#remember(change),
    answer: {
      others: (model) => models.filter(({ id, task }) => id !== model.id && task === model.task),
      ask: (model, signal) => this.#answer(this.#settings, model, signal),
    },
  });
  #panels = new Panels((show) => this.#remember({ show }));
  #share = new PictureShare(() => this.#stage.scene && box("stage").dataset.state === "ready" ? { scene: this.#stage.scene, settings: this.#settings, file: this.#fileName(), beside: this.#stage.beside } : null);
  /** What saves; there once its panel was opened. @type {import("../ui/keep.js").Keep<PictureSettings> | null} */
  #keep = null;
  /** Id of the saved trace that the address names. */
  #saved = savedAt(location.pathname);
  /** A photo of the person's own. @type {File | null} */
  #own = null;
  /** The samples that were fetched, by name. @type {Map<string, Promise<Blob>>} */
  #samples = new Map();
  /** The photo on screen before the server has answered. */
  #url = "";
  /** @type {AbortController | null} */
  #running = null;
  #addressTimer = 0;
  #retryTimer = 0;

  start() {
    watchTheme(() => this.#stage.redraw(this.#settings));
    new Photos({ take: (file) => this.#take(file), bring: (file) => this.#bring(file) });
    addEventListener("popstate", () => this.#travelled());
    addEventListener("resize", onWidth(() => this.#stage.redraw(this.#settings)));
    byId("call", HTMLDetailsElement).addEventListener("toggle", () => this.#offerKeeping(), { once: true });
    this.#restore();
    this.#open();
  }

  /** Most never save, so what does it is loaded when its panel is opened, or where something is saved. */
  async #offerKeeping() {
    const { Keep } = await import("../ui/keep.js");
    if (this.#keep) return;
    const now = () => (this.#stage.scene && box("stage").dataset.state === "ready" ? { trace: /** @type {Trace} */ (/** @type {unknown} */ (this.#stage.scene.trace)), settings: this.#settings } : null);
    this.#keep = new Keep(now, { query: savedQuery, title: (trace) => visible(trace.text) });
    this.#keep.show(this.#saved);
  }

  /** Shows what the address names: a saved trace, or the answer to its question. */
  #open() {
    if (this.#saved) {
      this.#offerKeeping();
      this.#recall(this.#saved);
      return;
    }
    if (this.#settings.sample === YOURS && !this.#own) {
      this.#settings = { ...this.#settings, sample: null };
      this.#form.mark(null);
      this.#form.notice("The photo of this address was somebody’s own; it was never kept. Here is a sample instead.");
      return void this.#run(MOST_RETRIES, true);
    }
    this.#run();
  }

  /** A photo of the person's own. @param {File} file */
  #take(file) {
    this.#own = file;
    this.#form.submit({ sample: YOURS, target: null });
  }

  /** A saved trace of a picture, in place of an answer. @param {File} file */
  async #bring(file) {
    try {
      const trace = brought(new Uint8Array(await file.arrayBuffer()));
      this.#begin().abort();
      this.#settings = afresh({ ...this.#settings, map: null, layer: null, head: null, pool: null });
      this.#form.accept();
      this.#shown(trace, null);
      this.#form.notice(`Shown is what you brought along in ${visible(file.name)}, with its photo in small. Ask anything to go on from here.`);
      reveal(box("form-error"));
    } catch (error) {
      const why = error instanceof ImportError ? error.message : "The file could not be read.";
      this.#form.accept();
      reveal(this.#form.refuse(new ApiError("not_taken", why, null)));
      if (!(error instanceof ImportError || error instanceof DOMException)) throw error;
    } finally {
      box("stage").setAttribute("aria-busy", "false");
    }
  }

  /** Shows a trace that nobody has asked for here, with its small photo to go on from. @param {PictureTrace} trace @param {string | null} id of one that is saved */
  #shown(trace, id) {
    const model = modelOf(trace, models);
    this.#settings = { ...this.#settings, ...question(trace), sample: YOURS };
    this.#own = smallPhoto(trace);
    this.#previewed = null;
    if (models.length) this.#form.set(this.#settings);
    this.#show(trace, model, id);
  }

  /** Another question: a new entry in the history. @param {Partial<PictureSettings>} change */
  #ask(change) {
    const next = afresh({ ...this.#settings, ...change });
    const again = !this.#saved && asksTheSame(next, this.#settings);
    const other = next.sample !== this.#settings.sample;
    this.#address("replaceState");
    this.#settings = next;
    this.#saved = null;
    if (!again) this.#address("pushState");
    this.#form.mark(next.sample);
    if (other) this.#form.accept();
    this.#open();
  }

  /** Another look at the same answer. @param {Partial<PictureSettings>} change */
  #look(change) {
    this.#remember(change);
    this.#stage.redraw(this.#settings);
  }

  /** What is shown already, for the address bar. @param {Partial<PictureSettings>} change */
  #remember(change) {
    this.#settings = { ...this.#settings, ...change };
    clearTimeout(this.#addressTimer);
    // Browsers refuse an address that changes with every pixel of a slider.
    this.#addressTimer = setTimeout(() => this.#address("replaceState"), ADDRESS_MS);
  }

  /** @param {"pushState" | "replaceState"} how */
  #address(how) {
    clearTimeout(this.#addressTimer);
    history[how](null, "", addressOf(location, this.#saved, this.#settings));
    this.#keep?.draw();
  }

  /** Shows a saved trace in place of an answer. @param {string} id */
  async #recall(id) {
    const running = this.#begin();
    try {
      const trace = /** @type {PictureTrace} */ (/** @type {unknown} */ (servedAs(id) ?? (await loadTrace(id, running.signal))));
      if (running.signal.aborted) return;
      this.#shown(trace, id);
      this.#form.notice("This is a saved result, with a small copy of its photo. Choose a photo to continue.");
    } catch (error) {
      if (running.signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      this.#failed(error, 0);
    } finally {
      this.#end(running);
    }
  }

  /** @param {PictureTrace} trace @param {Model} model @param {string | null} [id] of one that is saved */
  #show(trace, model, id) {
    this.#stage.show(trace, this.#settings, model);
    if (this.#stage.scene) this.#share.draw({ scene: this.#stage.scene, settings: this.#settings, file: this.#fileName() });
    this.#keep?.show(id);
    document.title = `${visible(trace.text)} · Heed`;
  }

  #fileName() {
    return this.#settings.sample === YOURS ? (this.#own?.name ?? "photo.jpg") : `${sampleOf(this.#settings.sample).name}.jpg`;
  }

  #travelled() {
    this.#stage.pause();
    clearTimeout(this.#addressTimer);
    const [before, saved] = [this.#settings, this.#saved];
    this.#settings = fromQuery(location.search);
    this.#saved = savedAt(location.pathname);
    this.#restore();
    if (!saved && !this.#saved && asksTheSame(before, this.#settings) && this.#stage.scene) this.#stage.redraw(this.#settings);
    else this.#open();
  }

  #restore() {
    if (models.length) this.#form.set(this.#settings);
    this.#panels.set(this.#settings.show);
  }

  /** @param {PictureSettings} settings @returns {Promise<Blob>} */
  #photo({ sample }) {
    if (sample === YOURS && this.#own) return Promise.resolve(this.#own);
    const { name } = sampleOf(sample);
    const known = this.#samples.get(name);
    if (known) return known;
    const fetched = fetch(`${box("gallery").dataset.samples}/${name}.jpg`).then((response) => {
      if (response.ok) return response.blob();
      throw new Error(`no sample ${name}`);
    });
    fetched.catch(() => this.#samples.delete(name));
    this.#samples.set(name, fetched);
    return fetched;
  }

  /** @param {PictureSettings} settings @param {Model} model @param {AbortSignal} signal @param {(trace: PictureTrace) => void} [grows] */
  async #answer(settings, model, signal, grows) {
    let photo;
    try {
      photo = await this.#photo(settings);
    } catch {
      throw new ApiError("unreachable", "The server does not answer. Is it still running?", null);
    }
    const form = new FormData();
    form.append("image", photo, this.#fileName());
    for (const [name, value] of fieldsOf(settings, model)) form.append(name, value);
    const told = grows && ((/** @type {Trace} */ trace) => grows(/** @type {any} */ (trace)));
    return /** @type {PictureTrace} */ (/** @type {unknown} */ (await ask(pathOf(model), { body: form }, signal, told)));
  }

  #begin() {
    this.#running?.abort();
    clearTimeout(this.#retryTimer);
    const running = new AbortController();
    this.#running = running;
    box("stage").setAttribute("aria-busy", "true");
    const slow = setTimeout(() => box("progress").toggleAttribute("data-slow", true), SLOW_MS);
    running.signal.addEventListener("abort", () => clearTimeout(slow));
    return Object.assign(running, { slow });
  }

  /** @param {AbortController & {slow?: number}} running */
  #end(running) {
    clearTimeout(running.slow);
    if (this.#running !== running) return;
    box("progress").toggleAttribute("data-slow", false);
    box("stage").setAttribute("aria-busy", "false");
  }

  /** Asks the server. A later question ends an earlier one. @param {number} [retries] @param {boolean} [noticed] whether something was said that should stay */
  async #run(retries = MOST_RETRIES, noticed = false) {
    const running = this.#begin();
    const { signal } = running;
    const model = this.#form.model;
    const growth = gradually(signal, (/** @type {PictureTrace} */ trace) => this.#stage.grow(trace, this.#settings, model));
    try {
      await this.#preview(signal);
      const trace = await this.#answer(this.#settings, model, signal, growth.tell);
      if (signal.aborted) return;
      if (!noticed) this.#form.accept();
      this.#show(trace, model);
      const wanted = this.#settings.model;
      if (wanted !== null && wanted !== model.id) this.#form.notice(`There is no model “${wanted}” here; “${model.name}” has answered instead.`);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      this.#failed(error, retries);
    } finally {
      growth.end();
      this.#end(running);
    }
  }

  /** The photo at once, while it is on its way; one that is on screen already stays as it is. @param {AbortSignal} signal */
  async #preview(signal) {
    const photo = await this.#photo(this.#settings).catch(() => null);
    if (signal.aborted || !photo || photo === this.#previewed) return;
    this.#previewed = photo;
    URL.revokeObjectURL(this.#url);
    this.#url = photo.size > MOST_SHOWN ? "" : URL.createObjectURL(photo);
    this.#stage.preview(this.#url);
  }

  /** The photo that was shown last. @type {Blob | null} */
  #previewed = null;

  /** @param {ApiError} error @param {number} retries */
  #failed(error, retries) {
    this.#form.accept();
    const place = this.#form.refuse(error);
    if (error.field === "image") reveal(place);
    box("stage").dataset.state = this.#stage.scene ? "stale" : "refused";
    this.#previewed = null;
    if (error.field) return;
    const again = element("button", { type: "button", class: "quiet" }, "Try again");
    again.addEventListener("click", () => this.#open());
    place.append(" ", again);
    if (error.retryAfter && retries > 0) this.#retryTimer = setTimeout(() => this.#run(retries - 1), error.retryAfter * 1000);
  }
}

/** The photo of a saved trace as a file, to ask more of it. @param {PictureTrace} trace */
function smallPhoto({ picture }) {
  const letters = atob(picture.preview.slice(picture.preview.indexOf(",") + 1));
  return new File([Uint8Array.from(letters, (letter) => letter.charCodeAt(0))], "photo.jpg", { type: "image/jpeg" });
}

box("empty").hidden = models.length > 0;
box("ask").hidden = models.length === 0;
if (models.length || savedAt(location.pathname)) new PicturePage().start();
else box("stage").hidden = true;
