/** The score of a key taken apart, on demand: a table of products, or the words that were left out. */

/** @import {Scene} from "../../core/types" */
/** @import {Score} from "../../core/wire" */

import { ApiError, TRANSLATE, postJson } from "../../core/api.js";
import { named } from "../../core/text.js";
import { fill, html, sayAny } from "../../draw/dom.js";

const MINUS = "−";
/** A number of a score, with a sign of its own. @param {number} value */
const shown = (value) =>
  value
    .toFixed(2)
    .replace(/^-0\.00$/, "0.00")
    .replace("-", MINUS);

export class WhyScore {
  #key = html.select({ name: "score-key", "aria-label": "Key" });
  #said = html.p({ class: "note", role: "status" });
  #table = html.div({ class: "scroll", tabindex: 0, role: "region", "aria-label": "Parts" });
  node = html.details(
    { class: "why-score", "data-view-place": "step" },
    html.summary("Why this score?"),
    html.label({ class: "picker" }, "Score of ", this.#key),
    this.#table,
    this.#said,
  );
  /** @type {{scene: Scene, row: number} | null} */
  #now = null;
  /** The request on screen. */
  #asked = "";
  #running = new AbortController();

  constructor() {
    this.node.addEventListener("toggle", () => void this.#ask());
    this.#key.addEventListener("change", () => void this.#ask());
  }

  /** Shows a row, once it is at rest. @param {any} scene @param {number} row */
  draw(scene, row) {
    const { trace, picked, pool, pick, view } = scene;
    const kind = view && picked && !pool && pick === 0 && picked.kind;
    const asks =
      trace.source.kind === "tokens" && !trace.request.edits?.length && trace.steps.length;
    this.node.hidden = !kind || !asks || trace.source.frame_seconds || !trace.source.tokens.length;
    if (this.node.hidden) return;
    const same = this.#now?.row === row && this.#now.scene.picked === picked;
    this.#now = { scene, row };
    const weights = view.weights?.[row] ?? [];
    fill(
      this.#key,
      view.columns.map((/** @type {any} */ item, /** @type {number} */ at) => ({
        value: String(at),
        text: named(item),
      })),
      same && this.#key.value ? this.#key.value : String(weights.indexOf(Math.max(...weights))),
    );
    void this.#ask();
  }

  async #ask() {
    if (!this.node.open || this.node.hidden || !this.#now) return;
    const { scene, row } = this.#now;
    const body = bodyOf(scene, row, Number(this.#key.value));
    const asked = JSON.stringify(body);
    if (asked === this.#asked) return;
    this.#asked = asked;
    this.#running.abort();
    this.#running = new AbortController();
    const { signal } = this.#running;
    sayAny(this.#said, "Computing…");
    try {
      /** @type {Score} */
      const score = await postJson(`${TRANSLATE}/score`, body, signal);
      if (signal.aborted) return;
      this.#table.replaceChildren(...(score.split ? splitTable(score) : wordsTable(score, scene)));
      sayAny(this.#said, score.split ? splitNote(score) : WORDS_NOTE);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      this.#asked = "";
      this.#table.replaceChildren();
      sayAny(this.#said, error.message);
    }
  }
}

/** The request for a cell: tokens, of a word in pieces those that the step shows and that it looks at most. @param {Scene} scene @param {number} row @param {number} column */
function bodyOf({ trace, picked, view, pieces }, row, column) {
  const { text, target, search } = trace.request;
  const token = pieces[row];
  const weights = picked?.weights[token] ?? [];
  const keys = view.columns[column].tokens;
  return {
    model: trace.model.id,
    text,
    ...(target === null ? { search } : { target }),
    kind: picked?.kind,
    layer: picked?.layer,
    head: picked?.head,
    row: token,
    column: keys.reduce((most, key) => (weights[key] > weights[most] ? key : most), keys[0]),
  };
}

const WORDS_NOTE =
  "Each word of the input was left out in turn, and the output forced once more: the change is what the score lost. States of a recurrent network do not split, so that the changes need not add up; the remainder is the rest.";

/** @param {Score} score */
function splitNote({ score, split }) {
  const cells = (split?.products ?? []).flatMap((row, at) =>
    row.map((value, key) => ({ value, name: `${split?.query[at]} × ${split?.key[key]}` })),
  );
  const most = cells.reduce((a, b) => (Math.abs(b.value) > Math.abs(a.value) ? b : a));
  return `e = ${shown(score)} is the sum of all products, exactly, with the scale of each norm held. The largest is ${most.name}: ${shown(most.value)}.`;
}

/** @param {Score} score */
function splitTable({ score, split }) {
  const { query, key, products } = /** @type {NonNullable<Score["split"]>} */ (split);
  const sum = (/** @type {number[]} */ values) => values.reduce((all, value) => all + value, 0);
  const most = Math.max(...products.flat().map(Math.abs));
  const cell = (/** @type {number} */ value) =>
    html.td(
      {
        class: "number",
        "data-sign": value < 0 ? "minus" : "plus",
        "--share": (Math.abs(value) / (most || 1)).toFixed(3),
      },
      shown(value),
    );
  const head = (/** @type {string} */ text) => html.th({ scope: "col" }, text);
  const total = (/** @type {number} */ value) => html.td({ class: "number margin" }, shown(value));
  return [
    html.table(
      { class: "split" },
      html.caption("Parts of the query (rows) × parts of the key (columns)"),
      html.thead(html.tr(html.td(), ...key.map(head), head("sum"))),
      html.tbody(
        ...products.map((row, at) =>
          html.tr(html.th({ scope: "row" }, query[at]), ...row.map(cell), total(sum(row))),
        ),
      ),
      html.tfoot(
        html.tr(
          html.th({ scope: "row" }, "sum"),
          ...key.map((_, at) => total(sum(products.map((row) => row[at])))),
          html.td({ class: "number" }, html.b(shown(score))),
        ),
      ),
    ),
  ];
}

/** @param {Score} score @param {Scene} scene */
function wordsTable({ score, left_out, remainder }, scene) {
  const row = (/** @type {string} */ name, /** @type {string} */ value) =>
    html.tr(html.th({ scope: "row" }, name), html.td({ class: "number" }, value));
  const { words } = scene.trace.source;
  return [
    html.table(
      { class: "split" },
      html.caption("The part of the score that is gone without a word"),
      html.tbody(
        ...(left_out ?? []).map(({ word, change }) =>
          row(words[word].text, change === null ? "the key itself" : shown(change)),
        ),
        row("remainder", shown(remainder ?? score)),
      ),
      html.tfoot(row("e", shown(score))),
    ),
  ];
}
