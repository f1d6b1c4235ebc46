/** The tools that edit the graph of the drawing: the class of a node, edges, and nodes. */

/** @import {Drawn} from "../../core/graph_edit.js" */

import { withClass, withNode, withoutNode } from "../../core/graph_edit.js";
import { visible } from "../../core/text.js";
import { fill, html, say } from "../../draw/dom.js";

/** @typedef {"known" | "hint"} Given */

export class GraphEditor {
  node = html.div({ class: "graph-editor", role: "group", "aria-label": "Edit the graph" });
  #edit;
  #name = html.b();
  #known = html.select();
  #hint = html.select();
  #join = html.button(
    { type: "button", "aria-pressed": "false", title: "Then press the other node" },
    "Add or cut an edge",
  );
  #help = html.p({ class: "note graph-help", role: "status" });
  /** @type {{graph: Drawn, row: number} | null} */
  #now = null;

  /** @param {(graph: Drawn) => void} edit takes the edited graph */
  constructor(edit) {
    this.#edit = edit;
    const [add, remove] = [
      html.button({ type: "button" }, "Add a node"),
      html.button({ type: "button" }, "Remove it"),
    ];
    this.node.append(
      this.#name,
      html.label(html.span({ class: "legend" }, "class "), this.#known),
      html.label(html.span({ class: "legend" }, "hint "), this.#hint),
      this.#join,
      add,
      remove,
      this.#help,
    );
    this.#known.addEventListener("change", () => this.#give("known", this.#known));
    this.#hint.addEventListener("change", () => this.#give("hint", this.#hint));
    this.#join.addEventListener("click", () => this.#toggle(!this.joins));
    add.addEventListener("click", () => this.#change((graph, row) => withNode(graph, row)));
    remove.addEventListener("click", () => this.#change(withoutNode));
    document.addEventListener("keydown", ({ key }) => {
      if (key === "Escape" && this.joins) this.#toggle(false);
    });
  }

  /** True while the next node that is pressed is joined to the current one, or cut from it. */
  get joins() {
    return this.#join.getAttribute("aria-pressed") === "true";
  }

  /** Shows the node that is edited. @param {Drawn} graph @param {number} row */
  at(graph, row) {
    this.#now = { graph, row };
    const { text, known, hint } = graph.nodes[row];
    say(this.#name, visible(text));
    offer(this.#known, graph.classes, known);
    offer(this.#hint, graph.classes, hint);
    this.#explain();
  }

  /** @param {Given} given @param {HTMLSelectElement} select */
  #give(given, select) {
    const value = select.value === "" ? undefined : Number(select.value);
    this.#change((graph, row) => withClass(graph, row, { [given]: value }));
  }

  /** @param {(graph: Drawn, row: number) => Drawn} change */
  #change(change) {
    if (this.#now) this.#edit(change(this.#now.graph, this.#now.row));
  }

  /** @param {boolean} joins */
  #toggle(joins) {
    this.#join.setAttribute("aria-pressed", String(joins));
    this.#explain();
  }

  #explain() {
    const { graph, row } = this.#now ?? {};
    const name = graph && row !== undefined ? visible(graph.nodes[row].text) : "";
    say(
      this.#help,
      this.joins
        ? `Press a node to join it to ${name}, or to cut the edge between them. Escape ends this.`
        : "Press a node to see where it looks; arrow keys go from node to node. Drag a node, or press Shift and an arrow key, to move it.",
    );
  }
}

/** @param {HTMLSelectElement} select @param {string[]} classes @param {number | undefined} value */
function offer(select, classes, value) {
  const options = classes.map((text, index) => ({ value: String(index), text }));
  fill(select, [{ value: "", text: "none" }, ...options], value === undefined ? "" : String(value));
}
