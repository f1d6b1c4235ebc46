/**
 * The unit of a step: a guess, a goal or a question about the run on screen. The words of it are in
 * the page; this draws what depends on the run, and says how good an answer is.
 */

/** @import {AnyTrace} from "../core/types" */
/** @import {Option, Run, Statement} from "../core/lesson_run.js" */

import { CHECKS, bestOf, guesses, onCells, othersOf, unmet, verdict } from "../core/lesson_run.js";
import { weight } from "../core/text.js";
import { html, place, say } from "../draw/dom.js";

/**
 * A step's task, as app/pages/lessons.py writes it.
 * @typedef {object} Task
 * @property {{of: "word" | "next" | "cell", reveal: Record<string, string | number>}} [predict]
 * @property {{goal: Statement, show: Record<string, string | number>}} [do]
 * @property {{key: string}} [check]
 * @property {{question: string, options: string[], answer: string, why: string}[]} [recall]
 */
/**
 * The run on screen: its trace, the output token, and the cells that are selected on a photo.
 * @typedef {Run & {step: number, cells: number[]}} Shown
 */
/**
 * @typedef {object} Wiring
 * @property {() => Shown | null} shown
 * @property {() => boolean} [failed] true if there is no run because the model did not answer
 * @property {(parameters: Record<string, string | number>) => void} change changes the address
 * @property {(model: string) => Promise<string>} [textOf] the output of another model; absent without a server
 * @property {() => void} done the step is answered
 */

export class LessonUnit {
  #box;
  /** @type {Task} */
  #task;
  #wiring;
  /** The trace that the choices are of. @type {AnyTrace | null} */
  #trace = null;
  /** @type {number | null} */
  #step = null;
  #answered = false;
  /** True if the answer was asked for before the run was there. */
  #waits = false;
  /** True while a learner waits for a run. */
  #working = false;
  /** Counts the verdicts on a goal. */
  #turns = 0;
  /** The outputs of other models, by their ids. @type {WeakMap<AnyTrace, Map<string, Promise<string | undefined> | undefined>>} */
  #others = new WeakMap();

  /** @param {HTMLElement} node the unit in the panel @param {Wiring} wiring */
  constructor(node, wiring) {
    this.#box = node;
    this.#task = JSON.parse(node.dataset.task ?? "{}");
    this.#wiring = wiring;
    node.addEventListener("click", (event) => this.#pressed(event));
    this.draw();
  }

  /** Draws what depends on the run, after each change of it. */
  draw() {
    const shown = this.#wiring.shown();
    if (!shown) return this.#unanswered();
    this.#working = false;
    this.#follow(shown);
    if (this.#waits) this.#score(null);
  }

  /** Says that there is no run, or none yet, where a learner waits for one. */
  #unanswered() {
    if (!this.#working) return;
    this.#say(
      this.#wiring.failed?.()
        ? "The model did not answer. “Try again” asks it once more."
        : `The model is still at work.${this.#waits ? " The answer follows." : ""}`,
    );
  }

  /** @param {Shown} shown */
  #follow(shown) {
    const { predict } = this.#task;
    if (this.#task.do) void this.#reach(this.#task.do.goal, shown);
    if (predict?.of === "cell") return this.#onPhoto(shown);
    const isNew = shown.trace !== this.#trace || (!this.#answered && shown.step !== this.#step);
    if (!isNew) return;
    [this.#trace, this.#step, this.#answered] = [shown.trace, shown.step, false];
    if (predict) this.#offer(guesses(shown.trace, predict.of, shown.step));
    if (this.#check) this.#offer(this.#check.options(shown.trace, shown.step));
  }

  get #check() {
    const { check } = this.#task;
    return check && CHECKS[check.key];
  }

  /** @param {string} role of an element in the unit */
  #part(role) {
    return /** @type {HTMLElement | null} */ (this.#box.querySelector(`[data-part="${role}"]`));
  }

  /** @param {string} text */
  #say(text) {
    const said = this.#part("said");
    if (said) tell(said, text);
  }

  /** Shows the choices. @param {Option[]} options */
  #offer(options) {
    const choices = this.#part("choices");
    if (!choices) return;
    place(
      choices,
      options.map(({ label, value }, index) =>
        html.button({ type: "button", "data-choice": index, "data-value": value }, label),
      ),
    );
    this.#say(options.length ? "" : "This run has no such numbers. Choose another sentence.");
  }

  /** @param {MouseEvent} event */
  #pressed({ target }) {
    const button = target instanceof Element ? target.closest("button") : null;
    if (!button) return;
    const { recall } = this.#task;
    if (button.dataset.part === "answer") this.#score(null);
    else if (button.dataset.part === "photo") document.getElementById("photo")?.focus();
    else if (button.dataset.choice !== undefined && !recall) this.#score(button);
    else if (recall && button.value) this.#recalled(recall, button);
  }

  /** Says how good a guess is, and shows the answer. @param {HTMLButtonElement | null} pressed null to see it at once */
  #score(pressed) {
    const shown = this.#wiring.shown();
    const { predict } = this.#task;
    this.#waits = !shown && !pressed;
    this.#working = !shown;
    if (!shown && !this.#wiring.textOf) return this.#say("The answer needs a running Heed.");
    if (!shown) return this.#unanswered();
    const step = this.#step ?? shown.step;
    const asked = predict
      ? predict.of !== "cell" && guesses(shown.trace, predict.of, step)
      : this.#check?.options(shown.trace, step);
    const options = asked || [];
    this.#answered = true;
    if (options.length) {
      const best = bestOf(options);
      const guess = pressed && options[Number(pressed.dataset.choice)];
      this.#mark(options, best, pressed);
      this.#say(verdict(guess, best, this.#worth()));
    }
    if (predict) this.#wiring.change(predict.reveal);
    this.#wiring.done();
  }

  /** The worth of a choice in words. */
  #worth() {
    if (this.#check) return this.#check.worth;
    const { predict } = this.#task;
    const name = predict?.of === "next" ? "probability" : "weight";
    return (/** @type {number} */ value) => `${name} ${weight(value)}`;
  }

  /** Shows beside each choice what it is worth. @param {Option[]} options @param {Option} best @param {HTMLButtonElement | null} pressed */
  #mark(options, best, pressed) {
    for (const button of this.#box.querySelectorAll("[data-choice]")) {
      const option = options[Number(/** @type {HTMLElement} */ (button).dataset.choice)];
      if (!option) continue;
      button.setAttribute("aria-pressed", String(button === pressed));
      button.toggleAttribute(
        "data-best",
        option.label === best.label && option.value === best.value,
      );
      /** @type {HTMLElement} */ (button).style.setProperty(
        "--share",
        String(Math.min(option.value, 1)),
      );
    }
  }

  /** A guess on a photo: the selected cells. @param {Shown} shown */
  #onPhoto({ trace, step, cells }) {
    if (!cells.length) return;
    const found = onCells(trace, step, cells);
    if (!found) return;
    const { value, best, even } = found;
    const times = value / even;
    this.#say(
      `Your ${cells.length === 1 ? "cell has" : `${cells.length} cells have`} ${weight(value)} of the attention: ${
        times >= 1.05 ? `${times.toFixed(1)} times an equal share` : "no more than an equal share"
      }. The best ${cells.length === 1 ? "cell has" : `${cells.length} cells have`} ${weight(best)}.`,
    );
    if (this.#answered) return;
    this.#answered = true;
    const { predict } = this.#task;
    if (predict) this.#wiring.change(predict.reveal);
    this.#wiring.done();
  }

  /**
   * The output of another model on the input of a run, which is asked for once; none if the model
   * does not answer.
   * @param {string} model @param {AnyTrace} trace @returns {Promise<string | undefined>}
   */
  #written(model, trace) {
    const known = this.#others.get(trace) ?? new Map();
    this.#others.set(trace, known);
    const written =
      known.get(model) ??
      this.#wiring.textOf?.(model).catch(() => {
        known.delete(model);
      });
    known.set(model, written);
    return written;
  }

  /** Says whether a goal is reached. @param {Statement} goal @param {Shown} shown */
  async #reach(goal, shown) {
    const { textOf } = this.#wiring;
    const first = unmet({ ...goal, same_as: null, differs_from: null }, shown);
    const asked = first.length ? [] : othersOf(goal);
    if (asked.length && !textOf) return this.#say("This goal needs a running Heed.");
    const turn = ++this.#turns;
    const texts = await Promise.all(
      asked.map(async (model) => [model, await this.#written(model, shown.trace)]),
    );
    // Of another run, or of this one at another step, there is a newer verdict.
    if (turn !== this.#turns || this.#wiring.shown()?.trace !== shown.trace) return;
    const left = first.length
      ? first
      : unmet(goal, { ...shown, others: Object.fromEntries(texts) });
    this.#box.toggleAttribute("data-reached", !left.length);
    this.#say(left.length ? "" : "Reached. Find another way, or go on.");
    if (!left.length) this.#wiring.done();
  }

  /** @param {NonNullable<Task["recall"]>} questions @param {HTMLButtonElement} pressed */
  #recalled(questions, pressed) {
    const group = /** @type {HTMLElement} */ (pressed.closest("[data-question]"));
    const question = questions[Number(group.dataset.question)];
    if (!question) return;
    const { answer, why } = question;
    for (const button of group.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button === pressed));
      button.toggleAttribute("data-best", button.value === answer);
    }
    group.toggleAttribute("data-answered", true);
    const said = group.querySelector('[data-part="said"]');
    if (said instanceof HTMLElement)
      tell(said, `${pressed.value === answer ? "Yes." : `No: ${answer}.`} ${why}`);
    if (!this.#box.querySelector("[data-question]:not([data-answered])")) this.#wiring.done();
  }
}

/** Says something, in view. @param {HTMLElement} said @param {string} text */
function tell(said, text) {
  if (said.textContent === text) return;
  say(said, text);
  if (text) said.scrollIntoView({ block: "nearest" });
}
