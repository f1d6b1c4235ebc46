/** One of the runs: its share, the maps of its examples, and what it writes for the text that was typed. */

/** @import {Edit} from "../../core/types" */
/** @import {RunFrame} from "./training.js" */

import { html, say } from "../../draw/dom.js";
import { percent } from "./charts.js";
import { MapFigure, widthOf } from "./map_figure.js";

/** Views of the page of texts, and files. @type {[action: string, text: string][]} */
const ACTIONS = [
  ["map", "Map"],
  ["network", "Network"],
  ["step", "Step"],
  ["save", "Save the trace"],
  ["model", "Save the model"],
];

export class RunView {
  #name = html.h2();
  #share = html.p({ class: "grow-share" });
  #maps = html.div({ class: "grow-maps" });
  #none = html.p({ class: "note" }, "Without attention there is no map: one vector holds the whole text."); // prettier-ignore
  #typed;
  #unread = html.p({ class: "note" });
  /** @type {MapFigure[]} */
  #figures = [];
  node;

  /** @param {number} run @param {(action: string) => void} act @param {(row: number, column: number) => void} press a cell of the map of the text that was typed */
  constructor(run, act, press) {
    this.#typed = new MapFigure(press);
    // Until the first frame nothing is known.
    for (const node of [this.#none, this.#typed.node]) node.hidden = true;
    const buttons = ACTIONS.map(([action, text]) =>
      html.button({ type: "button", class: "quiet", onclick: () => act(action) }, text),
    );
    this.node = html.section(
      { class: "grow-run", "data-run": run },
      html.div({ class: "grow-head" }, this.#name, this.#share),
      this.#none,
      html.div(
        { class: "grow-body" },
        html.div({ class: "grow-mine" }, html.h3("Your text"), this.#typed.node, this.#unread),
        this.#maps,
      ),
      html.div({ class: "grow-take" }, html.span({ class: "note" }, "Open in"), buttons),
    );
  }

  /** @param {string | null} name null if there is no such run */
  begin(name) {
    this.node.hidden = name === null;
    say(this.#name, name ?? "");
  }

  /** @param {RunFrame} frame @param {(text: string) => string | null} answer @param {boolean} inWords true if the maps are described in words, too @param {readonly Edit[]} edits */
  show({ share, written, typed }, answer, inWords, edits) {
    say(this.#share, percent(share));
    this.#none.hidden = written.some(({ weights }) => weights);
    while (this.#figures.length < written.length) {
      const figure = new MapFigure();
      this.#figures.push(figure);
      this.#maps.append(figure.node);
    }
    const texts = written.map(({ source }) => ({ source, answer: answer(source) ?? "" }));
    this.#maps.style.setProperty("--map", widthOf(texts));
    const rows = (/** @type {string} */ text, /** @type {string} */ wrote) =>
      Array.from(answer(text) ?? wrote).length + 1;
    this.#figures.forEach((figure, place) => {
      const each = written[place];
      figure.node.hidden = !each;
      if (each) figure.show(each, rows(each.source, each.written), inWords);
    });
    this.#typed.node.hidden = !typed;
    if (typed) this.#typed.show(typed, rows(typed.source, typed.written), inWords, edits);
    say(this.#unread, typed ? "" : "Type a text above that the network can read.");
  }
}
