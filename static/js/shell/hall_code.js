/** The QR code of a page, drawn by the server, at the address at which other devices reach it. */

import { read } from "../core/api.js";
import { YOURS } from "../core/grid_state.js";
import { html } from "../draw/dom.js";

/** Characters of a path that a camera in a hall still reads (app/http/hall.py). */
const LONGEST = 1000;
/** Settings of the screen of the one who presents. */
const OWN = ["present", "show"];

/** The path that an audience opens. @param {string} href */
export function hallPath(href) {
  const url = new URL(href);
  for (const name of OWN) url.searchParams.delete(name);
  return `${url.pathname}${url.search}`;
}

/**
 * True if a path leads others to the result: it fits into a code, and the result is neither of a
 * photo nor of weights of one's own.
 * @param {string} path @param {{known: boolean, sample?: unknown}} shown
 */
export const isAddressed = (path, { known, sample }) =>
  path.length <= LONGEST && known && sample !== YOURS;

/**
 * The drawing and its address. Throws `ApiError` with a sentence if there is none.
 * @param {string} path
 */
export async function hallCode(path) {
  const response = await read(`/qr.svg?of=${encodeURIComponent(path)}`, "image/svg+xml");
  const drawing = await response.text();
  const [, title = ""] = /<title>([^<]*)<\/title>/.exec(drawing) ?? [];
  const address = title.replaceAll("&amp;", "&");
  const source = `data:image/svg+xml,${encodeURIComponent(drawing)}`;
  return { node: html.img({ src: source, alt: `QR code of ${address}` }), address };
}
