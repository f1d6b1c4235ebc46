/** The orders of one row between its worst and its best, beyond 12 keys by beam search. */

/** @import {SearchedOrders} from "../../core/wire" */
/** @import {Now} from "./report.js" */

import { table } from "../../core/csv.js";
import { html } from "../../draw/dom.js";
import { RowOnDemand } from "./on_demand.js";
import { orderFigures } from "./model.js";

export class OrdersFigure extends RowOnDemand {
  constructor() {
    super(
      "Orders of one row",
      "Comprehensiveness and sufficiency between the worst and the best order of the keys. Up to 12 keys the bounds are exact; beyond, a beam search estimates them.",
    );
  }

  /** @param {Now} now @param {number} row the token that is selected */
  draw(now, row) {
    const { audit } = now;
    const keys = audit.costs[row]?.filter((cost) => cost !== null).length ?? 0;
    const known = audit.orders?.row === row;
    this.root.hidden = keys < 2 || known || keys > 80;
    this.offer(now, row, (word) => `Bound the orders of “${word}”: ${keys} keys`);
  }

  /** @param {Now} now @param {number} row */
  pressed(now, row) {
    void this.ask(
      now,
      { figure: "orders", row },
      { drawn: (orders) => this.#show(now, orders), csv: ordersCsv },
    );
  }

  /** @param {Now} now @param {SearchedOrders} found */
  #show(now, found) {
    this.result.replaceChildren(
      html.p(
        found.exact
          ? "The bounds are exact."
          : `The bounds are an estimate, by a beam of ${found.beam} orders: the best and the worst may lie further apart.`,
      ),
      html.dl({ class: "audit-figures" }, now.rows(orderFigures(found, found.exact))),
    );
  }
}

/** @param {SearchedOrders} found */
export function ordersCsv({ orders }) {
  const { attention, effects } = orders;
  return table([
    [
      "keys",
      "weights: left without so many",
      "weights: only so many",
      "costs: without",
      "costs: only",
    ],
    ...attention.taken.map((value, count) => [
      String(count),
      ...[value, attention.left[count], effects.taken[count], effects.left[count]].map(String),
    ]),
  ]);
}
