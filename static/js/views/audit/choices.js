/** The four choices of an audit on the page: each is a setting, and stands in the address. */

/** @import {AuditSettings} from "../../core/types" */

import { html } from "../../draw/dom.js";

/**
 * @typedef {object} Offered
 * @property {boolean} several heads @property {string} one the head that is selected
 * @property {boolean} cells true over a photo
 * @property {boolean} served false where no server can compute another audit
 */

/**
 * The fields of the choices. One that a person presses changes its setting.
 * @param {AuditSettings} settings @param {Offered} offered
 * @param {(change: Partial<AuditSettings>) => void} change
 */
export function choiceFields(settings, { several, one, cells, served }, change) {
  const field = (
    /** @type {keyof AuditSettings} */ name,
    /** @type {string} */ legend,
    /** @type {[any, string][]} */ options,
  ) =>
    html.fieldset(
      { class: "audit-choice" },
      html.legend(legend),
      options.map(([value, text]) =>
        html.label(
          html.input({
            type: "radio",
            name: `audit-${name}`,
            checked: value === settings[name],
            onchange: () => change({ [name]: value }),
          }),
          html.span(text),
        ),
      ),
    );
  const word = cells ? "a cell in every row" : "the word from the input";
  const take = field("take", "Take away", [
    ["edge", cells ? "a cell in its row" : "a key in its row"],
    ["word", word],
  ]);
  if (!served) return [take];
  return [
    take,
    field("removal", "its weight", [
      ["block", "Block: others get it"],
      ["silence", "Silence: nobody does"],
    ]),
    ...(several
      ? [
          field("scope", "from", [
            ["all", "all heads"],
            ["one", one],
          ]),
        ]
      : []),
    field("rewrite", "words", [
      [false, "forced"],
      [true, "rewritten"],
    ]),
  ];
}
