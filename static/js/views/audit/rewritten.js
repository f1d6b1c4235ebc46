/** Rewritten instead of forced: the outputs that the model writes without each word. */

/** @import {Rewritten} from "../../core/wire" */
/** @import {Now} from "./report.js" */

import { table } from "../../core/csv.js";
import { html } from "../../draw/dom.js";
import { OnDemand } from "./on_demand.js";

/** Rows of the table before it is folded. */
const SHOWN = 40;

export class RewrittenFigure extends OnDemand {
  constructor() {
    super(
      "Rewritten",
      "The output that the model writes by itself without each word. A change that only a probability shows is not in here.",
    );
  }

  /** @param {Now} now */
  draw(now) {
    const { rewrite, take } = now.asked.settings;
    this.root.hidden = !rewrite;
    if (!rewrite) return this.forget();
    void this.ask(
      now,
      { figure: "rewritten", unit: take },
      { drawn: (rewritten) => this.#show(rewritten), csv: rewrittenCsv },
    );
  }

  /** @param {Rewritten} rewritten */
  #show(rewritten) {
    const { outputs, text, verdict, words } = rewritten;
    const changed = outputs
      .filter((output) => output.changed)
      .sort((a, b) => b.changed - a.changed)
      .slice(0, SHOWN);
    const row = (
      /** @type {string} */ name,
      /** @type {number} */ count,
      /** @type {Node[]} */ of,
    ) =>
      html.tr(
        html.th({ scope: "row" }, name),
        html.td({ class: "number" }, String(count)),
        html.td(of),
      );
    this.result.replaceChildren(
      ...verdict.map((sentence) => html.p(sentence)),
      html.div(
        {
          class: "audit-outputs",
          tabindex: 0,
          role: "region",
          "aria-label": "Outputs without each word",
        },
        html.table(
          html.thead(
            html.tr(
              ["without", "changed", "output"].map((name) => html.th({ scope: "col" }, name)),
            ),
          ),
          html.tbody(
            row("–", 0, [html.span(text)]),
            changed.map((output) =>
              row(nameOf(rewritten, output.word), output.changed, marked(text, output.text)),
            ),
          ),
        ),
      ),
      html.p(
        { class: "note" },
        changed.length < SHOWN
          ? `Without each of the other ${outputs.length - changed.length}, the output stays as it is. `
          : `The ${SHOWN} that change most; the file has all. `,
        `${words[0]} ${words[3]}`,
      ),
    );
  }
}

/** The name of a word or a cell. @param {Rewritten} rewritten @param {number} word */
export function nameOf({ trace }, word) {
  const { source } = trace;
  if (source.kind === "tokens") return source.words[word].text;
  if (source.kind !== "grid") return String(word);
  return `row ${Math.floor(word / source.columns) + 1}, column ${(word % source.columns) + 1}`;
}

/** The words of a text, those that the other lacks marked. @param {string} before @param {string} after */
function marked(before, after) {
  const known = new Map();
  for (const word of before.split(" ")) known.set(word, (known.get(word) ?? 0) + 1);
  return after.split(" ").flatMap((word, place) => {
    const left = known.get(word) ?? 0;
    known.set(word, left - 1);
    const space = document.createTextNode(place ? " " : "");
    return [space, left > 0 ? document.createTextNode(word) : html.mark(word)];
  });
}

/** @param {Rewritten} rewritten */
export const rewrittenCsv = (rewritten) =>
  table([
    ["without", "name", "changed words", "output"],
    ["", "", "0", rewritten.text],
    ...rewritten.outputs.map(({ word, changed, text }) => [
      String(word),
      nameOf(rewritten, word),
      String(changed),
      text,
    ]),
  ]);
