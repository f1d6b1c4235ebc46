/** Words that a person links below the ribbons, and how well each map agrees with them. */

/** @import {Scene, Settings} from "../../core/types" */
/** @import {Alignment} from "../../core/alignment.js" */
/** @import {Link} from "../../core/links.js" */

import { alignments } from "../../core/alignment.js";
import { linksText, wordsOf } from "../../core/links.js";
import { percent } from "../../core/text.js";
import { html } from "../../draw/dom.js";
import { save } from "../../draw/download.js";
import { goldOf } from "../../core/gold_links.js";
import { LinkEditor } from "../link_editor.js";

/** @type {Record<number, string>} */
const DRIFT = { "-1": "one row before its word", 1: "one row behind its word" };

export class YourLinks {
  #editor;
  #figures = html.div({ class: "link-figures" });
  #save = html.button({ type: "button", class: "quiet" }, "Save as TSV");
  #change;
  /** @type {Scene | null} */
  #scene = null;
  /** @type {Link[]} */
  #links = [];
  root = html.details({ class: "your-links" }, html.summary("Your links"));

  /** @param {(change: Partial<Settings>) => void} change @param {(row: number) => void} select */
  constructor(change, select) {
    this.#change = change;
    this.#editor = new LinkEditor(change, (place) => {
      const [token] = wordsOf(/** @type {Scene} */ (this.#scene).output.target)[place].tokens;
      const row = this.#rowOf(token);
      if (row !== -1) select(row);
    });
    this.#editor.add(this.#save);
    this.#save.addEventListener("click", () => this.#download());
    this.root.append(this.#editor.root, this.#editor.said, this.#figures);
  }

  /** True while pressing an input word links it. */
  get open() {
    return this.root.open && !this.root.hidden;
  }

  /** @param {Scene} scene */
  draw(scene) {
    const opens = scene.links && !this.#scene?.links;
    this.#scene = scene;
    const { rowAxis, columnAxis } = scene.view;
    this.root.hidden = rowAxis !== "target" || columnAxis !== "source";
    if (opens) this.root.open = true; // a person may close it again
    const gold = scene.links === null ? goldOf(scene) : null;
    this.#links = this.#editor.draw(scene, scene.links ?? gold) ?? [];
    if (gold)
      this.#editor.say("These links of an example were made by hand. Press to change them.");
    this.#save.disabled = !this.#links.length;
    this.#figures.replaceChildren(...this.#measured(scene));
  }

  /** Goes to the word of a row. @param {number} row */
  at(row) {
    const { view, output } = /** @type {Scene} */ (this.#scene);
    const [token] = view.rows[row]?.tokens ?? [];
    const place = wordsOf(output.target).findIndex(({ tokens }) => tokens.includes(token));
    if (place !== -1) this.#editor.at(place);
  }

  /** Links the word of a column to that of the row, or changes their link. @param {number} column */
  press(column) {
    const { view, trace } = /** @type {Scene} */ (this.#scene);
    const [token] = view.columns[column].tokens;
    const place = wordsOf(trace.source).findIndex(({ tokens }) => tokens.includes(token));
    if (place !== -1) this.#editor.press(place);
  }

  /** @param {number} token */
  #rowOf = (token) =>
    /** @type {Scene} */ (this.#scene).view.rows.findIndex(({ tokens }) => tokens.includes(token));

  /** The figures of each map, a row for each. @param {Scene} scene */
  #measured({ trace, output, layers, heads }) {
    if (!this.#links.length) return [];
    const ranked = alignments(trace.source, output, this.#links);
    const several = layers.length * heads.length > 1;
    const name = (/** @type {Alignment} */ { layer, head }) =>
      html.button(
        {
          type: "button",
          class: "quiet",
          onclick: () => this.#change({ layer, head, pool: head === null ? "mean" : null }),
        },
        `layer ${layer + 1}, ${head === null ? "mean of all" : `head ${head + 1}`}`,
      );
    return [
      html.table(
        { class: "data" },
        html.caption(
          "Agreement with these links, the least alignment error rate (AER) first. A word without a link counts as wrong. With a drift, the figures are those of the rows moved by one.",
        ),
        html.thead(
          html.tr(
            ...["Map", "AER", "precision", "recall", "drift"].map((title) =>
              html.th({ scope: "col" }, title),
            ),
          ),
        ),
        html.tbody(
          ...ranked.map((found) =>
            html.tr(
              html.th({ scope: "row" }, several ? name(found) : "this map"),
              html.td({ class: "number" }, found.error.toFixed(2)),
              html.td({ class: "number" }, percent(found.precision)),
              html.td({ class: "number" }, percent(found.recall)),
              html.td(DRIFT[found.shift] ?? "–"),
            ),
          ),
        ),
      ),
    ];
  }

  /** Saves the pair with its links, as `heed align` reads it. */
  #download() {
    const { trace, output } = /** @type {Scene} */ (this.#scene);
    const plain = (/** @type {string} */ text) => text.replace(/\s+/g, " ").trim();
    const line = [plain(trace.source.text), plain(output.text), linksText(this.#links)].join("\t");
    this.#editor.say(save(`${line}\n`, "text/tab-separated-values", "links.tsv"));
  }
}
