/** The heads whose attention differs most between two models that read and write the same tokens. */

/** @import {MapKind, Settings, TokenAxis, Trace} from "../../core/types" */

import { averaged, totalsOf } from "../../core/head_measures.js";
import { percent } from "../../core/text.js";
import { element } from "../../shell/dom.js";

const MOST = 12;
/** A smaller difference is one of rounding. */
const LEAST = 0.0005;
/** @type {Partial<Record<MapKind, string>>} */
const KINDS = {
  cross: "cross-attention",
  "encoder-self": "self-attention of the input",
  "decoder-self": "masked self-attention",
};

/** @typedef {{kind: MapKind, layer: number, head: number, moved: number}} Moved */

/** @param {TokenAxis} axis */
const tokensOf = ({ tokens }) => JSON.stringify(tokens.map(({ text }) => text));

/**
 * The heads that differ in two traces with the same tokens, those that differ most first; none if
 * tokens or sizes differ.
 * @param {Trace} one @param {Trace} other @param {AbortSignal} signal @returns {Promise<Moved[]>}
 */
export async function movedHeads(one, other, signal) {
  const alike =
    tokensOf(one.source) === tokensOf(other.source) &&
    tokensOf(one.target) === tokensOf(other.target);
  const loaded = !one.run && !other.run;
  if (!alike || (!loaded && !(one.run && other.run))) return [];
  const found = await (loaded ? ofMaps(one, other) : ofRuns(one, other, signal));
  return found.filter(({ moved }) => moved >= LEAST).sort((a, b) => b.moved - a.moved);
}

/** @param {Trace} one @param {Trace} other @returns {Moved[]} */
function ofMaps(one, other) {
  return one.maps.flatMap((map) => {
    const { kind, layer, head } = map;
    const theirs = other.maps.find(
      (each) => each.kind === kind && each.layer === layer && each.head === head,
    );
    const { moved } = averaged([totalsOf(one, one, map, { other: theirs })]);
    return moved === undefined ? [] : [{ kind, layer, head, moved }];
  });
}

/** @param {Trace} one @param {Trace} other @param {AbortSignal} signal */
async function ofRuns(one, other, signal) {
  const { measured } = await import("../../core/linked_maps.js");
  const kinds = [...new Set(one.maps.map(({ kind }) => kind))];
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const heads = await measured(one, one, kind, { beside: other }, signal);
      return heads.flatMap(({ layer, head, moved }) =>
        moved === undefined ? [] : [{ kind, layer, head, moved }],
      );
    }),
  );
  return found.flat();
}

/** The first of the heads as a list of buttons that show them. @param {Moved[]} heads @param {(change: Partial<Settings>) => void} change */
export function movedList(heads, change) {
  const items = heads.slice(0, MOST).map(({ kind, layer, head, moved }) => {
    const button = element(
      "button",
      { type: "button", class: "quiet" },
      `Layer ${layer + 1}, head ${head + 1}, ${KINDS[kind] ?? kind}: `,
      element("span", { class: "number" }, percent(moved)),
    );
    button.addEventListener("click", () => change({ map: kind, layer, head, pool: null }));
    return element("li", {}, button);
  });
  return element(
    "section",
    { class: "moved", "aria-label": "Heads that moved most" },
    element("h3", {}, "Heads that moved most"),
    element(
      "p",
      { class: "note" },
      "The share of its weight that a head puts elsewhere in the other model, on average over the rows. Press one to see it in both.",
    ),
    element("ol", {}, ...items),
  );
}
