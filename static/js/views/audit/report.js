/** The report of an audit: a verdict in words, the maps, and every figure beside its baseline. */

/** @import {Audit, Contrast} from "../../core/wire" */
/** @import {AttentionMap, AuditSettings, Palette, Pool} from "../../core/types" */
/** @import {Call, Choices} from "./request.js" */
/** @import {Figure} from "./model.js" */

import { ApiError } from "../../core/api.js";
import { html } from "../../draw/dom.js";
import { onScreen } from "../../draw/ink.js";
import { Drawing } from "../../draw/page.js";
import { choiceFields } from "./choices.js";
import { ContrastFigure } from "./contrast.js";
import { CurvesFigure } from "./curves.js";
import { STRIP, strip } from "./marks.js";
import { figuresOf } from "./model.js";
import { fileButtons } from "./on_demand.js";
import { OrdersFigure } from "./orders.js";
import { figureOf } from "./request.js";
import { RewrittenFigure } from "./rewritten.js";

/** On narrower screens the maps come first. */
const NARROW = 640;

/**
 * The subject of an audit, and the calls that ask for it.
 * @typedef {object} Asked
 * @property {Pick<AttentionMap, "layer" | "head"> | null} picked @property {unknown[]} heads @property {unknown[]} layers
 * @property {Pool | null} pool
 * @property {{target: any, steps: any}} output
 * @property {AuditSettings} settings
 * @property {(change: Partial<AuditSettings>) => void} change
 * @property {boolean} edited true if the run on screen is edited
 * @property {number} token the one that is selected
 * @property {boolean} cells true over a photo
 * @property {(choices: Choices) => string} key of a request
 * @property {(choices: Choices) => Promise<Call>} call
 * @property {(audit: Audit) => void} drawn draws the maps
 * @property {(contrast: Contrast) => Node[]} contrast draws the contrast of each key
 * @property {(audit: Audit) => string} csv
 */

/**
 * The audit on screen, for its figures on demand.
 * @typedef {{asked: Asked, audit: Audit, palette: Palette, choices: Choices, rows: (figures: Figure[]) => Node[]}} Now
 */

export class Report {
  #choices = html.div({ class: "audit-choices" });
  #status = html.p({ class: "note", role: "status" });
  #verdict = html.ol({ class: "audit-verdict", "aria-label": "Verdict" });
  maps = html.div({ class: "audit-maps" });
  #figures = html.dl({ class: "audit-figures" });
  #rewritten = new RewrittenFigure();
  #demanded = [new ContrastFigure(), new OrdersFigure(), new CurvesFigure()];
  #about = html.div({ class: "audit-about note" });
  #body = html.div({ class: "audit-body", hidden: true });
  /** The audits of a file; null where a server computes them. @type {Audit[] | null} */
  #held;
  #running = new AbortController();
  /** @type {{asked: Asked, palette: Palette} | null} */
  #now = null;
  #token = 0;
  /** The request of the audit on screen, or on its way. */
  #asked = "";
  /** @type {Audit | null} */
  audit = null;

  /** @param {HTMLElement} place @param {Audit[] | null} held */
  constructor(place, held) {
    this.#held = held;
    const served = (/** @type {HTMLElement[]} */ ...parts) => (held ? [] : parts);
    this.#body.append(
      this.#verdict,
      this.maps,
      ...served(this.#rewritten.root),
      this.#figures,
      ...served(...this.#demanded.map(({ root }) => root)),
      this.#about,
    );
    place.classList.add("audit");
    const side = html.details(
      { class: "audit-side", open: innerWidth >= NARROW },
      html.summary("What is taken away"),
      this.#choices,
    );
    place.replaceChildren(side, this.#status, this.#body);
  }

  /** @param {Asked} asked @param {Palette} palette */
  draw(asked, palette) {
    this.#now = { asked, palette };
    this.#token = asked.token;
    this.#offer(asked);
    this.#ask();
  }

  /** Goes to another token. @param {number} token */
  at(token) {
    if (token === this.#token) return;
    this.#token = token;
    if (this.audit) this.#demand(this.audit);
  }

  /** Stops the audit of the trace before. */
  forget() {
    this.#running.abort();
    this.#asked = "";
    for (const figure of [this.#rewritten, ...this.#demanded]) figure.forget();
  }

  /** @returns {Choices} */
  #chosen() {
    const { picked, settings, pool } = /** @type {{asked: Asked}} */ (this.#now).asked;
    const one = settings.scope === "one" && !pool && picked;
    return {
      removal: settings.removal,
      layer: one ? picked.layer : null,
      head: one ? picked.head : null,
    };
  }

  /** @param {Asked} asked */
  #offer({ heads, layers, picked, pool, settings, change, cells }) {
    const focused = /** @type {HTMLInputElement | null} */ (document.activeElement);
    const held = this.#choices.contains(focused) ? focused?.name : null;
    const one = `head ${(picked?.head ?? 0) + 1} of layer ${(picked?.layer ?? 0) + 1}`;
    const several = heads.length * layers.length > 1 && !pool;
    this.#choices.replaceChildren(
      ...choiceFields(settings, { several, one, cells, served: !this.#held }, change),
    );
    if (held)
      /** @type {HTMLInputElement | null} */ (
        this.#choices.querySelector(`[name="${held}"]:checked`)
      )?.focus();
  }

  #ask() {
    const { asked } = /** @type {{asked: Asked}} */ (this.#now);
    const choices = this.#chosen();
    if (this.#held) return this.#open(this.#held, choices);
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

  /** Shows the audit of these choices that the file has. @param {Audit[]} held @param {Choices} choices */
  #open(held, { removal, layer, head }) {
    this.audit =
      held.find(
        ({ choices }) =>
          choices.removal === removal && choices.layer === layer && choices.head === head,
      ) ?? null;
    if (this.audit) return this.#show(this.audit);
    this.#body.hidden = true;
    this.#status.textContent =
      "An audit runs the model again, which takes a server. This page has none.";
  }

  /** @param {Asked} asked @param {Choices} choices @param {AbortSignal} signal */
  async #run(asked, choices, signal) {
    this.#status.textContent = "Taking each key away…";
    try {
      const audit = await figureOf(await asked.call(choices), signal, (share) => {
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
    this.#figures.replaceChildren(...figureRows(figuresOf(audit), palette));
    this.#about.replaceChildren(about(audit), this.#files(audit, asked));
    this.#demand(audit);
  }

  /** Offers the figures on demand of the token that is selected. @param {Audit} audit */
  #demand(audit) {
    if (this.#held) return;
    const { asked, palette } = /** @type {{asked: Asked, palette: Palette}} */ (this.#now);
    const rows = (/** @type {Figure[]} */ figures) => figureRows(figures, palette);
    const now = { asked, audit, palette, choices: this.#chosen(), rows };
    this.#rewritten.draw(now);
    for (const figure of this.#demanded) figure.draw(now, this.#token);
  }

  /** The files of an audit, and the page to print. @param {Audit} audit @param {Asked} asked */
  #files(audit, asked) {
    const name = `heed-${audit.trace.model.id}-audit`;
    const choices = this.#chosen();
    const button = (/** @type {string} */ name, /** @type {() => void} */ press) =>
      html.button({ type: "button", class: "quiet", onclick: press }, name);
    const server = {
      call: () => asked.call(choices),
      say: (/** @type {string} */ text) => void (this.#status.textContent = text),
    };
    return html.p(
      { class: "audit-files" },
      ...fileButtons(name, audit, asked.csv, this.#held ? null : server),
      button("SVG", () => document.getElementById("save-svg")?.click()),
      // A frame may not print.
      document.body.hasAttribute("data-framed")
        ? null
        : button("Print the report", () => {
            this.#about.querySelector("details")?.setAttribute("open", "");
            print();
          }),
    );
  }
}

/** @param {Figure[]} figures @param {Palette} palette */
const figureRows = (figures, palette) => figures.flatMap((figure) => figureRow(figure, palette));

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
function about({ words, trace, choices, rows, version }) {
  const { id, weights } = trace.model;
  const { search, target } = trace.request;
  const output = target === null ? `output by ${search.kind} search` : "output given";
  return html.details(
    html.summary("The question, exactly"),
    html.ul(words.map((sentence) => html.li(sentence))),
    html.p(
      `${id}, weights ${weights.slice(0, 12)}, Heed ${version}; ${output}; ${choices.seeds} seeds, from 0; ${rows} forced steps. Costs are differences of log₂ p. The dot is this map, the grey range the middle 95 % at random.`,
    ),
  );
}
