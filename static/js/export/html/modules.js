/** The modules of the page inside one file: an import map leads from bare names to their text. Pure. */

/** A line that imports, and an import that waits until it is needed; not what a comment says of types. */
const STATIC = /^((?:import|export)\s(?:[^"';]*\sfrom\s)?")(\.{1,2}\/[^"]+\.js)(")/gm;
const LATER = /(\bimport\(\s*")(\.{1,2}\/[^"]+\.js)("\s*\))(?!\.)/g;
const NAME = "heed/";

/** The module that `from` means by a relative address. @param {string} from @param {string} address */
export function resolved(from, address) {
  return new URL(address, `file:///${from}`).pathname.slice(1);
}

/** What a module imports, at once or later. @param {string} path @param {string} source */
export function imports(path, source) {
  return [STATIC, LATER].flatMap((pattern) =>
    [...source.matchAll(pattern)].map(([, , address]) => resolved(path, address)),
  );
}

/** The same module with bare names for those it imports. @param {string} path @param {string} source */
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
 * A module and all that it needs.
 * @param {string} entry @param {(path: string) => Promise<string>} read @param {(path: string) => boolean} [without] whether a module is left out
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
    wanted = [...new Set(texts.flatMap(([path, text]) => imports(path, text)))].filter(
      (path) => !found.has(path) && !without(path),
    );
  }
  return found;
}

/** The import map of modules, and the name of one of them. @param {Map<string, string>} modules */
export function importMap(modules) {
  const addresses = [...modules].map(([path, source]) => [
    NAME + path,
    `data:text/javascript;base64,${base64(renamed(path, source))}`,
  ]);
  return inScript({ imports: Object.fromEntries(addresses) });
}

/** @param {string} path a statement that runs the module */
export const run = (path) => `import "${NAME}${path}";`;

/** JSON that no text in it can lead out of a `<script>`. @param {unknown} value */
export const inScript = (value) => JSON.stringify(value).replace(/</g, "\\u003c");

/** @param {string} text */
export function base64(text) {
  const bytes = new TextEncoder().encode(text);
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
