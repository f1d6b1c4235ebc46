/** The list of the heads that moved most, of the sentence on screen or over the pairs of a file. */

/** @import {Model, Settings, Trace} from "../../core/types" */
/** @import {Moved} from "./moved.js" */
/** @import {Pair} from "../heads/pairs_file.js" */

import { ApiError } from "../../core/api.js";
import { percent } from "../../core/text.js";
import { html, sayAny } from "../../draw/dom.js";
import { pairsField } from "../heads/pairs_file.js";
import { movedOver } from "./moved.js";

const MOST = 12;
/** @type {Record<string, string>} */
const KINDS = {
  cross: "cross-attention",
  "encoder-self": "self-attention of the input",
  "decoder-self": "masked self-attention",
};

export class MovedHeads {
  #list = html.ol();
  #said = html.p({ class: "note", role: "status" });
  #root;
  #change;
  #answer;
  /** The models on screen, and the settings of their requests. @type {{models: Model[], settings: Settings} | null} */
  #now = null;
  /** @type {{of: string, heads: Moved[], said: string} | null} */
  #measured = null;
  #running = new AbortController();

  /**
   * @param {(change: Partial<Settings>) => void} change
   * @param {(settings: Settings, model: Model, signal: AbortSignal) => Promise<Trace>} answer
   * @param {boolean} served false in a file, whose models cannot run
   */
  constructor(change, answer, served) {
    this.#change = change;
    this.#answer = answer;
    const field = pairsField(
      (pairs) => void this.#measure(pairs),
      (message) => sayAny(this.#said, message),
    );
    this.#root = html.section(
      { class: "moved", "aria-label": "Heads that moved most" },
      html.h3("Heads that moved most"),
      html.p(
        { class: "note" },
        "The share of its weight that a head puts elsewhere in the other model, on average over the rows. Press one to see it in both.",
      ),
      this.#said,
      this.#list,
      served && field,
    );
  }

  /** The list of two models: of this sentence, or of the pairs that were measured last. @param {Model[]} models @param {Settings} settings @param {Moved[]} heads */
  draw(models, settings, heads) {
    this.#now = { models, settings };
    const known = this.#measured?.of === nameOf(models) ? this.#measured : null;
    this.#show(known?.heads ?? heads, known?.said ?? "");
    return this.#root;
  }

  /** Stops measuring. */
  forget() {
    this.#running.abort();
  }

  /** @param {Moved[]} heads @param {string} said */
  #show(heads, said) {
    sayAny(this.#said, said);
    this.#list.replaceChildren(...heads.slice(0, MOST).map((head) => this.#item(head)));
  }

  /** @param {Moved} moved */
  #item({ kind, layer, head, moved }) {
    const onclick = () => this.#change({ map: kind, layer, head, pool: null });
    return html.li(
      html.button(
        { type: "button", class: "quiet", onclick },
        `Layer ${layer + 1}, head ${head + 1}, ${KINDS[kind] ?? kind}: `,
        html.span({ class: "number" }, percent(moved)),
      ),
    );
  }

  /** Compares the heads over the pairs of a file, each forced to its output. @param {Pair[]} pairs */
  async #measure(pairs) {
    if (!this.#now) return;
    const { models, settings } = this.#now;
    this.#running.abort();
    this.#running = new AbortController();
    const { signal } = this.#running;
    const answers = ({ text, target } = pairs[0]) =>
      Promise.all(
        models.map((model) => this.#answer({ ...settings, text, target, pick: 0 }, model, signal)),
      );
    try {
      const begins = (/** @type {number} */ place) =>
        sayAny(this.#said, `Comparing pair ${place + 1} of ${pairs.length}…`);
      const { heads, count } = await movedOver(pairs, answers, begins, signal);
      if (signal.aborted) return;
      const left = pairs.length - count;
      const said = [
        `Averages over ${count} pair${count === 1 ? "" : "s"}.`,
        left && `${left} left out, which the models cut into other tokens.`,
      ];
      this.#measured = { of: nameOf(models), heads, said: said.filter(Boolean).join(" ") };
      this.#show(heads, this.#measured.said);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      sayAny(this.#said, error.message);
    }
  }
}

/** @param {Model[]} models */
const nameOf = (models) => models.map(({ id }) => id).join(" ");
