/** A lesson in one file: the words of its steps, and in a frame the page of each with its trace. */

/** @import {AnyTrace, Model, Settings} from "../../core/types" */

import { STATE } from "../../core/state.js";
import { requestKey } from "../../core/token_request.js";
import { box, byId } from "../../draw/dom.js";
import { LessonUnit } from "../../shell/lesson_unit.js";

/**
 * The content of a step: the page, its settings as an address has them, and the keys of its traces.
 * @typedef {{shell: string, query: string, trace: string, models: Model[], others: [string, string][]}} State
 */
/** @type {{steps: State[][], shells: Record<string, string>, traces: Record<string, AnyTrace>}} */
const { steps, shells, traces } = JSON.parse(box("taken").textContent ?? "");
const sections = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-step]")]);
const frame = byId("lesson-frame", HTMLIFrameElement);
/** @type {State | undefined} */
let shown;

addEventListener("message", ({ source, data }) => {
  if (source !== frame.contentWindow || data?.heed !== "ready" || !shown) return;
  frame.contentWindow?.postMessage(
    {
      heed: "contents",
      json: JSON.stringify(contentsOf(shown)),
      bytes: new ArrayBuffer(0),
      position: { row: null, kind: null, layer: null, head: null },
      theme: document.documentElement.dataset.theme ?? null,
    },
    "*",
  );
});

/** @param {State} state */
function contentsOf({ query, trace, models, others }) {
  const settings = /** @type {Settings} */ (STATE.fromQuery(query));
  const answers = others.flatMap(([id, key]) => {
    const model = models.find((each) => each.id === id);
    return model ? [[requestKey(settings, model), traces[key]]] : [];
  });
  return { query, trace: traces[trace], models, answers };
}

/** @param {State | undefined} state */
function show(state) {
  shown = state;
  frame.hidden = !state;
  if (state) frame.srcdoc = shells[state.shell] ?? "";
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
  const trace = state && traces[state.trace];
  if (!(node instanceof HTMLElement) || !trace) continue;
  new LessonUnit(node, {
    shown: () => ({
      trace,
      step: Math.max(Number(new URLSearchParams(state.query).get("step") ?? 1) - 1, 0),
      cells: [],
      authored: new URLSearchParams(state.query).get("text") ?? "",
    }),
    change: (change) => show(changed(state, change)),
    done: () => section.toggleAttribute("data-done", true),
  });
  for (const link of node.querySelectorAll("a")) {
    link.href = `#${at + 1}`;
    link.addEventListener("click", () => show(goal ?? changed(state, revealOf(node))));
  }
}

/** The parameters that show the answer of a guess. @param {HTMLElement} node */
function revealOf(node) {
  return JSON.parse(node.dataset.task ?? "{}").predict?.reveal ?? {};
}

addEventListener("hashchange", open);
addEventListener("keydown", ({ key, target }) => {
  if (target instanceof HTMLInputElement) return;
  const turn = { ArrowRight: "next", ArrowLeft: "prev" }[key];
  const link = sections.find(({ hidden }) => !hidden)?.querySelector(`[rel="${turn}"]`);
  if (turn && link instanceof HTMLAnchorElement) location.hash = link.hash;
});
open();
