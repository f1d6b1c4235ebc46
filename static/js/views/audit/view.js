/** The audit of a map: a verdict in words, the attention beside the effect of each cell, and every figure beside its baseline. */

/** @import {Audit} from "../../core/wire" */
/** @import {Palette, Scene, Settings, Trace} from "../../core/types" */
/** @import {ViewWiring} from "../types" */
/** @import {Choices} from "./request.js" */
/** @import {Figure} from "./model.js" */

import { ApiError } from "../../core/api.js";
import { differenceOf, heatmapOf } from "../../core/heatmap.js";
import { html } from "../../draw/dom.js";
import { onScreen } from "../../draw/ink.js";
import { Drawing } from "../../draw/page.js";
import { Tooltip } from "../../draw/tooltip.js";
import { highlight, pointedAt } from "../compare/linked_words.js";
import { smallMap } from "../compare/small_map.js";
import { STRIP, strip } from "./marks.js";
import { csvOf, figuresOf, mapsOf } from "./model.js";
import { auditBody, auditOf } from "./request.js";

/** @typedef {"all" | "one"} Scope */

const REMOVALS = /** @type {const} */ ([
  ["block", "Block"],
  ["silence", "Silence"],
]);

/** The size of a cell: both maps stand side by side. */
const CELL = { wide: 28, narrow: 18 };
const FEW = 10;

export class View {
  #choices = html.div({ class: "audit-choices" });
  #status = html.p({ class: "note", role: "status" });
  #verdict = html.ol({ class: "audit-verdict", "aria-label": "Verdict" });
  #maps = html.div({ class: "audit-maps" });
  #figures = html.dl({ class: "audit-figures" });
  #about = html.div({ class: "audit-about note" });
  #body = html.div({ class: "audit-body", hidden: true }, [
    this.#verdict,
    this.#maps,
    this.#figures,
    this.#about,
  ]);
  #tooltip = new Tooltip();
  #served;
  #running = new AbortController();
  /** @type {{scene: Scene, palette: Palette} | null} */
  #now = null;
  /** @type {Choices["removal"]} */
  #removal = "block";
  /** @type {Scope} */
  #scope = "all";
  /** The request of the audit on screen, or on its way. */
  #asked = "";
  /** @type {Audit | null} */
  #audit = null;

  /** @param {Pick<ViewWiring<Settings, Trace>, "place" | "request">} wiring */
  constructor({ place, request }) {
    this.#served = Boolean(request);
    place.classList.add("audit");
    place.replaceChildren(this.#choices, this.#status, this.#body);
    this.#choices.addEventListener("change", ({ target }) => {
      if (!(target instanceof HTMLInputElement)) return;
      if (target.name === "audit-scope") this.#scope = /** @type {Scope} */ (target.value);
      else this.#removal = /** @type {Choices["removal"]} */ (target.value);
      this.#ask();
    });
    this.#maps.addEventListener("pointerover", (event) => this.#point(event));
    this.#maps.addEventListener("pointermove", (event) => this.#point(event));
    this.#maps.addEventListener("pointerleave", () => this.#leave());
  }

  /** @param {Scene} scene @param {{palette: Palette}} how */
  draw(scene, { palette }) {
    this.#now = { scene, palette };
    this.#offer(scene);
    this.#ask();
  }

  /** Stops the audit of the trace before. */
  forget() {
    this.#running.abort();
    this.#asked = "";
  }

  get companions() {
    return { models: [], answers: [], drawn: this.#audit };
  }

  /** @returns {Choices} */
  #chosen() {
    const { picked } = /** @type {{scene: Scene}} */ (this.#now).scene;
    const one = this.#scope === "one" && picked;
    return {
      removal: this.#removal,
      layer: one ? picked.layer : null,
      head: one ? picked.head : null,
    };
  }

  /** @param {Scene} scene */
  #offer({ heads, layers, picked, pool }) {
    const several = heads.length * layers.length > 1;
    if (!several || pool) this.#scope = "all";
    const choice = (
      /** @type {string} */ name,
      /** @type {string} */ legend,
      /** @type {readonly (readonly [string, string])[]} */ options,
      /** @type {string} */ chosen,
    ) =>
      html.fieldset(
        { class: "audit-choice" },
        html.legend(legend),
        options.map(([value, text]) =>
          html.label(
            html.input({ type: "radio", name, value, checked: value === chosen }),
            html.span(text),
          ),
        ),
      );
    const one = `head ${(picked?.head ?? 0) + 1} of layer ${(picked?.layer ?? 0) + 1}`;
    this.#choices.replaceChildren(
      choice("audit-removal", "Take a key away", REMOVALS, this.#removal),
      ...(several && !pool
        ? [
            choice(
              "audit-scope",
              "from",
              [
                ["all", "all heads"],
                ["one", one],
              ],
              this.#scope,
            ),
          ]
        : []),
    );
  }

  #ask() {
    const { scene } = /** @type {{scene: Scene}} */ (this.#now);
    if (!this.#served) {
      this.#status.textContent =
        "An audit runs the model again, which takes a server. This page has none.";
      return;
    }
    const choices = this.#chosen();
    const asked = JSON.stringify(auditBody(scene.trace, choices));
    if (asked === this.#asked) {
      if (this.#audit) this.#show(this.#audit);
      return;
    }
    this.#asked = asked;
    this.#audit = null;
    this.#body.setAttribute("aria-busy", "true");
    this.#running.abort();
    this.#running = new AbortController();
    void this.#run(scene.trace, choices, this.#running.signal);
  }

  /** @param {Trace} trace @param {Choices} choices @param {AbortSignal} signal */
  async #run(trace, choices, signal) {
    this.#status.textContent = "Taking each key away…";
    try {
      const audit = await auditOf(trace, choices, signal, (share) => {
        this.#status.textContent = `Taking each key away… ${Math.round(share * 100)}\u00a0%`;
      });
      if (signal.aborted) return;
      this.#audit = audit;
      this.#show(audit);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      this.#asked = "";
      this.#body.hidden = true;
      this.#status.textContent = error.message;
    }
  }

  /** @param {Audit} audit */
  #show(audit) {
    const { scene, palette } = /** @type {{scene: Scene, palette: Palette}} */ (this.#now);
    const edited = scene.trace.request.edits?.length;
    this.#status.textContent = edited ? "This audits the run without the edits." : "";
    this.#body.hidden = false;
    this.#body.removeAttribute("aria-busy");
    this.#verdict.replaceChildren(...audit.verdict.map((sentence) => html.li(sentence)));
    this.#maps.replaceChildren(...drawnMaps(audit, palette));
    const cell = audit.attention[0].length > FEW ? CELL.narrow : CELL.wide;
    this.#maps.style.setProperty("--audit-cell", `${cell}px`);
    this.#figures.replaceChildren(
      ...figuresOf(audit).flatMap((figure) => figureRow(figure, palette)),
    );
    this.#about.replaceChildren(about(audit), this.#files(audit));
  }

  /** The files of an audit, and the page to print. @param {Audit} audit */
  #files(audit) {
    const save = (/** @type {string} */ extension, /** @type {() => string} */ content) => {
      const type = extension === "csv" ? "text/csv" : "application/json";
      const link = html.a({ download: `heed-${audit.trace.model.id}-${extension}` });
      link.href = URL.createObjectURL(new Blob([content()], { type }));
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    };
    const button = (/** @type {string} */ name, /** @type {() => void} */ press) =>
      html.button({ type: "button", class: "quiet", onclick: press }, name);
    return html.p(
      { class: "audit-files" },
      button("CSV", () => save("audit.csv", () => csvOf(audit))),
      button("JSON", () => save("audit.json", () => JSON.stringify(audit))),
      button("Print the report", () => {
        this.#about.querySelector("details")?.setAttribute("open", "");
        print();
      }),
    );
  }

  /** @param {PointerEvent} event */
  #point(event) {
    const pointed = pointedAt(event);
    highlight(this.#maps, pointed);
    const { view, row, column } = pointed;
    if (!view?.weights || row === null || column === null) return this.#tooltip.hide();
    this.#tooltip.show(view, row, column, new DOMRect(event.clientX, event.clientY - 4, 0, 8));
  }

  #leave() {
    this.#tooltip.hide();
    highlight(this.#maps, { view: null, row: null, column: null, key: null });
  }
}

/** The attention and the effects. @param {Audit} audit @param {Palette} palette */
function drawnMaps(audit, palette) {
  const { attention, effect } = mapsOf(audit);
  const heat = heatmapOf(attention.weights ?? [], { scale: "whole", log: false, palette });
  const costs = differenceOf(effect.weights ?? [], palette, () => true, 0.1);
  const most = costs.most.toFixed(1);
  return [
    html.figure(
      html.figcaption(html.b("Attention"), " where it looks"),
      smallMap(attention, "the attention", heat.colourAt),
    ),
    html.figure(
      html.figcaption(
        html.b("Effect"),
        ` bits lost without the cell, up to ${most}; brown: likelier without it`,
      ),
      smallMap(effect, "the effect of each cell in bits", costs.colourAt),
    ),
  ];
}

/** @param {Figure} figure @param {Palette} palette */
function figureRow(figure, palette) {
  const drawing = new Drawing({ role: "img" });
  drawing.size(STRIP, `${figure.text}; ${figure.baseline}`);
  drawing.show(strip(figure, onScreen(palette)));
  return [
    html.dt(figure.name, html.span({ class: "note" }, figure.means)),
    html.dd(
      drawing.node,
      html.b({ class: "number" }, figure.text),
      html.span({ class: "note" }, figure.baseline),
    ),
  ];
}

/** The choices in words, and what the report was made from. @param {Audit} audit */
function about({ words, trace, choices, rows }) {
  const { id, weights } = trace.model;
  return html.details(
    html.summary("The question, exactly"),
    html.ul(words.map((sentence) => html.li(sentence))),
    html.p(
      `${id}, weights ${weights.slice(0, 12)}; ${choices.seeds} seeds; ${rows} forced steps. Costs are differences of log₂ p. The dot is this map, the grey range the middle 95 % at random.`,
    ),
  );
}
