/** The report of an audit: a verdict in words, the maps, and every figure beside its baseline. */

/** @import {Audit} from "../../core/wire" */
/** @import {AttentionMap, Palette, Pool} from "../../core/types" */
/** @import {Choices} from "./request.js" */
/** @import {Figure} from "./model.js" */

import { ApiError } from "../../core/api.js";
import { html } from "../../draw/dom.js";
import { save } from "../../draw/download.js";
import { onScreen } from "../../draw/ink.js";
import { Drawing } from "../../draw/page.js";
import { STRIP, strip } from "./marks.js";
import { figuresOf } from "./model.js";

/** @typedef {"all" | "one"} Scope */

const REMOVALS = /** @type {const} */ ([
  ["block", "Block"],
  ["silence", "Silence"],
]);

/**
 * The subject of an audit, and the call that asks for it.
 * @typedef {object} Asked
 * @property {Pick<AttentionMap, "layer" | "head"> | null} picked @property {unknown[]} heads @property {unknown[]} layers
 * @property {Pool | null} pool
 * @property {boolean} edited true if the run on screen is edited
 * @property {(choices: Choices) => string} key of a request
 * @property {(choices: Choices, signal: AbortSignal, progress: (share: number) => void) => Promise<Audit>} run
 * @property {(audit: Audit) => void} drawn draws the maps
 * @property {(audit: Audit) => string} csv
 */

export class Report {
  #choices = html.div({ class: "audit-choices" });
  #status = html.p({ class: "note", role: "status" });
  #verdict = html.ol({ class: "audit-verdict", "aria-label": "Verdict" });
  maps = html.div({ class: "audit-maps" });
  #figures = html.dl({ class: "audit-figures" });
  #about = html.div({ class: "audit-about note" });
  #body = html.div({ class: "audit-body", hidden: true }, [
    this.#verdict,
    this.maps,
    this.#figures,
    this.#about,
  ]);
  #served;
  #running = new AbortController();
  /** @type {{asked: Asked, palette: Palette} | null} */
  #now = null;
  /** @type {Choices["removal"]} */
  #removal = "block";
  /** @type {Scope} */
  #scope = "all";
  /** The request of the audit on screen, or on its way. */
  #asked = "";
  /** @type {Audit | null} */
  audit = null;

  /** @param {HTMLElement} place @param {boolean} served */
  constructor(place, served) {
    this.#served = served;
    place.classList.add("audit");
    place.replaceChildren(this.#choices, this.#status, this.#body);
    this.#choices.addEventListener("change", ({ target }) => {
      if (!(target instanceof HTMLInputElement)) return;
      if (target.name === "audit-scope") this.#scope = /** @type {Scope} */ (target.value);
      else this.#removal = /** @type {Choices["removal"]} */ (target.value);
      this.#ask();
    });
  }

  /** @param {Asked} asked @param {Palette} palette */
  draw(asked, palette) {
    this.#now = { asked, palette };
    this.#offer(asked);
    this.#ask();
  }

  /** Stops the audit of the trace before. */
  forget() {
    this.#running.abort();
    this.#asked = "";
  }

  /** @returns {Choices} */
  #chosen() {
    const { picked } = /** @type {{asked: Asked}} */ (this.#now).asked;
    const one = this.#scope === "one" && picked;
    return {
      removal: this.#removal,
      layer: one ? picked.layer : null,
      head: one ? picked.head : null,
    };
  }

  /** @param {Asked} asked */
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
    const { asked } = /** @type {{asked: Asked}} */ (this.#now);
    if (!this.#served) {
      this.#status.textContent =
        "An audit runs the model again, which takes a server. This page has none.";
      return;
    }
    const choices = this.#chosen();
    const key = asked.key(choices);
    if (key === this.#asked) {
      if (this.audit) this.#show(this.audit);
      return;
    }
    this.#asked = key;
    this.audit = null;
    this.#body.setAttribute("aria-busy", "true");
    this.#running.abort();
    this.#running = new AbortController();
    void this.#run(asked, choices, this.#running.signal);
  }

  /** @param {Asked} asked @param {Choices} choices @param {AbortSignal} signal */
  async #run(asked, choices, signal) {
    this.#status.textContent = "Taking each key away…";
    try {
      const audit = await asked.run(choices, signal, (share) => {
        this.#status.textContent = `Taking each key away… ${Math.round(share * 100)}\u00a0%`;
      });
      if (signal.aborted) return;
      this.audit = audit;
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
    const { asked, palette } = /** @type {{asked: Asked, palette: Palette}} */ (this.#now);
    this.#status.textContent = asked.edited ? "This audits the run without the edits." : "";
    this.#body.hidden = false;
    this.#body.removeAttribute("aria-busy");
    this.#verdict.replaceChildren(...audit.verdict.map((sentence) => html.li(sentence)));
    asked.drawn(audit);
    this.#figures.replaceChildren(
      ...figuresOf(audit).flatMap((figure) => figureRow(figure, palette)),
    );
    this.#about.replaceChildren(about(audit), this.#files(audit, asked));
  }

  /** The files of an audit, and the page to print. @param {Audit} audit @param {Asked} asked */
  #files(audit, asked) {
    const name = `heed-${audit.trace.model.id}-audit`;
    const button = (/** @type {string} */ name, /** @type {() => void} */ press) =>
      html.button({ type: "button", class: "quiet", onclick: press }, name);
    return html.p(
      { class: "audit-files" },
      button("CSV", () => save(asked.csv(audit), "text/csv", `${name}.csv`)),
      button("JSON", () => save(JSON.stringify(audit), "application/json", `${name}.json`)),
      button("Print the report", () => {
        this.#about.querySelector("details")?.setAttribute("open", "");
        print();
      }),
    );
  }
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
