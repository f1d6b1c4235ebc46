/** The measures of all heads of a kind, from the maps of a trace or, where it came without, from the server. */

/** @import {MapKind, Output, Trace} from "../../core/types" */
/** @import {Figures, Measure, Totals} from "../../core/head_measures.js" */
/** @import {Link} from "../../core/links.js" */

import { averaged, linkedWords, totalsOf } from "../../core/head_measures.js";
import { linksText } from "../../core/links.js";

/** @typedef {{layer: number, head: number}} Head */

/** @param {Head} head */
const keyOf = ({ layer, head }) => `${layer} ${head}`;

/** The measures of heads over one trace or several. */
export class HeadFigures {
  /** @type {Map<string, Totals[]>} */
  #totals = new Map();
  /** @type {Map<string, Figures>} */
  #averages = new Map();

  /** @param {Head} head @param {Totals} totals */
  add(head, totals) {
    const key = keyOf(head);
    const all = [...(this.#totals.get(key) ?? []), totals];
    this.#totals.set(key, all);
    this.#averages.set(key, averaged(all));
  }

  /** @param {Head} head */
  of(head) {
    return this.#averages.get(keyOf(head)) ?? null;
  }

  /** Adds the heads of a trace that has its maps. @param {Trace} trace @param {Output} output @param {MapKind} kind @param {Link[] | null} links */
  addMaps(trace, output, kind, links) {
    for (const map of output.maps)
      if (map.kind === kind) this.add(map, totalsOf(trace, output, map, { links }));
    return this;
  }

  /**
   * Adds the heads of a trace, whether it has its maps or not.
   * @param {Trace} trace @param {Output} output @param {MapKind} kind @param {Link[] | null} links @param {AbortSignal} signal
   */
  async addTrace(trace, output, kind, links, signal) {
    if (!trace.run) return this.addMaps(trace, output, kind, links);
    const { measured } = await import("../../core/linked_maps.js");
    const given = { links: links && kind === "cross" ? linksText(links) : null };
    const heads = await measured(trace, output, kind, given, signal);
    const rows = kind === "encoder-self" ? trace.source.tokens.length : output.target.tokens.length;
    for (const { layer, head, ...found } of heads) {
      /** @type {Totals} */
      const totals = {};
      for (const [name, value] of Object.entries(found)) {
        const count = name === "alignment" ? linkedWords(output.target, links ?? []) : rows;
        totals[/** @type {Measure} */ (name)] = { sum: value * count, count };
      }
      this.add({ layer, head }, totals);
    }
    return this;
  }
}
