/** The sample photos, none of which is in the training data. Their credits are in static/samples/CREDITS.md. Pure. */

/** @type {readonly {name: string, says: string}[]} */
export const SAMPLES = Object.freeze([
  { name: "photographer", says: "a man behind a camera" },
  { name: "admiral", says: "an admiral in uniform" },
  { name: "astronaut", says: "an astronaut before a flag" },
  { name: "rocket", says: "a rocket at dusk" },
  { name: "cat", says: "a cat" },
  { name: "coffee", says: "a cup of coffee" },
]);

/** The sample of this name, or the first one. @param {string | null} name */
export const sampleOf = (name) => SAMPLES.find((sample) => sample.name === name) ?? SAMPLES[0];

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
