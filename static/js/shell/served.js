/**
 * A page that a server answers: the form and the address share its store, requests bring the traces.
 * The differences between pages are in their `Page`: the kind of axis, the form, the request.
 */

/** @import {Answer, Model} from "../core/types" */
/** @import {Answered, BaseScene, BaseSettings, BaseTrace, Page} from "./types" */
/** @import {SaveLink} from "./save_link.js" */
/** @import {Lesson} from "./lesson.js" */

import { TOO_LONG } from "../core/address.js";
import { ApiError, gradually, isUnloaded, loadTrace, unreachable } from "../core/api.js";
import { once } from "../core/once.js";
import { savedAt } from "../core/saved.js";
import { Store } from "../core/store.js";
import { languageOf, visible } from "../core/text.js";
import { viewsOf } from "../core/views.js";
import { box, byId, html, painted, setLanguage } from "../draw/dom.js";
import { reveal } from "../draw/scrolling.js";
import { AddressBar } from "./address_bar.js";
import { Application } from "./application.js";
import { installing } from "./fields.js";
import { PendingRequest } from "./pending_request.js";
import { preloadedSaved } from "./preloaded_trace.js";

const MOST_RETRIES = 3;
/** For changes that no person made. */
const UNSAID = /** @type {const} */ ({ history: "none" });

/**
 * Starts a page.
 * @template {BaseSettings} S @template {BaseTrace} T @template {BaseScene<T>} C
 * @param {Page<S, T, C>} page
 */
export async function start(page) {
  const served = new Served(page);
  await served.load();
  served.start();
}

/**
 * @template {BaseSettings} S
 * @template {BaseTrace} T
 * @template {BaseScene<T>} C
 */
class Served {
  #page;
  /** @type {Store<S, T>} */
  #store;
  #address;
  #form;
  /** @type {Application<S, T, C>} */
  #application;
  #pending = new PendingRequest();
  /** Loaded with the exports, or in a frame of another page. @type {SaveLink<S, T> | null} */
  #saveLink = null;
  /** @type {Lesson<S, T> | null} */
  #lesson = null;
  /** @type {import("./share_card.js").ShareCard | null} */
  #card = null;
  /** True once the user has made a request, not only followed a link. */
  #requested = false;
  /** @type {Answered<S, T> | null} */
  #last = null;
  /** The region from which a screen reader reads an answer. */
  #said = html.p({ id: "answered", class: "visually-hidden", role: "status" });
  /** The notice about the request on screen, until the next one. */
  #notice = "";
  /** Counts what was requested or opened: a file that is read slowly gives way to what is newer. */
  #turn = 0;

  /** @param {Page<S, T, C>} page */
  constructor(page) {
    const { axis, models, state } = page;
    this.#page = page;
    this.#store = new Store(state, state.fromQuery(location.search), savedAt(location.pathname));
    this.#address = new AddressBar(state, this.#store, () => this.#saveLink?.draw());
    this.#form = page.form((change) => this.#request(change));
    this.#application = new Application(axis, this.#store, {
      views: viewsOf(axis.kind),
      models,
      change: (change, how) => this.#store.dispatch(change, how),
      answer: (settings, model, signal) => page.answer(settings, model, signal),
      request: (change) => this.#request(change),
      photo: page.photo,
      ask: (changed) => this.#ask(changed),
      complete: (draw) => this.#complete(draw),
      edits: {
        begin: () => {
          const running = this.#pending.begin();
          return { signal: running.signal, end: () => this.#pending.end(running) };
        },
        last: () => this.#last,
        answer: async (signal, passing) => {
          // Settings and model may have changed by the time of the answer.
          const [asked, { model }] = [this.#settings, this.#form];
          const trace = await page.answer(asked, model, signal, undefined, passing);
          const show = (/** @type {T} */ moved) => {
            this.#accept();
            this.#show(moved, model, { since: 0, asked });
          };
          return { trace, show };
        },
      },
    });
    this.#store.subscribe(({ changed }) => {
      if (changed.has("present") || changed.has("answer")) this.#present();
    });
    addEventListener("unhandledrejection", (event) => {
      if (!isUnloaded(event.reason)) return;
      event.preventDefault();
      this.#accept();
      this.#offerAgain(this.#form.refuse(unreachable()), () => this.#reload());
    });
    // A presentation hides the offer.
    addEventListener("online", () => document.getElementById("again")?.click());
  }

  get #settings() {
    return this.#store.settings;
  }

  get #stage() {
    return this.#application.stage;
  }

  /** Loads the view of the address, so that the first trace is drawn at once, and the lesson's keys. */
  async load() {
    const views = [this.#page.state.DEFAULTS.view, this.#settings.view];
    // If one is missing, a view is loaded again when it is drawn, and the lesson by `start`.
    await Promise.allSettled([...views.map((name) => this.#stage.load(name)), this.#loadLesson()]);
  }

  start() {
    const { models } = this.#page;
    const call = byId("call", HTMLDetailsElement);
    // An address may open it before this, while the view is loaded.
    if (call.open) void this.#loadShare();
    else call.addEventListener("toggle", () => this.#loadShare());
    document.getElementById("present")?.addEventListener("click", () => this.#startPresenting());
    document.getElementById("share-open")?.addEventListener("click", () => this.#openCard());
    box("main").append(this.#said);
    if (models.length) this.#form.set(this.#settings);
    const given = this.#page.handed?.();
    if (given) void this.#import(given.name, given.bytes);
    else this.#open();
    this.#loadRest();
  }

  #loadLesson = once(async () => {
    if (!document.getElementById("lesson")) return;
    const { Lesson } = await import("./lesson.js");
    this.#lesson = new Lesson(this.#page.state, this.#store, (id) => this.#textOf(id));
  });

  /** Parts that a page has from its start, whatever it shows. */
  #rest = [
    this.#loadLesson,
    once(async () =>
      this.#page.files({
        submit: (change) => this.#request(change),
        open: (name, bytes) => this.#import(name, bytes),
      }),
    ),
    once(async () => {
      if (!("embedded" in document.body.dataset)) return;
      (await import("./embedded.js")).startEmbedded(() => this.#stage.scene?.model.name);
      await this.#loadSaveLink(); // of *Open in Heed*
    }),
    once(async () => {
      await painted();
      (await import("./explanations.js")).explainTerms();
    }),
  ];

  #loadRest() {
    for (const load of this.#rest) void load();
  }

  /** Loads the parts that could not be loaded. The answer stays, unless its own message was replaced. */
  #reload() {
    this.#accept();
    this.#loadRest();
    this.#application.reload();
    this.#present();
    if (this.#failed) this.#open();
    if (byId("call", HTMLDetailsElement).open) void this.#loadShare();
  }

  /** The output of another model on the input of the page. @param {string} id */
  async #textOf(id) {
    const model = this.#page.models.find((each) => each.id === id);
    if (!model) throw new Error(`the model ${id} is not installed`);
    const { signal } = new AbortController();
    return (await this.#page.answer({ ...this.#settings, model: id }, model, signal)).text;
  }

  /** The trace with all its maps, for a file. @param {T} trace */
  #whole = async (trace) =>
    this.#application.linked(trace, (await this.#page.whole?.(trace)) ?? trace);

  /** Loads the modules that export traces: most users never export one. */
  #loadShare = once(async () => {
    const [{ Share }, exports] = await Promise.all([
      import("./share.js"),
      this.#page.exports(),
      this.#loadSaveLink(),
    ]);
    const { axis, state } = this.#page;
    const whole = this.#whole;
    this.#application.share = new Share(axis.kind, state, exports, this.#application.now, {
      whole,
    });
    this.#application.drawShare();
  });

  /** Loads the module that saves traces: most users never save one. */
  #loadSaveLink = once(async () => {
    const { SaveLink } = await import("./save_link.js");
    const now = () => {
      const { scene } = this.#stage;
      return scene && this.#store.answer?.phase !== "growing"
        ? { trace: scene.trace, settings: this.#settings }
        : null;
    };
    this.#saveLink = new SaveLink(now, {
      query: this.#page.state.savedQuery,
      title: this.#page.frameTitle,
      whole: this.#whole,
    });
    this.#saveLink.show(this.#store.saved);
  });

  /** Opens the card with the QR code and the link. */
  #openCard = async () => {
    const { ShareCard } = await import("./share_card.js");
    this.#card ??= new ShareCard(this.#store, this.#page.state, {
      model: () => this.#model(),
      tooLong: () => this.#address.tooLong,
      save: async () => {
        await this.#loadSaveLink();
        return this.#saveLink?.save();
      },
      files: async () => {
        byId("call", HTMLDetailsElement).open = true;
        await this.#loadShare();
      },
    });
    await this.#card.open();
  };

  /** The id of the model on screen, none of one that the server does not have. */
  #model() {
    const id = this.#stage.scene?.model.id;
    return this.#page.models.find((model) => model.id === id)?.id ?? "";
  }

  /** Makes another request: a new entry in the history, unless it is the same. @param {Partial<S>} change */
  #request(change) {
    const { state } = this.#page;
    const next = state.restarted({ ...this.#settings, ...change });
    const again = !this.#store.saved && state.sameRequest(next, this.#settings);
    this.#requested = true;
    this.#notice = "";
    this.#store.dispatch({ ...next, saved: null }, { history: again ? "replace" : "push" });
    if (again) this.#ask(new Set());
  }

  /** Shows the request of the store in the form, and its answer. @param {ReadonlySet<string>} changed */
  #ask(changed) {
    if (this.#page.models.length) this.#form.set(this.#settings);
    // What was wrong with one photo is not with another.
    if (changed.has("sample")) this.#accept();
    this.#open();
  }

  #accept() {
    this.#form.accept();
    if (this.#notice) this.#form.notice(this.#notice);
  }

  /** Shows the trace of the store's request: a saved one, or the answer. */
  #open() {
    this.#turn++;
    const { saved } = this.#store;
    if (saved) return void this.#openSaved(saved);
    const instead = this.#page.instead?.(this.#settings);
    if (!instead) return void this.#run();
    this.#notice = instead.notice;
    this.#store.dispatch(instead.change, UNSAID);
  }

  /** Begins a request. The answer that did not come is then asked for again. */
  #begin() {
    const { answer, drawn } = this.#store;
    if (answer && this.#failed) this.#say({ ...answer, again: true }, {}, drawn);
    return this.#pending.begin();
  }

  /** True if the last request failed. */
  get #failed() {
    return ["stale", this.#page.refused].includes(this.#store.answer?.phase ?? "");
  }

  /** Requests the answer. @param {number} [retries] */
  async #run(retries = MOST_RETRIES) {
    const running = this.#begin();
    const { signal } = running;
    const { model } = this.#form;
    /** @type {number | null} */
    let since = null;
    const growth = gradually(signal, (/** @type {T} */ trace, from) => {
      if (!this.#page.axis.whileGrowing(trace, this.#settings)) return;
      this.#say({ phase: "growing", trace, model, since: since === null ? null : from });
      since = 0;
    });
    try {
      const preview = await this.#page.preview?.(this.#settings, signal);
      if (signal.aborted) return;
      if (typeof preview === "string")
        this.#say({ phase: "waiting", trace: null, model, since: null, preview });
      const answer =
        this.#page.preloaded?.(this.#settings, model) ??
        (await this.#page.answer(this.#settings, model, signal, growth.push));
      if (signal.aborted) return;
      const trace = this.#page.received?.(answer, this.#store.answer?.trace ?? null) ?? answer;
      if (this.#requested) this.#page.answered?.(trace, this.#settings);
      this.#accept();
      this.#show(trace, model, { since });
      this.#loadRest(); // the message about what is missing is gone
      if (this.#requested) this.#announce(trace, model);
      this.#remark(model);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      this.#refuse(error, retries);
      this.#resume();
    } finally {
      growth.end();
      this.#pending.end(running);
    }
  }

  /** Says the whole answer to a screen reader, once. @param {T} trace @param {Model} model */
  #announce({ text }, { target }) {
    const said = html.span(visible(text) || "Nothing was written.");
    setLanguage(said, languageOf({ source: target, target }, "target"));
    this.#said.replaceChildren("Answer: ", said);
  }

  /** Says what the address or the answer does not have. @param {Model} model */
  #remark({ id, name }) {
    if (this.#address.tooLong) this.#form.notice(TOO_LONG);
    const wanted = this.#settings.model;
    if (wanted !== null && wanted !== id)
      this.#form.notice(
        `The model “${wanted}” is not installed; “${name}” answered instead.${installing(wanted)}`,
      );
  }

  /** @param {Answer<T>} answer @param {Partial<S>} [settings] that come with it @param {S} [asked] the settings of its request */
  #say(answer, settings, asked = { ...this.#settings, ...settings }) {
    const said = { ...answer, asked: this.#requestOf(asked) };
    this.#store.dispatch({ ...settings, answer: said }, UNSAID);
    return said;
  }

  /** @param {S} settings @returns {Partial<S>} those that are part of a request */
  #requestOf(settings) {
    const { requestNames } = this.#page.state;
    return /** @type {Partial<S>} */ (
      Object.fromEntries(requestNames.map((name) => [name, settings[name]]))
    );
  }

  /** @param {T} trace @param {Model} model @param {{since?: number | null, settings?: Partial<S>, asked?: S, file?: string, id?: string}} [from] its file, or the id it is saved under; `asked`: the settings of its request */
  #show(trace, model, { since = null, settings, asked, file, id } = {}) {
    const answer = this.#say({ phase: "ready", trace, model, since }, settings, asked);
    this.#last = { answer, settings: asked ?? this.#settings, saved: this.#store.saved };
    this.#saveLink?.show(id ?? null);
    document.title = `${visible(this.#page.title(trace, file))} · Heed`;
  }

  /** Shows the trace of a file. Throws `ImportError`. @param {string} name @param {Uint8Array<ArrayBuffer>} bytes */
  async #import(name, bytes) {
    const turn = ++this.#turn;
    const trace = await this.#page.read(bytes);
    if (turn !== this.#turn) return;
    this.#pending.end(this.#pending.begin());
    const settings = this.#page.state.restarted({
      ...this.#settings,
      map: null,
      layer: null,
      head: null,
      pool: null,
    });
    this.#adopt(trace, this.#page.importedModel(trace, visible(name)), { settings, file: name });
    this.#form.notice(this.#page.notices.imported(visible(name)));
    reveal(box("form-error"));
  }

  /** Shows a trace that was not requested here, with its request in the form if it has one. @param {T} trace @param {Model} model @param {{settings?: S, file?: string, id?: string}} from */
  #adopt(trace, model, { settings, ...from }) {
    const request = this.#page.adopt(trace, model);
    this.#form.accept();
    this.#show(trace, model, { ...from, settings: { ...settings, ...request } });
    if (!this.#page.models.length) return;
    if (Object.keys(request).length) return this.#form.set(this.#settings);
    // The form shows its text, but the model stays the one that is asked next.
    const { model: asked } = this.#settings;
    this.#form.set({ ...this.#settings, ...this.#page.asked(trace), model: asked });
    this.#form.lend(model.name);
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
      this.#refuse(error, 0);
      this.#resume();
    } finally {
      this.#pending.end(running);
    }
  }

  /** Loads what a view waited for that was chosen during a request which failed. */
  #resume() {
    this.#complete(
      () => this.#stage.draw(),
      () => {},
    );
  }

  /** @param {ApiError} error @param {number} retries */
  #refuse(error, retries) {
    this.#form.accept();
    if (error.field?.startsWith("edits") && this.#settings.edits?.length) {
      this.#notice = `The edits of this address cannot be made. ${error.message}`;
      return this.#store.dispatch({ edits: [] }, UNSAID);
    }
    const place = this.#form.refuse(error);
    if (this.#page.failed?.(error, place) && this.#last) return this.#restore(this.#last);
    const phase = this.#stage.scene ? "stale" : this.#page.refused;
    const { answer, drawn } = this.#store;
    const last = answer ?? { trace: null, model: null, since: null };
    this.#say({ ...last, phase, again: false }, {}, drawn);
    if (error.field) return;
    this.#offerAgain(place, () => this.#open());
    if (error.retryAfter && error.code !== "rate_limited" && retries > 0)
      this.#pending.retry(() => this.#run(retries - 1), error.retryAfter);
  }

  /** @param {HTMLElement} place @param {() => void} act */
  #offerAgain(place, act) {
    const again = html.button({ type: "button", class: "quiet", id: "again" }, "Try again");
    again.addEventListener("click", act);
    place.append(" ", again);
  }

  /** Shows the last answer again, and its request in the form. @param {Answered<S, T>} last */
  #restore({ answer, settings, saved }) {
    const { step } = settings;
    this.#store.dispatch({
      ...this.#requestOf(settings),
      .../** @type {Partial<S>} */ ({ step }),
      saved,
      answer: { ...answer, since: null },
    });
    this.#form.set(this.#settings);
  }

  /** Draws once the trace has all that the settings show: most have it. @param {() => void} draw @param {() => void} whole instead, if it has all now */
  #complete(draw, whole = draw) {
    const { trace, model } = this.#store.answer ?? {};
    const { run } = /** @type {{run?: string}} */ (trace ?? {});
    const lacks = run || (trace && model && this.#page.refetch?.(trace, this.#store.drawn, model));
    if (!lacks) return whole();
    this.#loadCompletion().then((all) => all.draw(draw), draw); // the next choice tries again
  }

  /** Loads what completes a trace: with the first one that lacks something. */
  #loadCompletion = once(async () => {
    const { Completion } = await import("./completion.js");
    return new Completion(this.#page, this.#store, {
      signal: () => this.#pending.signal,
      failed: (error) => this.#refuse(error, 0),
      accept: () => this.#accept(),
    });
  });

  #present() {
    if (this.#settings.present !== null && this.#stage.scene) void this.#loadPresentation();
  }

  #loadPresentation = once(async () => {
    const { Presentation } = await import("./presentation.js");
    new Presentation(this.#store, this.#stage, {
      turn: (by) => this.#lesson?.turn(by) ?? false,
      code: this.#openCard,
    });
  });

  #startPresenting() {
    // At once, because browsers allow it only while they handle the click.
    document.documentElement.requestFullscreen?.().catch(() => {});
    this.#store.dispatch(/** @type {Partial<S>} */ ({ present: "1" }));
  }
}
