/** The classes: how many nodes have each, and the probabilities of the current node. */

/** @import {GraphScene} from "../../core/types" */

import { counts } from "../../core/kinds/graph.js";
import { visible } from "../../core/text.js";
import { Bars } from "../../draw/bars.js";
import { box, html, say, svg } from "../../draw/dom.js";
import { shapePath } from "../../views/graph/model.js";

export class Classes {
  #bars = new Bars();

  /** @param {GraphScene} scene */
  draw({ trace }) {
    say(box("graph-title"), visible(trace.source.text));
    box("classes").replaceChildren(
      ...counts(trace).map(({ name, index, found, known }) => {
        const mark = svg("svg", {
          viewBox: "-12 -12 24 24",
          class: "class-mark",
          "aria-hidden": "true",
        });
        const shape = svg("path", { d: shapePath(index, 9) });
        mark.append(shape);
        mark.dataset.class = String(index);
        return html.li(mark, html.b(name), ` ${found} nodes, ${known} known`);
      }),
    );
  }

  /** @param {GraphScene} scene @param {number} row */
  at({ trace, rows }, row) {
    const { alternatives = [] } = trace.steps[row] ?? {};
    box("chances-name").hidden = !alternatives.length;
    say(box("chances-name"), `Class of ${visible(rows[row]?.text ?? "")}`);
    const shown = this.#bars.show(alternatives, alternatives[0]?.id ?? -1);
    // Only now, as the bars that the server sent hold their place until then.
    if (!shown.isConnected) box("chances").replaceChildren(shown);
  }
}
