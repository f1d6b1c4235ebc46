/** Words of input and output that are linked, in the format of Pharaoh: `0-0 2-1`. Pure. */

/** @import {TokenAxis} from "./types" */

/** @typedef {[read: number, wrote: number]} Link words of the input and of the output, from 0 */

/** The links of a text, or null if it has anything else. @param {string} text @returns {Link[] | null} */
export function parseLinks(text) {
  const found = text
    .split(/\s+/)
    .filter(Boolean)
    .map((pair) => /^(\d+)-(\d+)$/.exec(pair));
  if (!found.every((pair) => pair)) return null;
  return found.map((pair) => [Number(pair?.[1]), Number(pair?.[2])]);
}

/** @param {Link[]} links */
export const linksText = (links) =>
  [...links]
    .sort((a, b) => a[1] - b[1] || a[0] - b[0])
    .map((link) => link.join("-"))
    .join(" ");

/** The links with one more, or without it. @param {Link[]} links @param {Link} link @returns {Link[]} */
export function toggled(links, [read, wrote]) {
  const left = links.filter((link) => link[0] !== read || link[1] !== wrote);
  return left.length < links.length ? left : [...links, [read, wrote]];
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
