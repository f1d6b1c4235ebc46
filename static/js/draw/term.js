/** Words that explain themselves: their meanings are in the glossary of the page. */

import { html } from "./dom.js";

/** Words of the summary of a model. The template makes the same terms. */
export const SUMMARY_TERMS = { BLEU: "bleu" };

/** @param {string} id of the term in the glossary @param {string} text */
export const term = (id, text) =>
  html.span({ role: "button", tabindex: 0, class: "term", "aria-describedby": `term-${id}` }, text);

/**
 * Sets a sentence in which the first occurrence of each of these words is a term, if it differs from
 * the current one: a term keeps the focus.
 * @param {HTMLElement} at @param {string} text @param {Record<string, string>} terms their ids by the words
 */
export function sayTermed(at, text, terms) {
  if (at.textContent !== text || !at.querySelector(".term"))
    at.replaceChildren(...termed(text, terms));
}

/**
 * A sentence in which the first occurrence of each of these words is a term.
 * @param {string} text @param {Record<string, string>} terms their ids by the words
 * @returns {(string | HTMLElement)[]}
 */
function termed(text, terms) {
  /** @type {(string | HTMLElement)[]} */
  const parts = [];
  let rest = text;
  for (const { word, at } of places(text, terms)) {
    const before = at - (text.length - rest.length);
    parts.push(rest.slice(0, before), term(terms[word] ?? "", word));
    rest = rest.slice(before + word.length);
  }
  return [...parts, rest].filter((part) => part !== "");
}

/** The first place of each word, from left to right, without those inside another. @param {string} text @param {Record<string, string>} terms */
function places(text, terms) {
  let end = 0;
  return Object.keys(terms)
    .map((word) => ({
      word,
      at: text.search(new RegExp(`(?<![\\p{L}-])${word}(?![\\p{L}-])`, "u")),
    }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at || other.word.length - one.word.length)
    .filter(({ word, at }) => at >= end && (end = at + word.length));
}
