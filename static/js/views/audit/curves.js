/** Deletion and insertion of the cells of a photo, drawn as they are computed. */

/** @import {Curves, CurvesSoFar} from "../../core/wire" */
/** @import {Now} from "./report.js" */
/** @import {Way} from "./curves_model.js" */

import { html } from "../../draw/dom.js";
import { onScreen } from "../../draw/ink.js";
import { Drawing } from "../../draw/page.js";
import { RowOnDemand } from "./on_demand.js";
import { CHART, ORDERS, WAYS, areaRows, chart, curvesCsv, legend, mostOf } from "./curves_model.js";

export class CurvesFigure extends RowOnDemand {
  constructor() {
    super(
      "Deletion and insertion",
      "The probability of a word while the cells go in the order of a map, and while they come. Cells go as keys of the attention, or in the photo itself; the way decides which map wins, so there are three. It takes seconds.",
    );
  }

  /** @param {Now} now @param {number} row the token that is selected */
  draw(now, row) {
    this.root.hidden = now.audit.noun !== "cell";
    this.offer(now, row, (word) => `Delete and insert the cells for “${word}”`);
  }

  /** @param {Now} now @param {number} row */
  pressed(now, row) {
    void this.ask(
      now,
      { figure: "curves", row },
      {
        drawn: (curves) => this.#show(now, curves, curves),
        part: (part) => this.#show(now, part, null),
        csv: curvesCsv,
      },
    );
  }

  /** @param {Now} now @param {CurvesSoFar} curves @param {Curves | null} complete */
  #show(now, curves, complete) {
    const look = onScreen(now.palette);
    const key = html.p(
      { class: "audit-legend note" },
      ORDERS.map((order) => {
        const line = new Drawing({ "aria-hidden": "true" });
        line.size({ width: 28, height: 12 }, "");
        line.show(legend(order, look));
        return html.span(line.node, order);
      }),
    );
    const ways = /** @type {Way[]} */ (Object.keys(WAYS)).filter((way) =>
      curves.curves.some((curve) => curve.way === way),
    );
    this.result.replaceChildren(
      html.p(html.b(`“${curves.word}”`), ` Other photo: ${curves.another}.`),
      key,
      html.div(
        { class: "audit-curves" },
        ways.map((way) => this.#way(curves, way, look)),
      ),
      ...(complete ? [html.p({ class: "note" }, complete.words.join(" "))] : []),
    );
  }

  /** @param {CurvesSoFar} curves @param {Way} way @param {import("../../draw/marks.js").Look} look */
  #way(curves, way, look) {
    const areas = curves.areas.find((one) => one.way === way);
    const drawn = (/** @type {"deletion" | "insertion"} */ does) => {
      const drawing = new Drawing({ role: "img" });
      drawing.size(
        CHART,
        `${does} ${WAYS[way]}: probability of “${curves.word}” by the share of cells`,
      );
      drawing.show(chart(curves, way, does, look));
      const scale = `0 to 100\u00a0% of the cells; p to ${mostOf(curves).toFixed(2)}`;
      const name = does === "deletion" ? "removed" : "shown";
      return html.figure(html.figcaption(html.b(name), ` ${scale}`), drawing.node);
    };
    return html.section(
      html.h4(WAYS[way]),
      html.div({ class: "audit-charts" }, drawn("deletion"), drawn("insertion")),
      areas &&
        html.table(
          { class: "audit-areas" },
          html.thead(
            html.tr(
              ["area", "removed: least is best", "shown: most is best"].map((name) =>
                html.th({ scope: "col" }, name),
              ),
            ),
          ),
          html.tbody(
            areaRows(areas).map(({ order, deletion, insertion, best, range }) =>
              html.tr(
                html.th(
                  { scope: "row" },
                  order,
                  range && html.span({ class: "note" }, ` ${range}`),
                ),
                html.td({ class: "number" }, best.deletion ? html.b(deletion) : deletion),
                html.td({ class: "number" }, best.insertion ? html.b(insertion) : insertion),
              ),
            ),
          ),
        ),
    );
  }
}
