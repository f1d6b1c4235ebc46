/** The words of a caption that name a thing, without a dictionary. Pure. */

/** Words of captions that name nothing: function words, and what people and animals do. */
const OTHERS = new Set(
  (
    "a an the this that these those some any no other another each every all both many several few " +
    "and or but with without of in on at to from by for near over under behind beside between into " +
    "through across along around down up off out next front top about against while as is are was " +
    "were be been being has have had do does it its he his she her they their there who which what " +
    "not very down together outside inside away yes run runs stand stands sit sits play plays walk " +
    "walks jump jumps ride rides look looks wear wears hold holds lie lies swim swims eat eats"
  ).split(" "),
);

/** @param {string} word */
const isOther = (word) => OTHERS.has(word) || /ing$/.test(word);

/**
 * The places of nouns: of words before a function word, a verb or the end that are neither.
 * @param {string[]} words
 */
export function nounsOf(words) {
  const plain = words.map((word) => word.toLowerCase());
  const ends = (/** @type {string | undefined} */ next) =>
    next === undefined || !/\p{L}/u.test(next) || isOther(next);
  return plain.flatMap((word, place) =>
    /\p{L}{3}/u.test(word) && !isOther(word) && ends(plain[place + 1]) ? [place] : [],
  );
}
