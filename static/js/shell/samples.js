/** The sample photos of the page, and the photos among the files of a user. */

import { box } from "../draw/dom.js";

/** The name of a sample of the page; the first one if it has none of this name. @param {string | null} name */
export function sampleOf(name) {
  const names = [...box("gallery").querySelectorAll("button")].map(({ value }) => value);
  return names.find((each) => each === name) ?? names[0];
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
