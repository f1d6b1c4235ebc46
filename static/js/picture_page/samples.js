/** The photos that come with the page. None was trained on; static/samples/CREDITS.md says whose they are. Pure. */

/** @type {readonly {name: string, says: string}[]} */
export const SAMPLES = Object.freeze([
  { name: "photographer", says: "a man behind a camera" },
  { name: "admiral", says: "an admiral in uniform" },
  { name: "astronaut", says: "an astronaut before a flag" },
  { name: "rocket", says: "a rocket at dusk" },
  { name: "cat", says: "a cat" },
  { name: "coffee", says: "a cup of coffee" },
]);

/** The sample of this name; the first of all where there is none. @param {string | null} name */
export const sampleOf = (name) => SAMPLES.find((sample) => sample.name === name) ?? SAMPLES[0];

const FILES = /^image\//;

/**
 * The first picture among what was dropped or pasted; whatever came first where none says so, for
 * the server sees better what it is.
 * @param {Iterable<File>} files @returns {File | null}
 */
export function pictureAmong(files) {
  const all = [...files];
  return all.find(({ type }) => FILES.test(type)) ?? all[0] ?? null;
}
