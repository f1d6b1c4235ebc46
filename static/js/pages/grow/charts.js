/** The course of a training, and the shares by length. */

/** @import {Share} from "./run.js" */

import { html, say, set, svg } from "../../draw/dom.js";

const SIZE = { width: 340, height: 120 };
const MARGIN = { left: 38, right: 10, top: 10, bottom: 22 };

/** @typedef {{updates: number, values: (number | null)[]}} Point */

/** A line for each run over the updates. */
export class Course {
  #lines;
  #top = text(-6, 4, "end");
  #last = text(SIZE.width, SIZE.height + 16, "end");
  #now = svg("line", { y1: 0, y2: SIZE.height, class: "grow-now" });
  #drawing;
  #title;
  #most;
  #shown;
  node;

  /** @param {string} title @param {number | null} most of the axis; null: the largest value @param {(value: number) => string} shown */
  constructor(title, most, shown) {
    this.#title = title;
    this.#most = most;
    this.#shown = shown;
    this.#lines = [0, 1].map((run) => svg("path", { class: "grow-line", "data-run": run }));
    this.#drawing = svg(
      "svg",
      {
        viewBox: `${-MARGIN.left} ${-MARGIN.top} ${SIZE.width + MARGIN.left + MARGIN.right} ${SIZE.height + MARGIN.top + MARGIN.bottom}`,
        role: "img",
      },
      svg("line", { x1: 0, x2: SIZE.width, y1: SIZE.height, y2: SIZE.height, class: "rule" }),
      svg("line", { x1: 0, x2: SIZE.width, y1: 0, y2: 0, class: "rule" }),
      this.#top,
      named(text(-6, SIZE.height + 4, "end"), "0"),
      named(text(0, SIZE.height + 16, "start"), "0"),
      this.#last,
      this.#now,
      ...this.#lines,
    );
    this.node = html.figure({ class: "grow-course" }, html.figcaption(title), this.#drawing);
  }

  /** @param {Point[]} points @param {number} updates that are shown @param {string[]} names of the runs */
  show(points, updates, names) {
    const until = points.at(-1)?.updates ?? 0;
    const last = Math.max(until, 1);
    const values = points.flatMap((point) => point.values.flatMap((value) => value ?? []));
    const most = this.#most ?? Math.max(...values, 1e-9);
    const x = (/** @type {number} */ at) => round((at / last) * SIZE.width);
    const y = (/** @type {number} */ value) => round(SIZE.height * (1 - Math.min(value / most, 1)));
    this.#lines.forEach((line, run) => {
      const there = points.filter(({ values }) => typeof values[run] === "number");
      const path = there.map((point, index) => {
        const at = `${x(point.updates)} ${y(Number(point.values[run]))}`;
        return `${index ? "L" : "M"}${at}`;
      });
      set(line, "d", path.join("") || null);
    });
    named(this.#top, values.length ? this.#shown(most) : "");
    named(this.#last, counted(until));
    set(this.#now, "x1", x(updates));
    set(this.#now, "x2", x(updates));
    const said = names.map((name, run) => {
      const value = points.at(-1)?.values[run];
      return `${name}: ${typeof value === "number" ? this.#shown(value) : "none yet"}`;
    });
    this.#drawing.setAttribute(
      "aria-label",
      `${this.#title} after ${counted(until)}. ${said.join("; ")}.`,
    );
  }
}

/** A bar for each group of texts and each run. */
export class Groups {
  #list = html.ol({ class: "grow-groups" });
  #note = html.p({ class: "note" });
  node = html.figure({ class: "grow-course" }, html.figcaption("Unseen texts written right, by group"), this.#list, this.#note); // prettier-ignore

  /** @param {Share[][]} runs @param {boolean} letters true if the groups are lengths */
  show(runs, letters) {
    const groups = runs[0] ?? [];
    const list = this.#list;
    while (list.children.length > groups.length) list.lastElementChild?.remove();
    while (list.children.length < groups.length)
      list.append(
        html.li(
          html.span({ class: "grow-bars", "aria-hidden": "true" }, html.i(), html.i()),
          html.span(),
          html.span({ class: "visually-hidden" }),
        ),
      );
    groups.forEach(({ group, learned }, place) => {
      const [bars, name, said] = /** @type {HTMLElement[]} */ ([...list.children[place].children]);
      list.children[place].toggleAttribute("data-longer", !learned);
      const shares = runs.map((shares) => shares.find((share) => share.group === group));
      [...bars.children].forEach((bar, run) => {
        const share = shares[run];
        const part = share ? share.right / share.all : 0;
        /** @type {HTMLElement} */ (bar).hidden = !share;
        set(/** @type {HTMLElement} */ (bar), "--share", part.toFixed(3));
      });
      say(name, group);
      const parts = shares.map((share) => (share ? percent(share.right / share.all) : ""));
      say(
        said,
        `${letters ? " letters" : ""}${learned ? "" : ", longer than any example"}: ${parts.join(" and ")} right`,
      );
    });
    say(
      this.#note,
      letters ? "By the number of letters; the pale ones are longer than any example." : "",
    );
  }
}

/** @param {number} updates */
export const counted = (updates) => `${updates} ${updates === 1 ? "update" : "updates"}`;

/** @param {number} share */
export const percent = (share) => `${Math.round(share * 100)}\u00a0%`;

/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;

/** @param {number} x @param {number} y @param {string} anchor */
const text = (x, y, anchor) => svg("text", { x, y, "text-anchor": anchor });

/** @param {SVGTextElement} at @param {string} name */
function named(at, name) {
  if (at.textContent !== name) at.textContent = name;
  return at;
}
