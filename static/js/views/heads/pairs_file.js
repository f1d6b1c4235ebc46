/** The field for a file of pairs of texts, with their linked words. */

import { parsePairs } from "../../core/links.js";
import { html } from "../../draw/dom.js";

/** @typedef {{text: string, target: string, links: string}} Pair */

const MOST = 100;

/**
 * @param {(pairs: Pair[]) => void} take @param {(message: string) => void} refuse
 */
export function pairsField(take, refuse) {
  const file = html.input({ type: "file", accept: ".tsv,.txt,text/tab-separated-values" });
  file.addEventListener("change", async () => {
    const [chosen] = file.files ?? [];
    file.value = ""; // so that the same file can be chosen again
    if (!chosen) return;
    const pairs = parsePairs(await chosen.text());
    if (pairs && pairs.length <= MOST) return take(pairs);
    refuse(
      `${chosen.name} should have an input, an output and links such as 0-0 2-1 on each line, with tabs between them, and at most ${MOST} lines.`,
    );
  });
  return html.label({ class: "file" }, html.span("Linked pairs (TSV)"), file);
}
