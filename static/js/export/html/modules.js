/** The modules of the page inside one file: an import map maps bare names to their source. Pure. */

/** Static and dynamic imports, without the imports of types in comments. */
const STATIC = /^((?:import|export)\s(?:[^"';]*\sfrom\s)?")(\.{1,2}\/[^"]+\.js)(")/gm;
const LATER = /(\bimport\(\s*")(\.{1,2}\/[^"]+\.js)("\s*\))(?!\.)/g;
const NAME = "heed/";

/** The path of the module that `from` imports by a relative address. @param {string} from @param {string} address */
export function resolved(from, address) {
  return new URL(address, `file:///${from}`).pathname.slice(1);
}

/** The paths of the imports of a module by a pattern. @param {string} path @param {string} source @param {RegExp} pattern */
const matched = (path, source, pattern) =>
  [...source.matchAll(pattern)].map(([, , address]) => resolved(path, address));

/** The paths of the static and dynamic imports of a module. @param {string} path @param {string} source */
export const imports = (path, source) => [
  ...matched(path, source, STATIC),
  ...matched(path, source, LATER),
];

/** The source of a module with bare names in its imports. @param {string} path @param {string} source */
export function renamed(path, source) {
  const rename = (
    /** @type {string} */ _,
    /** @type {string} */ before,
    /** @type {string} */ address,
    /** @type {string} */ after,
  ) => `${before}${NAME}${resolved(path, address)}${after}`;
  return source.replace(STATIC, rename).replace(LATER, rename);
}

/**
 * A module and all modules that it imports, directly or not.
 * @param {string} entry @param {(path: string) => Promise<string>} read @param {(path: string) => boolean} [without] returns true for a module that is left out where it is imported later; without a static import, nothing would run
 * @returns {Promise<Map<string, string>>} their texts by their paths
 */
export async function gathered(entry, read, without = () => false) {
  /** @type {Map<string, string>} */
  const found = new Map();
  let wanted = [entry];
  while (wanted.length) {
    const texts = await Promise.all(
      wanted.map(async (path) => /** @type {const} */ ([path, await read(path)])),
    );
    for (const [path, text] of texts) found.set(path, text);
    const next = texts.flatMap(([path, text]) => [
      ...matched(path, text, STATIC),
      ...matched(path, text, LATER).filter((later) => !without(later)),
    ]);
    wanted = [...new Set(next)].filter((path) => !found.has(path));
  }
  return found;
}

/**
 * Modules by the names under which they import each other, and the name of the first.
 * @param {Map<string, string>} modules @param {string} entry its path
 */
export const named = (modules, entry) => ({
  entry: NAME + entry,
  modules: Object.fromEntries(
    [...modules].map(([path, source]) => [NAME + path, renamed(path, source)]),
  ),
});

/** @param {string} text */
export function base64(text) {
  const bytes = new TextEncoder().encode(text);
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
