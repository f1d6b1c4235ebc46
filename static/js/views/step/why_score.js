/** The score of a key taken apart, on demand. */

/** @import {PictureScene, Scene} from "../../core/types" */

import { ApiError } from "../../core/api.js";
import { rowAndColumn } from "../../core/grid.js";
import { named } from "../../core/text.js";
import { fill, html, sayAny, set } from "../../draw/dom.js";
import { explained } from "./why_tables.js";

/** Cells of a photo that are offered, the strongest first. */
const OFFERED = 12;

/** @typedef {(settings: any) => Promise<Blob>} Photo */

export class WhyScore {
  #photo;
  #key = html.select({ name: "score-key", "aria-label": "Key" });
  #said = html.p({ class: "note", role: "status" });
  #table = html.div({ class: "scroll", tabindex: 0, role: "region", "aria-label": "Parts" });
  node = html.details(
    { class: "why-score", "data-view-place": "step" },
    html.summary("Why this score?"),
    html.label({ class: "picker" }, "Score of ", this.#key),
    this.#said,
    this.#table,
  );
  /** @type {{scene: any, row: number, settings: any} | null} */
  #now = null;
  /** The request that runs or was answered. */
  #asked = "";
  /** The one whose answer is in the table, and the note on it. */
  #answered = { asked: "", note: "" };
  /** True while another row than that of the table is passed. */
  #passes = false;
  #running = new AbortController();

  /** @param {Photo} [photo] the photo of a request, on a page of photos */
  constructor(photo) {
    this.#photo = photo;
    this.node.addEventListener("toggle", () => void this.#ask());
    this.#key.addEventListener("change", () => void this.#ask());
  }

  /** Hides the numbers of another row while a row is passed. @param {number} row */
  pass(row) {
    if (this.#now?.row === row) return;
    this.#passes = true;
    this.#hide(true);
    sayAny(this.#said, "");
  }

  /** Shows a row, once it is at rest. @param {any} scene @param {number} row @param {any} settings */
  draw(scene, row, settings) {
    this.#passes = false;
    this.node.hidden = !splits(scene, Boolean(this.#photo));
    if (this.node.hidden) return;
    const before = this.#now?.scene;
    const same = this.#now?.row === row && before.picked === scene.picked;
    if (before?.trace !== scene.trace) this.#forget();
    this.#now = { scene, row, settings };
    const keys = scene.view ? columnsOf(scene) : strongest(scene, row);
    const weights = scene.view?.weights?.[row] ?? [];
    const most = scene.view ? String(weights.indexOf(Math.max(...weights))) : keys[0].value;
    fill(this.#key, keys, same && this.#key.value ? this.#key.value : most);
    void this.#ask();
  }

  /** Drops the last answer, and stops waiting for one. */
  #forget() {
    this.#running.abort();
    this.#asked = "";
    this.#answered = { asked: "", note: "" };
  }

  /** @param {boolean} stale true while the table has the numbers of another cell */
  #hide(stale) {
    set(this.#table, "aria-busy", stale && "true");
  }

  async #ask() {
    if (this.node.hidden || !this.#now) return;
    const { scene, row, settings } = this.#now;
    const fields = fieldsOf(scene, row, Number(this.#key.value));
    const asked = JSON.stringify(fields);
    const known = asked === this.#answered.asked;
    this.#hide(!known);
    if (!this.node.open) return;
    sayAny(this.#said, known ? this.#answered.note : "Computing…");
    if (asked === this.#asked) return;
    this.#asked = asked;
    this.#running.abort();
    if (known) return;
    this.#running = new AbortController();
    const { signal } = this.#running;
    try {
      const photo = this.#photo?.(settings);
      const { table, note } = await explained(scene, fields, photo, signal);
      if (signal.aborted) return;
      this.#table.replaceChildren(table);
      this.#answered = { asked, note };
      this.#hide(this.#passes);
      if (!this.#passes) sayAny(this.#said, note);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      this.#forget();
      this.#table.replaceChildren();
      sayAny(this.#said, error.message);
    }
  }
}

/** True if the score of a cell can be asked for. @param {any} scene @param {boolean} seen true if there is a photo */
export function splits({ trace, picked, pool, pick, view }, seen) {
  const { source, request, steps, task } = trace;
  if (!picked || pool || pick || request.edits?.length || !steps.length) return false;
  if (source.kind === "tokens")
    return Boolean(view && source.tokens.length && !source.frame_seconds);
  return source.kind === "grid" && seen && task === "caption" && picked.kind !== "drawn";
}

/** @param {Scene} scene */
const columnsOf = ({ view }) =>
  view.columns.map((item, at) => ({ value: String(at), text: named(item) }));

/** The cells that a row looks at most. @param {PictureScene} scene @param {number} row */
function strongest({ weights, trace }, row) {
  const cells = [...weights[row].keys()].sort((a, b) => weights[row][b] - weights[row][a]);
  return cells
    .slice(0, OFFERED)
    .map((cell) => ({ value: String(cell), text: rowAndColumn(trace.source, cell) }));
}

/**
 * The request for a cell: its tokens, of a word in pieces those that the step shows and that it
 * looks at most.
 * @param {any} scene @param {number} row @param {number} column
 */
export function fieldsOf({ trace, picked, view, pieces }, row, column) {
  const { text, target, search } = trace.request;
  const token = pieces[row];
  const weights = picked?.weights[token] ?? [];
  const keys = view ? view.columns[column].tokens : [column];
  return {
    model: trace.model.id,
    ...(view && { text }),
    ...(target === null ? { search } : { target }),
    kind: picked?.kind,
    layer: picked?.layer,
    head: picked?.head,
    row: token,
    column: keys.reduce(
      (/** @type {number} */ most, /** @type {number} */ key) =>
        weights[key] > weights[most] ? key : most,
      keys[0],
    ),
  };
}
