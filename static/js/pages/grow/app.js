/** Starts the page on which a network grows: its form, its worker, and all that is seen of it. */

/** @import {Edit} from "../../core/types" */
/** @import {GrowSettings} from "./state.js" */
/** @import {Frame} from "./training.js" */
/** @import {Written} from "./run.js" */
/** @import {Answer, Order} from "./worker.js" */
/** @import {Task} from "./tasks.js" */

import { hand } from "../../core/handed.js";
import { Stored, storage } from "../../core/stored.js";
import { box, byId, say, sayAny, slide } from "../../draw/dom.js";
import { save } from "../../draw/download.js";
import { watchTheme } from "../../draw/theme.js";
import { Course, Groups, counted, percent } from "./charts.js";
import { EditForm } from "./edit_form.js";
import { toggled } from "./edits.js";
import { Form } from "./form.js";
import { History, KEPT } from "./history.js";
import { pairsTask } from "./pairs.js";
import { RunView } from "./run_view.js";
import { BATCH, OWN, SEEDS, STATE, namesOf, runsOf } from "./state.js";
import { taskNamed } from "./tasks.js";

/** Seconds between two sentences for a screen reader, and between two pictures where motion is reduced. */
const [SAID_EVERY, REDUCED_EVERY] = [10, 1];
/** The pairs that were given before. */
const PAIRS = new Stored("heed-grow-pairs", storage("sessionStorage"));
const NOTHING_TO_SEE = "One vector has to hold the whole text: which texts will it get wrong?";
/** The contents of the file, where the page is one. @type {{worker: string, shell: string} | null} */
const HELD = JSON.parse(document.getElementById("taken")?.textContent ?? "null");

class Grow {
  /** @type {GrowSettings} */
  #settings = opened();
  #worker = worker();
  #form = new Form((change) => this.#change(change), () => this.#pairsGiven()); // prettier-ignore
  #edits = new EditForm((edit) => this.#edit(toggled(this.#settings.edits, edit)), () => this.#edit([])); // prettier-ignore
  #views = [0, 1].map(
    (run) =>
      new RunView(
        run,
        (action) => this.#take(run, action),
        (queries, keys) => this.#edit(toggled(this.#settings.edits, { op: "block", keys, queries })), // prettier-ignore
      ),
  );
  #share = new Course("Unseen texts written right", 1, percent);
  #loss = new Course("Loss", null, (value) => value.toFixed(1));
  #groups = new Groups();
  #slider = byId("grow-past", HTMLInputElement);
  #typedField = byId("grow-text", HTMLInputElement);
  /** @type {Task | null} */
  #task = null;
  /** @type {History<Frame>} */
  #history = new History(KEPT);
  /** @type {Frame | null} */
  #last = null;
  /** The state of the history that is shown, null for the last. @type {{updates: number, value: Frame} | null} */
  #past = null;
  /** The outputs of a past state for the text that was typed. @type {(Written | null)[] | null} */
  #typedThen = null;
  #going = false;
  /** The number of the training. */
  #round = 0;
  /** True while the page is out of sight and would go on. */
  #resting = false;
  #drawing = 0;
  #drawnAt = 0;
  #saidAt = 0;
  #describedAt = 0;
  /** The uses of the traces that are on their way. @type {((json: string) => void)[]} */
  #taking = [];

  start() {
    this.#worker.onmessage = ({ data }) => {
      // Answers about an earlier training may arrive after a new one began.
      if (data.round === this.#round) this.#follow(/** @type {Answer} */ (data));
    };
    this.#worker.onerror = () => sayAny(box("grow-error"), "The training could not be started in this browser."); // prettier-ignore
    box("grow-runs").append(...this.#views.map(({ node }) => node));
    box("grow-charts").append(this.#share.node, this.#loss.node, this.#groups.node);
    box("grow-go").addEventListener("click", () => (this.#going ? this.#pause() : this.#go()));
    box("grow-step").addEventListener("click", () => this.#step());
    box("grow-again").addEventListener("click", () => this.#begin());
    box("grow-seed").addEventListener("click", () =>
      this.#change({ seed: (this.#settings.seed % SEEDS) + 1 }),
    );
    this.#slider.addEventListener("input", () => this.#seek());
    this.#typedField.addEventListener("input", () => this.#type());
    document.addEventListener("visibilitychange", () => this.#rest());
    addEventListener("popstate", () => {
      const before = STATE.toQuery(this.#settings);
      this.#settings = opened();
      // A link within the page leaves the training as it is.
      if (STATE.toQuery(this.#settings) !== before) this.#begin();
    });
    watchTheme(() => this.#draw());
    if (onPhone()) byId("grow-setup", HTMLDetailsElement).open = false;
    this.#begin();
  }

  /** @param {Order} order */
  #send(order) {
    this.#worker.postMessage(order);
  }

  /** @param {Partial<GrowSettings>} change */
  #change(change) {
    this.#settings = { ...this.#settings, ...change };
    this.#begin();
  }

  #write() {
    const { pathname } = location;
    const address = HELD
      ? `${pathname}${STATE.toQuery(this.#settings)}`
      : STATE.addressOf(location, null, this.#settings);
    try {
      history.replaceState(null, "", address);
    } catch {
      // Some browsers do not let a file change its address.
    }
  }

  /** Begins a new run with the settings. */
  #begin() {
    this.#write();
    this.#form.show(this.#settings);
    this.#typedField.value = this.#settings.text;
    this.#stopped();
    this.#task = this.#taskNow();
    box("grow").toggleAttribute("data-idle", !this.#task);
    if (!this.#task) return;
    this.#history = new History(KEPT);
    this.#last = null;
    this.#past = null;
    this.#typedThen = null;
    this.#taking = [];
    const runs = runsOf(this.#settings);
    const looks = runs.some(({ mechanism }) => mechanism !== "none");
    say(box("grow-expect"), looks ? this.#task.expect : NOTHING_TO_SEE);
    this.#typedField.placeholder = this.#task.examples[6] ?? this.#task.examples[0];
    const names = namesOf(this.#settings);
    this.#views.forEach((view, run) => view.begin(names[run] ?? null));
    const { task, text, edits } = this.#settings;
    this.#send({
      kind: "begin",
      round: ++this.#round,
      task,
      pairs: this.#form.pairs,
      runs,
      text,
      edits,
    });
  }

  /** The task of the settings; the reason is shown if pairs are no task. */
  #taskNow() {
    if (this.#settings.task !== OWN) {
      sayAny(box("grow-error"), "");
      return taskNamed(this.#settings.task);
    }
    const { task, error } = pairsTask(this.#form.pairs);
    sayAny(box("grow-error"), (this.#form.pairs && error) ?? "");
    return task;
  }

  #pairsGiven() {
    PAIRS.keep(this.#form.pairs);
    this.#change({ task: OWN });
  }

  #go() {
    if (!this.#task) return;
    this.#now();
    this.#going = true;
    this.#send({ kind: "go" });
    this.#tell("Learning.");
    this.#buttons();
  }

  #pause() {
    this.#send({ kind: "pause" });
    this.#stopped();
    this.#tell(`Paused. ${this.#sentence()}`);
  }

  #stopped() {
    this.#going = false;
    this.#buttons();
  }

  #step() {
    if (!this.#task) return;
    if (this.#going) this.#pause();
    this.#now();
    this.#send({ kind: "step" });
  }

  /** Pauses while the page is out of sight. */
  #rest() {
    if (document.hidden && this.#going) {
      this.#resting = true;
      this.#send({ kind: "pause" });
    } else if (!document.hidden && this.#resting) {
      this.#resting = false;
      if (this.#going) this.#send({ kind: "go" });
    }
  }

  #buttons() {
    say(box("grow-go"), this.#going ? "Pause" : this.#last?.updates ? "Go on" : "Start");
    box("grow").toggleAttribute("data-going", this.#going);
  }

  /** @param {Answer} answer */
  #follow(answer) {
    if (answer.kind === "frame") this.#receive(answer.frame);
    if (answer.kind === "typed") {
      if (this.#past === null && this.#last)
        this.#last.runs.forEach((run, index) => (run.typed = answer.typed[index]));
      else this.#typedThen = answer.typed;
      this.#plan();
    }
    if (answer.kind === "stopped") {
      this.#stopped();
      this.#tell(
        this.#last?.learned ? `Learned. ${this.#sentence()}` : `Stopped. ${this.#sentence()}`,
      );
    }
    if (answer.kind === "trace") {
      this.#taking.shift()?.(answer.json);
    }
    if (answer.kind === "model") void save(answer.bytes, "application/zip", answer.name);
  }

  /** @param {Frame} frame */
  #receive(frame) {
    this.#history.add(frame.updates, () => frame);
    this.#last = frame;
    this.#plan();
    if (this.#going && performance.now() - this.#saidAt > SAID_EVERY * 1000)
      this.#tell(this.#sentence());
  }

  /** Draws in the next frame of the screen, less often where motion is reduced. */
  #plan() {
    if (this.#drawing) return;
    const reduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const wait = reduced ? this.#drawnAt + REDUCED_EVERY * 1000 - performance.now() : 0;
    if (wait > 0 && this.#going) {
      this.#drawing = setTimeout(() => this.#draw(), wait);
    } else this.#drawing = requestAnimationFrame(() => this.#draw());
  }

  /** The frame that is shown. */
  get #frame() {
    return this.#past?.value ?? this.#last;
  }

  #draw() {
    this.#drawing = 0;
    this.#drawnAt = performance.now();
    const frame = this.#frame;
    if (!frame || !this.#task) return;
    const names = namesOf(this.#settings);
    const typed = this.#past === null ? null : this.#typedThen;
    const inWords = !this.#going || this.#drawnAt - this.#describedAt > SAID_EVERY * 1000;
    if (inWords) this.#describedAt = this.#drawnAt;
    this.#views.forEach((view, run) => {
      const shown = frame.runs[run];
      if (shown)
        view.show(
          { ...shown, typed: typed ? typed[run] : shown.typed },
          this.#answers,
          inWords,
          this.#settings.edits,
        );
    });
    this.#offerEdits(frame, typed);
    const points = this.#history.items.map(({ updates, value }) => ({ updates, value }));
    if (this.#last && points.at(-1)?.value !== this.#last)
      points.push({ updates: this.#last.updates, value: this.#last });
    const line = (/** @type {"share" | "loss"} */ name) =>
      points.map(({ updates, value }) => ({ updates, values: value.runs.map((run) => run[name]) }));
    this.#share.show(line("share"), frame.updates, names);
    this.#loss.show(line("loss"), frame.updates, names);
    this.#groups.show(
      frame.runs.map(({ shares }) => shares),
      this.#task.letters,
    );
    this.#slider.max = String(this.#history.items.length);
    // It may be left out of the history by now.
    const place = this.#past
      ? this.#history.items.findLastIndex(({ updates }) => updates <= frame.updates)
      : this.#history.items.length;
    slide(this.#slider, place, `${counted(frame.updates)}${this.#past === null ? ", now" : ""}`);
    say(box("grow-state"), this.#sentence());
    this.#buttons();
  }

  /** Offers edits of the text that was typed, if a run has a map of it. @param {Frame} frame @param {(Written | null)[] | null} then */
  #offerEdits(frame, then) {
    const shown = (then ?? frame.runs.map(({ typed }) => typed)).filter((each) => each?.weights);
    const steps = Math.max(...shown.map((each) => each?.weights?.length ?? 0));
    const source = shown[0]?.source;
    this.#edits.show(source === undefined ? null : { source, steps }, this.#settings.edits);
  }

  /** @param {readonly Edit[]} edits */
  #edit(edits) {
    this.#settings = { ...this.#settings, edits };
    this.#write();
    this.#send({ kind: "type", text: this.#settings.text, edits });
  }

  /** The right answer to a text, if there is one. @param {string} text */
  #answers = (text) => this.#task?.answer(text) ?? null;

  /** The state that is shown, in a sentence. */
  #sentence() {
    const frame = this.#frame;
    if (!frame) return "";
    const names = namesOf(this.#settings);
    const shares = frame.runs.map(
      ({ share }, run) =>
        `${percent(share)}${names.length > 1 ? ` (${names[run].toLowerCase()})` : ""}`,
    );
    const losses = frame.runs.flatMap(({ loss }) => (loss === null ? [] : loss.toFixed(2)));
    const count = frame.runs[0].shares.reduce(
      (sum, { all, learned }) => sum + (learned ? all : 0),
      0,
    );
    return `After ${counted(frame.updates)}, ${shares.join(" and ")} of ${count} unseen texts are right; loss ${losses.join(" and ") || "not known yet"}.`;
  }

  /** @param {string} text */
  #tell(text) {
    this.#saidAt = performance.now();
    say(box("grow-said"), text);
  }

  #type() {
    const text = this.#typedField.value;
    // Edits name places of the text before.
    this.#settings = { ...this.#settings, text };
    this.#edit([]);
  }

  #seek() {
    this.#see(this.#history.items[Number(this.#slider.value)] ?? null);
  }

  /** Shows the last state again. */
  #now() {
    if (this.#past) this.#see(null);
  }

  /** @param {{updates: number, value: Frame} | null} past null for the last state */
  #see(past) {
    this.#past = past;
    this.#typedThen = null;
    this.#send({ kind: "seek", updates: past?.updates ?? null });
    this.#plan();
  }

  /** @param {number} run @param {string} action */
  #take(run, action) {
    if (action === "model") return this.#send({ kind: "model", run });
    const { typed, written } = this.#frame?.runs[run] ?? { typed: null, written: [] };
    const text = (typed ?? written[1] ?? written[0])?.source;
    if (!text) return;
    this.#taking.push((json) => {
      const name = `a grown model: ${text}`;
      if (action === "save") return void save(json, "application/json", `grown-${text}.json`);
      if (HELD) return void show(HELD.shell, action, json);
      if (!hand(`/?view=${action}`, name, json))
        sayAny(box("grow-error"), "The browser did not open the window; save the trace instead.");
    });
    this.#send({ kind: "trace", run, text });
  }
}

/** The worker of the server, or of a file that has its script: there a browser loads no modules. */
function worker() {
  if (!HELD) return new Worker(box("grow").dataset.worker ?? "", { type: "module" });
  return new Worker(URL.createObjectURL(new Blob([HELD.worker], { type: "text/javascript" })));
}

/** Shows a trace in a view of the file. @param {string} shell @param {string} view @param {string} json */
async function show(shell, view, json) {
  (await import("./views.js")).openView(shell, view, JSON.parse(json));
}

/** The settings of the address; a phone takes half the batch. */
function opened() {
  const settings = STATE.fromQuery(location.search);
  const given = new URLSearchParams(location.search).has("batch");
  return onPhone() && !given ? { ...settings, batch: BATCH.phone } : settings;
}

const onPhone = () => matchMedia("(pointer: coarse) and (max-width: 40rem)").matches;

byId("grow-pairs", HTMLTextAreaElement).value = PAIRS.text ?? "";
new Grow().start();
if (STATE.fromQuery(location.search).lesson) void asStep();

/** Adds the keys and the progress of a lesson. */
async function asStep() {
  (await import("../../shell/lesson_step.js")).startStep();
}
