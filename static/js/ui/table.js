/** The table behind the picture: the same numbers, for a screen reader, for copying, for checking. */

/** @import {Item, Scene} from "../types" */

import { margins } from "../margins.js";
import { heading, percent } from "../text.js";
import { box, byId, element } from "./dom.js";

export class DataTable {
  #panel = byId("table", HTMLDetailsElement);
  #body = box("table-body");
  /** @type {Scene | null} drawn when the panel is opened, not before */
  #pending = null;

  constructor() {
    this.#panel.addEventListener("toggle", () => this.#flush());
  }

  /** @param {Scene} scene */
  draw(scene) {
    this.#panel.hidden = !scene.view.weights;
    this.#pending = scene;
    this.#flush();
  }

  /** @param {number} row */
  at(row) {
    this.#body.querySelector("tr[data-current]")?.removeAttribute("data-current");
    this.#body.querySelectorAll("tbody tr")[row]?.setAttribute("data-current", "");
  }

  #flush() {
    if (!this.#panel.open || !this.#pending) return;
    this.#body.replaceChildren(tableOf(this.#pending));
    this.at(this.#pending.row);
    this.#pending = null;
  }
}

/** @param {Scene} scene */
function tableOf(scene) {
  const { view } = scene;
  const weights = view.weights ?? [];
  const { entropies, coverages, probabilities } = margins(scene);
  const sure = probabilities.some((value) => value !== null);
  const columns = [
    ...view.columns.map((item) => header(item, "col")),
    element("th", { scope: "col", class: "margin", title: "How spread out the row is" }, "entropy, bits"),
    sure && element("th", { scope: "col", class: "margin", title: "How likely the model held what it wrote" }, "probability"),
  ];
  const rows = view.rows.map((item, row) => {
    const chance = probabilities[row];
    return element(
      "tr",
      {},
      header(item, "row"),
      ...weights[row].map((value) => element("td", {}, value.toFixed(3))),
      element("td", { class: "margin" }, entropies[row].toFixed(2)),
      sure && element("td", { class: "margin" }, chance === null ? "" : percent(chance)),
    );
  });
  const foot = element(
    "tr",
    {},
    element("th", { scope: "row", class: "margin", title: "The sum of the column" }, "coverage"),
    ...coverages.map((value) => element("td", { class: "margin" }, value.toFixed(2))),
    element("td", {}),
    sure && element("td", {}),
  );
  const caption = "Weights α. Each row is a piece written, each column a piece read; a row sums to 1.";
  return element(
    "table",
    { class: "figures data" },
    element("caption", {}, caption),
    element("thead", {}, element("tr", {}, element("td", {}), ...columns)),
    element("tbody", {}, ...rows),
    element("tfoot", {}, foot),
  );
}

/** @param {Item} item @param {"row" | "col"} scope */
function header(item, scope) {
  const { text, quiet } = heading(item);
  const spoken = text === "␣" ? "space" : null;
  return element("th", { scope, "data-quiet": quiet, abbr: spoken }, element("span", { dir: "auto" }, text));
}
