/** The sample photos of the page, and the photos among the files of a user. */

import { YOURS } from "../core/grid_state.js";
import { box } from "../draw/dom.js";

/** The name of a sample of the page; the first one if it has none of this name. @param {string | null} name */
export const sampleOf = (name) => buttonOf(name).value;

/** The name of a photo: of a sample, or that of the user's own. @param {string | null} name */
export const photoOf = (name) => (name === YOURS ? YOURS : sampleOf(name));

/** The question about a sample; null about the user's own photo. @param {string | null} name */
export const questionAbout = (name) =>
  name === YOURS ? null : (buttonOf(name).dataset.question ?? null);

/** @param {string | null} name */
function buttonOf(name) {
  const all = [...box("gallery").querySelectorAll("button")];
  return /** @type {HTMLButtonElement} */ (all.find(({ value }) => value === name) ?? all[0]);
}

const FILES = /^image\//;

/**
 * The first image among dropped or pasted files by its media type; else the first file, whose type
 * the server detects.
 * @param {Iterable<File>} files @returns {File | null}
 */
export function pictureAmong(files) {
  const all = [...files];
  return all.find(({ type }) => FILES.test(type)) ?? all[0] ?? null;
}

/** Returns true if the file may be a trace instead of a photo. @param {{name: string, type: string}} file */
export const isTrace = ({ name, type }) => type === "application/json" || /\.json$/i.test(name);
