/** Links of the pages' examples, made by hand for the outputs that shipped models write. Pure. */

/** @import {Scene, TokenAxis} from "./types" */
/** @import {Link} from "./links.js" */

import { parseLinks, strayLink } from "./links.js";

/** Input, output and links, as `heed align` reads them. @type {[string, string, string][]} */
const GOLD = [
  [
    "I do not know where she lives.",
    "Je ne sais pas où elle vit.",
    "0-0 1?1 2-1 3-2 1?3 2-3 4-4 5-5 6-6",
  ],
  [
    "I do not know where she lives.",
    "Je ne sais pas où elle habite.",
    "0-0 1?1 2-1 3-2 1?3 2-3 4-4 5-5 6-6",
  ],
  [
    "The white house on the hill belongs to my old friend.",
    "La maison blanche sur la colline appartient à mon vieil ami.",
    "0-0 2-1 1-2 3-3 4-4 5-5 6-6 7-7 8-8 9-9 10-10",
  ],
  [
    "The white house on the hill belongs to my old friend.",
    "La maison blanche sur la colline appartient à mon vieux ami.",
    "0-0 2-1 1-2 3-3 4-4 5-5 6-6 7-7 8-8 9-9 10-10",
  ],
  [
    "We watched a play while the children play.",
    "Nous avons regardé une pièce tandis que les enfants jouent.",
    "0-0 1?1 1-2 2-3 3-4 4-5 4-6 5-7 6-8 7-9",
  ],
  [
    "A little girl in a red dress is playing with a big black dog.",
    "Une petite fille en robe rouge joue avec un gros chien noir.",
    "0-0 1-1 2-2 3-3 4?3 6-4 5-5 7?6 8-6 9-7 10-8 11-9 13-10 12-11 13?11",
  ],
  [
    "We have never been to Japan, but we would like to go there next year.",
    "Nous n'avons jamais été au Japon, mais nous aimerions y aller l'année prochaine.",
    "0-0 1-1 2?1 2-2 3-3 4-4 5-5 6-6 7-7 8-8 9-8 12-9 10?10 11-10 14-11 13-12 14?12",
  ],
  [
    "Ich weiß, dass er diesen Film noch nie gesehen hat.",
    "I know that he has never seen this movie before.",
    "0-0 1-1 2-2 3-3 9-4 6?5 7-5 8-6 4-7 5-8 6-9 9?9",
  ],
  [
    "I know that he has never seen the sea.",
    "Ich weiß, dass er das Meer nie gesehen hat.",
    "0-0 1-1 2-2 3-3 7-4 8-5 5-6 6-7 4-8 8?8",
  ],
  [
    "She asked me if I had already read the book.",
    "Sie fragte mich, ob ich das Buch schon gelesen hatte.",
    "0-0 1-1 2-2 3-3 4-4 8-5 9-6 6-7 7-8 5-9 9?9",
  ],
  [
    "I do not like to get up early.",
    "No me gusta levantarme temprano.",
    "1?0 2-0 0-1 3-2 0?3 4?3 5-3 6-3 7-4",
  ],
  [
    "My old friend lives in the white house on the hill.",
    "Mi viejo amigo vive en la casa blanca en la colina.",
    "0-0 1-1 2-2 3-3 4-4 5-5 7-6 6-7 8-8 9-9 10-10",
  ],
];

/** The links of an example, made by hand; null for other texts. @param {Scene} scene @returns {string | null} */
export const goldOf = ({ trace, output }) =>
  GOLD.find(([text, target]) => text === trace.source.text && target === output.text)?.[2] ?? null;

/** The links that a drawing shows: those of the page or the trace, else, if asked for, those of an example. @param {Scene} scene @param {{gold?: boolean}} [how] @returns {{source: TokenAxis, target: TokenAxis, links: Link[]}} */
export function linksShown(scene, { gold = false } = {}) {
  const { trace, output, view } = scene;
  const [source, target] = [trace.source, output.target];
  const between = view.rowAxis === "target" && view.columnAxis === "source";
  const text = scene.links ?? (gold ? goldOf(scene) : null) ?? "";
  const made = (between && parseLinks(text)) || [];
  return { source, target, links: strayLink(source, target, made) ? [] : made };
}
