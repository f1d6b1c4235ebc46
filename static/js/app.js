/** The page: settings in the address bar, a trace from the server, and the parts that show it. */

/** @import {Model, Settings, Trace, TranslateBody} from "./types" */

import { ApiError, gradually, loadTrace, translate } from "./api.js";
import { bodyOfMore, sameAnswer } from "./more.js";
import { NOBODY } from "./outside.js";
import { asksTheSame, requestBody } from "./request.js";
import { addressOf, modelOf, question, savedAt } from "./saved.js";
import { fromQuery } from "./state.js";
import { visible } from "./text.js";
import { Bring } from "./ui/bring.js";
import { box, byId, element } from "./ui/dom.js";
import { AskForm } from "./ui/form.js";
import { Panels } from "./ui/panels.js";
import { served, servedAs } from "./ui/served.js";
import { reveal } from "./ui/scrolling.js";
import { Share } from "./ui/share.js";
import { Stage } from "./ui/stage.js";
import { watchTheme } from "./ui/theme.js";
import { onWidth } from "./ui/width.js";

const SLOW_MS = 300;
const ADDRESS_MS = 150;
const MOST_RETRIES = 3;
const LONGEST_ADDRESS = 8000;

/** @type {Model[]} */
const models = JSON.parse(byId("ask", HTMLFormElement).dataset.models ?? "[]");

class Page {
  #settings = fromQuery(location.search);
  #form = new AskForm(models, (change) => this.#ask(change));
  #stage = new Stage(models, { look: (change) => this.#look(change), remember: (change) => this.#remember(change) });
  #panels = new Panels((show) => this.#remember({ show }));
  #share = new Share(() => this.#stage.scene && { scene: this.#stage.scene, settings: this.#settings, compared: this.#stage.compared });
  /** What saves; there once its panel was opened. @type {import("./ui/keep.js").Keep | null} */
  #keep = null;
  /** Id of the saved trace that the address names. */
  #saved = savedAt(location.pathname);
  /** @type {AbortController | null} */
  #running = null;
  /** The trace that more was asked of; not twice, if nothing came of it. @type {Trace | null} */
  #askedMore = null;
  /** Whether a person has asked here, and not only followed a link. */
  #asked = false;
  #addressTimer = 0;
  #retryTimer = 0;

  start() {
    watchTheme(() => this.#draw());
    new Bring((name, bytes) => this.#bring(name, bytes));
    addEventListener("popstate", () => this.#travelled());
    addEventListener("resize", onWidth(() => this.#draw()));
    byId("call", HTMLDetailsElement).addEventListener("toggle", () => this.#offerKeeping(), { once: true });
    this.#restore();
    this.#open();
  }

  /** Most never save, so what does it is loaded when its panel is opened, or where something is saved. */
  async #offerKeeping() {
    const { Keep } = await import("./ui/keep.js");
    if (this.#keep) return;
    this.#keep = new Keep(() => (this.#stage.scene && box("stage").dataset.state !== "growing" ? { trace: this.#stage.scene.trace, settings: this.#settings } : null));
    this.#keep.show(this.#saved);
  }

  /** Shows what the address names: a saved trace, or the answer to its question. */
  #open() {
    if (!this.#saved) this.#run();
    else {
      this.#offerKeeping();
      this.#recall(this.#saved);
    }
  }

  /** Another question: a new entry in the history. @param {Partial<Settings>} change */
  #ask(change) {
    const { units, scale, log, view, mass, with: others, speed, show } = this.#settings;
    const kept = { units, scale, log, view, mass, with: others, speed, show };
    const next = { ...this.#settings, ...change, ...kept, step: 0, part: null, pick: 0, rows: [], columns: [] };
    const again = !this.#saved && asksTheSame(next, this.#settings);
    this.#address("replaceState");
    this.#settings = next;
    this.#saved = null;
    if (!again) this.#address("pushState");
    this.#asked = true;
    this.#run();
  }

  /** Another look at the same answer. @param {Partial<Settings>} change */
  #look(change) {
    this.#remember(change);
    this.#redraw();
  }

  /** The answer on screen as it is looked at now; what it came without for that is asked for first. */
  #redraw() {
    const body = this.#lacking();
    if (body) this.#tellMore(body);
    else this.#draw();
  }

  #draw() {
    this.#stage.redraw(this.#settings);
    if (this.#stage.scene) this.#share.draw(this.#stage.scene, this.#settings);
  }

  #lacking() {
    const { scene } = this.#stage;
    return scene && scene.trace !== this.#askedMore ? bodyOfMore(scene.trace, this.#settings, scene.model) : null;
  }

  /** Asks for more of the same answer; it is drawn as it is only if that takes a while. @param {TranslateBody} body */
  async #tellMore(body) {
    const [trace, running] = [this.#stage.scene?.trace ?? null, this.#running ?? new AbortController()];
    this.#askedMore = trace;
    const slow = setTimeout(() => this.#draw(), SLOW_MS);
    try {
      const more = await translate(body, running.signal);
      if (trace && !running.signal.aborted && sameAnswer(trace, more)) this.#stage.complete(more);
    } catch (error) {
      if (!running.signal.aborted && !(error instanceof ApiError)) throw error;
    } finally {
      clearTimeout(slow);
    }
    if (!running.signal.aborted) this.#draw();
  }

  /** What is shown already, for the address bar. @param {Partial<Settings>} change */
  #remember(change) {
    this.#settings = { ...this.#settings, ...change };
    clearTimeout(this.#addressTimer);
    // Browsers refuse an address that changes with every pixel of a slider.
    this.#addressTimer = setTimeout(() => this.#address("replaceState"), ADDRESS_MS);
  }

  /** Shows what somebody brought along, in place of an answer. @param {string} name @param {Uint8Array<ArrayBuffer>} bytes */
  async #bring(name, bytes) {
    const { imported } = await import("./imports.js"); // most never bring any
    const trace = await imported(bytes);
    this.#halt();
    this.#settings = { ...this.#settings, step: 0, part: null, pick: 0, rows: [], columns: [], map: null, layer: null, head: null, pool: null };
    this.#show(trace, NOBODY, name);
    this.#form.notice(`Shown is what you brought along in ${visible(name)}. Ask anything to come back.`);
    reveal(box("form-error"));
  }

  /** Shows a saved trace in place of an answer. @param {string} id */
  async #recall(id) {
    this.#halt();
    const running = new AbortController();
    this.#running = running;
    box("stage").setAttribute("aria-busy", "true");
    try {
      const trace = servedAs(id) ?? (await loadTrace(id, running.signal));
      if (running.signal.aborted) return;
      const model = modelOf(trace, models);
      this.#settings = { ...this.#settings, ...question(trace, model) };
      this.#form.set(this.#settings);
      this.#show(trace, model, trace.source.text, id);
      this.#form.notice("This is a saved result. Translate a new sentence to continue.");
    } catch (error) {
      if (running.signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      this.#failed(error, 0);
    } finally {
      if (this.#running === running) box("stage").setAttribute("aria-busy", "false");
    }
  }

  /** Ends what is being asked. */
  #halt() {
    this.#running?.abort();
    clearTimeout(this.#retryTimer);
  }

  /**
   * Shows a trace, and hands it to what takes it along.
   * @param {Trace} trace @param {Model} model @param {string} name @param {string | null} [id] of one that is saved
   */
  #show(trace, model, name, id) {
    this.#form.accept();
    this.#stage.show(trace, this.#settings, model);
    if (this.#stage.scene) this.#share.draw(this.#stage.scene, this.#settings);
    if (this.#lacking()) this.#redraw();
    this.#keep?.show(id);
    document.title = `${visible(name)} · Heed`;
  }

  #travelled() {
    this.#stage.pause();
    clearTimeout(this.#addressTimer);
    const [before, saved] = [this.#settings, this.#saved];
    this.#settings = fromQuery(location.search);
    this.#saved = savedAt(location.pathname);
    this.#restore();
    if (!saved && !this.#saved && asksTheSame(before, this.#settings) && this.#stage.scene) this.#redraw();
    else this.#open();
  }

  #restore() {
    this.#form.set(this.#settings);
    this.#panels.set(this.#settings.show);
  }

  /** @param {"pushState" | "replaceState"} how */
  #address(how) {
    clearTimeout(this.#addressTimer);
    const address = addressOf(location, this.#saved, this.#settings);
    // A book pasted into the field is refused by every model; as an address it would break the page.
    if (address.length > LONGEST_ADDRESS) return;
    history[how](null, "", address);
    this.#keep?.draw();
  }

  /** Asks the server. A later question ends an earlier one. @param {number} [retries] */
  async #run(retries = MOST_RETRIES) {
    this.#halt();
    const running = new AbortController();
    this.#running = running;
    const model = this.#form.model;
    const slow = setTimeout(() => box("progress").toggleAttribute("data-slow", true), SLOW_MS);
    box("stage").setAttribute("aria-busy", "true");
    const growth = gradually(running.signal, (/** @type {Trace} */ trace) => this.#stage.grow(trace, this.#settings, model));
    try {
      const body = requestBody(this.#settings, model);
      const trace = served(body, model) ?? (await translate(body, running.signal, growth.tell));
      if (running.signal.aborted) return;
      if (this.#asked) this.#form.remember(trace.request.text);
      this.#show(trace, model, trace.source.text);
      const wanted = this.#settings.model;
      if (wanted !== null && wanted !== model.id) {
        this.#form.notice(`There is no model “${wanted}” here; “${model.name}” has answered instead.`);
      }
    } catch (error) {
      if (running.signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      this.#failed(error, retries);
    } finally {
      growth.end();
      clearTimeout(slow);
      if (this.#running === running) {
        box("progress").toggleAttribute("data-slow", false);
        box("stage").setAttribute("aria-busy", "false");
      }
    }
  }

  /** @param {ApiError} error @param {number} retries */
  #failed(error, retries) {
    this.#form.accept();
    const place = this.#form.refuse(error);
    box("stage").dataset.state = this.#stage.scene ? "stale" : "empty";
    if (error.field) return;
    const again = element("button", { type: "button", class: "quiet" }, "Try again");
    again.addEventListener("click", () => this.#open());
    place.append(" ", again);
    if (error.retryAfter && retries > 0) {
      this.#retryTimer = setTimeout(() => this.#run(retries - 1), error.retryAfter * 1000);
    }
  }
}

if (models.length) new Page().start();

