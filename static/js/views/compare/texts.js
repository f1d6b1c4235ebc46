/** The outputs of the compared models, one above the other, with what each changed and lost. */

/** @import {Item, Model, Scene} from "../../core/types" */

import { differing } from "../../core/differing.js";
import { direction, visible } from "../../core/text.js";
import { html } from "../../draw/dom.js";
import { countedKeys, lostWords, shortName, spaced, wordKey } from "./model.js";

/**
 * A line for each model. Words that differ from the reference are underlined; the words of the
 * reference that are missing follow.
 * @param {{model: Model, failure: string | null}[]} entries @param {(Scene | null)[]} scenes @param {number} reference
 */
export function texts(entries, scenes, reference) {
  const base = scenes[reference]?.view.rows ?? null;
  return entries.map(({ model, failure }, index) => {
    const scene = scenes[index];
    const name = html.h3(shortName(model));
    if (!scene)
      return html.article(
        { class: "compare-text", "aria-busy": !failure && "true" },
        name,
        html.p({ class: failure ? "error" : "note" }, failure ?? "…"),
      );
    return html.article(
      { class: "compare-text", "data-model": model.id },
      name,
      html.div(text(scene, base), base && index !== reference ? lost(scene.view.rows, base) : null),
    );
  });
}

/** @param {Scene} scene @param {Item[] | null} base */
function text({ view }, base) {
  const keys = countedKeys(view.rows);
  const differs = base
    ? differing(view.rows.map(wordKey), base.map(wordKey))
    : view.rows.map(() => false);
  const words = spaced(view.rows).flatMap(({ row, index, space }) => [
    space ? " " : "",
    html.span(
      { "data-key": keys[index], "data-differs": differs[index] },
      visible(row.text.trim()),
    ),
  ]);
  return html.p({ class: "card-text", dir: direction(view.rowText) }, words);
}

/** The words of the reference that a text has lost; nothing if it has them all. @param {Item[]} rows @param {Item[]} base */
function lost(rows, base) {
  const missing = lostWords(rows, base);
  if (!missing.length) return null;
  const words = missing.flatMap(({ item, key }) => [
    " ",
    html.s({ "data-key": key, dir: "auto" }, visible(item.text.trim())),
  ]);
  return html.p({ class: "lost-words" }, html.span({ class: "note" }, "lost:"), words);
}
