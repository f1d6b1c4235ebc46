/** Words of input and output that are linked, in the format of Pharaoh: `0-0 2-1`, possible ones `3?1`. Pure. */

/** @import {Scene, TokenAxis, Trace} from "./types" */

/** @typedef {[read: number, wrote: number, possible?: "?"]} Link words of the input and of the output, from 0 */

/** As in `models/heads.py`. */
const LINK = /^(\d{1,9})([-?])(\d{1,9})$/;

/** The links of a text, or null if it has anything else. @param {string} text @returns {Link[] | null} */
export function parseLinks(text) {
  /** @type {Link[]} */
  const links = [];
  for (const pair of text.split(/\s+/).filter(Boolean)) {
    const found = LINK.exec(pair);
    if (!found) return null;
    const [read, wrote] = [Number(found[1]), Number(found[3])];
    links.push(found[2] === "?" ? [read, wrote, "?"] : [read, wrote]);
  }
  return links;
}

/** @param {Link[]} links */
export const linksText = (links) =>
  [...links]
    .sort((a, b) => a[1] - b[1] || a[0] - b[0])
    .map(([read, wrote, possible = "-"]) => `${read}${possible}${wrote}`)
    .join(" ");

/** Those that are not merely possible. @param {Link[]} links */
export const sureLinks = (links) => links.filter(([, , possible]) => !possible);

/** The link between two words, if there is one. @param {Link[]} links @param {number} read @param {number} wrote */
export const linkBetween = (links, read, wrote) =>
  links.find((link) => link[0] === read && link[1] === wrote);

/** The links with another state of one: none, sure, possible, and none again. @param {Link[]} links @param {Link} link @returns {Link[]} */
export function pressed(links, [read, wrote]) {
  const before = linkBetween(links, read, wrote);
  const others = links.filter((link) => link !== before);
  if (!before) return [...others, [read, wrote]];
  return before[2] ? others : [...others, [read, wrote, "?"]];
}

/** The link that names a word that a text does not have. @param {TokenAxis} source @param {TokenAxis} target @param {Link[]} links */
export function strayLink(source, target, links) {
  const [read, wrote] = [wordsOf(source).length, wordsOf(target).length];
  return links.find((link) => link[0] >= read || link[1] >= wrote) ?? null;
}

/** The trace of a scene with the links on screen, for a file. @param {Trace} trace with all its maps @param {Pick<Scene, "links" | "pick">} scene @returns {Trace} */
export function withLinks(trace, { links, pick }) {
  const { links: _, ...plain } = trace;
  const made = links && !pick ? parseLinks(links) : null;
  const fits = made?.length && !strayLink(trace.source, trace.target, made);
  return fits ? { ...plain, links: linksText(made) } : plain;
}

/**
 * The words of a text between its spaces, with the tokens of each.
 * @param {TokenAxis} axis @returns {{text: string, tokens: number[]}[]}
 */
export function wordsOf({ text, tokens }) {
  return [...text.matchAll(/\S+/g)].map((found) => {
    const start = Array.from(text.slice(0, found.index)).length;
    const end = start + Array.from(found[0]).length;
    return {
      text: found[0],
      tokens: tokens.flatMap((token, place) =>
        !token.special && token.start >= start && token.start < end ? [place] : [],
      ),
    };
  });
}

/**
 * The pairs in a file: on each line an input, an output and their links, with tabs between them.
 * @param {string} content @returns {{text: string, target: string, links: string}[] | null} null if a line is none
 */
export function parsePairs(content) {
  const pairs = content
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .filter((line) => line.trim())
    .map((line) => {
      const [text = "", target = "", links = "", ...more] = line.split("\t");
      return { text, target, links: links.trim(), good: !more.length && parseLinks(links) };
    });
  const good = pairs.every(({ text, target, links, good }) => text && target && links && good);
  return good && pairs.length ? pairs : null;
}
