/** The notebook around this page: it sends the trace, and shares row, layer and head with Python. */

import { unpacked } from "../core/packed.js";

/**
 * The position in a trace: the token of the row and the map on screen. `head` is null where heads
 * are merged.
 * @typedef {object} Position
 * @property {number | null} row @property {string | null} kind
 * @property {number | null} layer @property {number | null} head
 */

/**
 * Waits for the trace from the page around this one.
 * @returns {Promise<{contents: unknown, position: Position, theme: string | null}>}
 */
export function received() {
  return new Promise((resolve) => {
    addEventListener("message", function listen({ source, data }) {
      if (source !== parent || data?.heed !== "contents") return;
      removeEventListener("message", listen);
      const { json, bytes, position, theme } = data;
      resolve({
        contents: unpacked(JSON.parse(json), new Float32Array(bytes)),
        position,
        theme,
      });
    });
    parent.postMessage({ heed: "ready" }, "*");
  });
}

/** Shares the position with the page around this one. */
export class Host {
  #last = "";

  /** @param {(position: Position) => void} show shows a position that Python has set */
  constructor(show) {
    addEventListener("message", ({ source, data }) => {
      if (source !== parent || data?.heed !== "position") return;
      const text = JSON.stringify(ordered(data.position));
      if (text === this.#last) return;
      this.#last = text;
      show(data.position);
    });
  }

  /** @param {Position} position */
  tell(position) {
    const text = JSON.stringify(ordered(position));
    if (text === this.#last) return;
    this.#last = text;
    parent.postMessage({ heed: "position", position }, "*");
  }
}

/** @param {Position} position @returns {Position} */
const ordered = ({ row, kind, layer, head }) => ({ row, kind, layer, head });
