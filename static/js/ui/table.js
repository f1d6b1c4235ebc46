/** The table behind the picture: the same numbers, for a screen reader, for copying, for checking. */

/** @import {Item, Scene} from "../types" */

import { heading } from "../text.js";
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
function tableOf({ view }) {
  const weights = view.weights ?? [];
  const columns = view.columns.map((item) => header(item, "col"));
  const rows = view.rows.map((item, row) =>
    element("tr", {}, header(item, "row"), ...weights[row].map((value) => element("td", {}, value.toFixed(3)))),
  );
  const caption = "Weights α. Each row is a piece written, each column a piece read; a row sums to 1.";
  return element(
    "table",
    { class: "figures data" },
    element("caption", {}, caption),
    element("thead", {}, element("tr", {}, element("td", {}), ...columns)),
    element("tbody", {}, ...rows),
  );
}

/** @param {Item} item @param {"row" | "col"} scope */
function header(item, scope) {
  const { text, quiet } = heading(item);
  const spoken = text === "␣" ? "space" : null;
  return element("th", { scope, "data-quiet": quiet, abbr: spoken }, element("span", { dir: "auto" }, text));
}
