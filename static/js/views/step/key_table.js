/** The table of scores, weights and sum: a line for every key. */

/** @import {Vector} from "../../core/types" */
/** @import {Chain, Key} from "./model.js" */

import { heading, signed } from "../../core/text.js";
import { html, painted, say, svg } from "../../draw/dom.js";
import { sparkPath } from "../../draw/vector.js";
import { Sight } from "../../draw/visibility.js";
import { comparedAndAdded, tallest } from "./model.js";

/**
 * @typedef {ReturnType<typeof spark>} Spark
 * @typedef {{row: HTMLElement, score: HTMLElement, shifted: HTMLElement, exponential: HTMLElement, weight: HTMLElement, meter: HTMLElement, compares: Spark, adds: Spark, faded: Spark, drawn: Vectors | null}} Line
 *
 * @typedef {object} Vectors of all tokens
 * @property {(Vector | null)[]} compared with the query @property {(Vector | null)[]} added to the context
 * @property {number} most largest number of those compared @property {number} highest of those added
 */

/** Number of hidden lines that are filled per frame. */
const A_FRAME = 12;
/** A table of more lines shows the strongest of them at first, and how many more there are. */
const LONG = 24;
const MOST = 8;

export class KeyTable {
  /** @type {Line[]} */
  #lines = [];
  /** @type {HTMLTableElement | null} */
  #table = null;
  #box = html.div({ class: "keys-box", tabindex: 0, role: "region" });
  /** True if a long table shows all of its lines. */
  #all = false;
  #more = html.button({
    type: "button",
    class: "quiet keys-more",
    hidden: true,
    onclick: () => {
      this.#all = !this.#all;
      if (this.#chain) this.show(this.#chain);
    },
  });
  /** The shape that the table was built for; another shape needs another table. */
  #shape = "";
  /** @type {Vectors | null} */
  #vectors = null;
  /** The chain on screen; hidden lines are filled later. @type {Chain | null} */
  #chain = null;
  #sight = new Sight();

  /** Lays out the table for a step of a head. @param {Chain} chain */
  #prepare(chain) {
    const { parts, keys, head, summed, own } = chain;
    const { compared, added } = comparedAndAdded(chain);
    const sizes = [compared, added].map((vectors) =>
      vectors.map((vector) => vector?.summary.length),
    );
    // Another head has other vectors of the same tokens, so the lines are kept.
    const shape = JSON.stringify([
      parts[0],
      own,
      summed,
      head?.kind,
      keys.map(({ item }) => item.text),
      sizes,
    ]);
    if (shape !== this.#shape) this.#build(chain, sizes);
    const before = shape === this.#shape ? this.#vectors : null;
    this.#shape = shape;
    // Most models compare and sum the same vectors in every step: they are not drawn again.
    if (!before || !same(before.compared, compared) || !same(before.added, added))
      this.#vectors = { compared, added, most: tallest(compared), highest: tallest(added) };
  }

  /** Shows the columns up to a part, or those of that part only. @param {string} part @param {boolean} only */
  until(part, only) {
    if (!this.#table) return;
    this.#table.dataset.until = part;
    this.#table.toggleAttribute("data-only", only);
  }

  /** Shows the numbers of a step: first those on the screen, and the others after the next paint. @param {Chain} chain */
  show(chain) {
    this.#prepare(chain);
    this.#chain = chain;
    const strongest = strongestOf(chain.keys);
    this.#lines.forEach(({ row }, index) => (row.hidden = !this.#all && !strongest.has(index)));
    const hidden = this.#lines.length - strongest.size;
    this.#more.hidden = !hidden;
    say(this.#more, this.#all ? `Only the ${MOST} strongest` : `${hidden} more`);
    const seen = /** @type {[number, Line][]} */ ([]);
    const unseen = /** @type {[number, Line][]} */ ([]);
    for (const [index, line] of this.#lines.entries())
      if (!line.row.hidden) (this.#sight.holds(line.row) ? seen : unseen).push([index, line]);
    for (const [index, line] of seen) this.#fill(line, index, chain);
    void this.#follow(unseen, chain);
    return this.#box;
  }

  /** Fills hidden lines, a few per frame, until another chain is shown. @param {[number, Line][]} unseen @param {Chain} chain */
  async #follow(unseen, chain) {
    for (let done = 0; done < unseen.length; done += A_FRAME) {
      await painted();
      if (this.#chain !== chain) return;
      for (const [index, line] of unseen.slice(done, done + A_FRAME))
        this.#fill(line, index, chain);
    }
  }

  /** @param {Line} line @param {number} index @param {Chain} chain */
  #fill(line, index, { keys }) {
    const vectors = this.#vectors;
    const key = keys[index];
    if (vectors && line.drawn !== vectors) {
      draw(line.compares, vectors.compared[index], vectors.most);
      for (const spark of [line.adds, line.faded])
        draw(spark, vectors.added[index], vectors.highest);
      line.drawn = vectors;
    }
    line.row.toggleAttribute("data-later", key.later);
    say(line.score, shown(key.score, 2));
    say(line.shifted, shown(key.shifted, 2));
    say(line.exponential, shown(key.exponential, 3));
    say(line.weight, key.weight.toFixed(3));
    line.meter.style.setProperty("--share", key.weight.toFixed(4));
    line.faded?.group.setAttribute(
      "transform",
      `translate(0 1) scale(1 ${Math.max(key.weight, 0.001).toFixed(4)})`,
    );
  }

  /** @param {Chain} chain @param {(number | undefined)[][]} sizes of the compared and of the summed vectors */
  #build(chain, [compared, added]) {
    const { parts, keys, summed, own, names } = chain;
    this.#lines = keys.map((key, index) => line(key, compared[index], added[index], own));
    const [key, value, owner] = names.key;
    /** @type {[string, string, string][]} */
    const titles = [
      ["", "", names.piece],
      own
        ? ["of-memory", key, `the key of the ${owner}`]
        : [
            "of-memory",
            compared.some(Boolean) ? "h" : "",
            "encoder state hⱼ: the word in its context",
          ],
      ["of-scores", "e", "score"],
      ["of-weights wide", "e − max", "score less the largest"],
      ["of-weights wide", "exp", "its exponential"],
      ["of-weights", "α", "weight"],
      ...(own
        ? [
            /** @type {[string, string, string]} */ ([
              "of-context wide",
              value,
              `the value of the ${owner}`,
            ]),
          ]
        : []),
      ["of-context", own ? `α·${value}` : summed ? "α·h" : "", "scaled by its weight"],
    ];
    const heads = titles.map(([name, symbol, title]) =>
      html[symbol ? "th" : "td"]({ scope: symbol ? "col" : null, class: name, title }, symbol),
    );
    const rows = this.#lines.map(({ row }) => row);
    this.#table = html.table(
      {
        class: "figures keys",
        "data-summed": String(own || summed),
        "data-own": own,
        "data-first": parts[0],
      },
      html.thead(html.tr(heads)),
      html.tbody(rows),
    );
    this.#box.setAttribute("aria-label", `Scores and weights of every ${names.piece}`);
    this.#box.replaceChildren(this.#table, this.#more);
    this.#sight.watch(rows);
  }
}

/** @param {Key} key @param {number | undefined} compared size of its compared vector @param {number | undefined} added size of its summed vector @param {boolean} own @returns {Line} */
function line({ item, cell }, compared, added, own) {
  const { text, quiet } = heading(item);
  const [score, shifted, exponential, weight] = Array.from({ length: 4 }, () =>
    html.span({ class: "number" }),
  );
  const meter = html.span({ class: "bar", "aria-hidden": "true" });
  const [compares, adds, faded] = [spark(compared), own ? spark(added) : null, spark(added)];
  const row = html.tr(
    { "data-cell": cell },
    html.th({ scope: "row", "data-quiet": quiet }, html.span({ dir: "auto" }, text)),
    html.td({ class: "of-memory" }, compares?.drawing),
    html.td({ class: "of-scores" }, score),
    html.td({ class: "of-weights wide" }, shifted),
    html.td({ class: "of-weights wide" }, exponential),
    html.td({ class: "of-weights" }, meter, weight),
    own && html.td({ class: "of-context wide" }, adds?.drawing),
    html.td({ class: "of-context" }, faded?.drawing),
  );
  return { row, score, shifted, exponential, weight, meter, compares, adds, faded, drawn: null };
}

/** The places of the lines that are shown at first. @param {Key[]} keys */
function strongestOf(keys) {
  const places = keys.map((_, index) => index);
  if (keys.length <= LONG) return new Set(places);
  return new Set(places.sort((a, b) => keys[b].weight - keys[a].weight || a - b).slice(0, MOST));
}

/** @param {number | null} value @param {number} digits */
const shown = (value, digits) => (value === null ? "–" : signed(value, digits));

/** @param {(Vector | null)[]} one @param {(Vector | null)[]} other */
const same = (one, other) => one.every((vector, index) => vector === other[index]);

/** An empty drawing for a vector of this size; null without a size. @param {number | undefined} size */
function spark(size) {
  if (!size) return null;
  const path = svg("path", {});
  const group = svg("g", { transform: "translate(0 1)" });
  group.append(path);
  const drawing = svg("svg", {
    viewBox: `0 0 ${size} 2`,
    class: "spark",
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  });
  drawing.append(
    svg("path", { d: `M0 1H${size}`, class: "axis", "vector-effect": "non-scaling-stroke" }),
    group,
  );
  return { drawing, group, path };
}

/** Up for positive and down for negative. @param {Spark} spark @param {Vector | null} vector @param {number} most */
function draw(spark, vector, most) {
  if (spark && vector) spark.path.setAttribute("d", sparkPath(vector.summary, most));
}
