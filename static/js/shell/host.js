/** The notebook around this page: it sends the trace, and shares row, layer and head with Python. */

/** @import {BaseScene, BaseSettings, BaseTrace} from "./types" */
/** @import {Application} from "./application.js" */

import { unpacked } from "../core/packed.js";

/**
 * The position in a trace: the token of the row and the map on screen. `head` is null where heads
 * are merged.
 * @typedef {object} Position
 * @property {number | null} row @property {string | null} kind
 * @property {number | null} layer @property {number | null} head
 */

/** @typedef {{contents: unknown, position: Position, theme: string | null, end: () => void}} Given from the page around this one */

/**
 * Waits for the trace from the page around this one. The position is its newest, as it may move on
 * while the views are loaded; `end` stops following it.
 * @returns {Promise<Given>}
 */
export function received() {
  return new Promise((resolve) => {
    /** @type {Given | null} */
    let given = null;
    const take = (/** @type {MessageEvent} */ { source, data }) => {
      if (source !== parent) return;
      if (data?.heed === "position" && given) given.position = data.position;
      if (data?.heed !== "contents" || given) return;
      const { json, bytes, position, theme } = data;
      const contents = unpacked(JSON.parse(json), new Float32Array(bytes));
      const end = () => removeEventListener("message", take);
      resolve((given = { contents, position, theme, end }));
    };
    addEventListener("message", take);
    parent.postMessage({ heed: "ready" }, "*");
  });
}

/**
 * Shares the position with the page around this one.
 * @template {BaseSettings} S @template {BaseTrace} T @template {BaseScene<T>} C
 * @param {Application<S, T, C>} application @param {Position} start
 */
export function sharePosition({ store, stage }, start) {
  let last = "";
  /** True if the position is another than the page around this one knows. @param {Position} position */
  const isNews = (position) => last !== (last = JSON.stringify(ordered(position)));
  const show = (/** @type {Position} */ position) =>
    store.dispatch(/** @type {Partial<S>} */ (settingsOf(position)), { history: "none" });
  const tell = () => {
    const position = stage.scene && positionOf(stage.scene);
    if (position && !stage.controls.player.playing && isNews(position))
      parent.postMessage({ heed: "position", position }, "*");
  };
  addEventListener("message", ({ source, data }) => {
    if (source === parent && data?.heed === "position" && isNews(data.position))
      show(data.position);
  });
  show(start);
  store.subscribe(tell);
  tell();
}

/** @param {Position} position @returns {Position} */
const ordered = ({ row, kind, layer, head }) => ({ row, kind, layer, head });

/** @param {Position} position what is null stays as it is chosen for the trace */
const settingsOf = ({ row, kind, layer, head }) => ({
  ...(row === null ? {} : { step: row, part: null }),
  ...(kind === null ? {} : { map: kind }),
  ...(layer === null ? {} : { layer }),
  ...(head === null ? {} : { head, pool: null }),
});

/**
 * @param {BaseScene<BaseTrace> & {picked?: {kind: string, layer: number, head: number} | null, pool?: unknown}} scene
 * @returns {Position}
 */
const positionOf = ({ rows, row, picked, pool }) => ({
  row: rows[row]?.tokens[0] ?? null,
  kind: picked?.kind ?? null,
  layer: picked?.layer ?? null,
  head: pool ? null : (picked?.head ?? null),
});
