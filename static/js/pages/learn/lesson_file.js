/** A lesson in one file: the words of its steps, and in a frame the page of each with its contents. */

/** @import {Model, Settings} from "../../core/types" */
/** @import {Shown} from "../../shell/lesson_unit.js" */

import { STATE } from "../../core/state.js";
import { requestKey } from "../../core/token_request.js";
import { box, byId } from "../../draw/dom.js";
import { explainTerms } from "../../shell/explanations.js";
import { Framed } from "../../shell/framed.js";
import { isTyped } from "../../shell/keys.js";
import { LessonUnit } from "../../shell/lesson_unit.js";

/**
 * The content of a step: the page, its settings as an address has them, and the keys of its contents.
 * `figures` are audits or timelines; a page without a model has no trace.
 * @typedef {{shell: string, query: string, trace: string | null, figures: string[], models: Model[], others: [string, string][]}} State
 */
/** @type {{steps: State[][], shells: Record<string, string>, traces: Record<string, any>, worker: string | null}} */
const { steps, shells, traces, worker } = JSON.parse(box("taken").textContent ?? "");
const sections = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-step]")]);
const frame = byId("lesson-frame", HTMLIFrameElement);
const framed = new Framed(frame);

/** @param {State} state */
function contentsOf({ query, trace, figures, models, others }) {
  const held = { query, figures: figures.map((key) => traces[key]) };
  if (trace === null) return { ...held, worker, shell: worker && shells.text };
  const settings = /** @type {Settings} */ (STATE.fromQuery(query));
  const answers = others.flatMap(([id, key]) => {
    const model = models.find((each) => each.id === id);
    /** @type {[string, unknown][]} */
    const answer = model ? [[requestKey(settings, model), traces[key]]] : [];
    return answer;
  });
  return { ...held, trace: traces[trace], models, answers };
}

/** The run of a step. @param {State | undefined} state @returns {Shown | null} */
function runOf(state) {
  if (!state?.trace) return null;
  const query = new URLSearchParams(state.query);
  return {
    trace: traces[state.trace],
    step: Math.max(Number(query.get("step") ?? 1) - 1, 0),
    cells: [],
    authored: query.get("text") ?? "",
  };
}

/** @param {State | undefined} state */
function show(state) {
  frame.hidden = !state;
  if (state) framed.show(shells[state.shell] ?? "", contentsOf(state));
}

/** The settings of a state with others. @param {State} state @param {Record<string, string | number>} change @returns {State} */
function changed(state, change) {
  const query = new URLSearchParams(state.query);
  for (const [name, value] of Object.entries(change)) query.set(name, String(value));
  return { ...state, query: `?${query}` };
}

/** Opens the step of the address. */
function open() {
  const at = Math.min(Math.max(Number(location.hash.slice(1)) || 1, 1), sections.length) - 1;
  for (const [place, section] of sections.entries()) section.hidden = place !== at;
  show(steps[at]?.[0]);
  sections[at]?.querySelector("h2")?.focus({ preventScroll: true });
}

for (const [at, section] of sections.entries()) {
  const [state, goal] = steps[at] ?? [];
  const node = section.querySelector(".lesson-unit");
  if (!(node instanceof HTMLElement)) continue;
  new LessonUnit(node, {
    shown: () => runOf(state),
    change: (change) => show(state && changed(state, change)),
    done: () => section.toggleAttribute("data-done", true),
  });
  for (const link of node.querySelectorAll("a")) {
    link.href = `#${at + 1}`;
    link.addEventListener("click", () => show(goal ?? (state && changed(state, revealOf(node)))));
  }
}

/** The parameters that show the answer of a guess. @param {HTMLElement} node */
function revealOf(node) {
  return JSON.parse(node.dataset.task ?? "{}").predict?.reveal ?? {};
}

explainTerms();
addEventListener("hashchange", open);
addEventListener("keydown", (event) => {
  if (isTyped(event)) return; // with Alt, an arrow goes through the history
  const turn = { ArrowRight: "next", ArrowLeft: "prev" }[event.key];
  const link = sections.find(({ hidden }) => !hidden)?.querySelector(`[rel="${turn}"]`);
  if (turn && link instanceof HTMLAnchorElement) location.hash = link.hash;
});
open();
