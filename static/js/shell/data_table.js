/** The numbers of the map as a table, for screen readers, for copying and for checking. */

/** @import {MapScene, Settings} from "../core/types" */
/** @import {PartWiring} from "./types" */

import { toggledIn } from "../core/selection.js";
import { around, box } from "../draw/dom.js";
import { PanelTable } from "./panels.js";

/** @typedef {Pick<Settings, "rows" | "columns">} Selected */

export class DataTable {
  #body = box("table-body");
  /** @type {PanelTable<MapScene>} */
  #table = new PanelTable(tableOf);

  /** @type {{scene: MapScene, settings: Selected} | null} */
  #shown = null;

  /** @param {PartWiring<Selected>} wiring */
  constructor({ change }) {
    this.#body.addEventListener("click", (event) => {
      const pressed = around(event, "button");
      if (!pressed || !this.#shown) return;
      const { axis, index } = pressed.dataset;
      change(
        toggledIn(
          this.#shown.settings,
          this.#shown.scene,
          axis === "rows" ? "rows" : "columns",
          Number(index),
        ),
      );
      // The table is new; the keyboard focus stays where it was.
      /** @type {HTMLElement | null} */ (
        this.#body.querySelector(`button[data-axis="${axis}"][data-index="${index}"]`)
      )?.focus();
    });
  }

  /** @param {MapScene} scene @param {{settings: Selected}} how */
  draw(scene, { settings }) {
    this.#shown = { scene, settings };
    this.#table.draw(scene, scene.view.weights !== null);
  }

  /** @param {MapScene} scene @param {number} row */
  settle(scene, row) {
    this.#table.settle(scene, row);
  }
}

/** Loaded with the first open table; from then on a new one is there at once. @type {typeof import("./weight_table.js") | null} */
let module = null;

/** @param {MapScene} scene */
const tableOf = (scene) =>
  module ? module.tableOf(scene) : loaded().then(({ tableOf }) => tableOf(scene));

const loaded = async () => (module ??= await import("./weight_table.js"));
