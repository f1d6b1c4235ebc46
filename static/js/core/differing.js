/** The words of a text that differ from those of another. Pure. */

/**
 * For each word, true if it differs from the base: it is outside a longest common subsequence.
 * @param {string[]} words @param {string[]} base @returns {boolean[]}
 */
export function differing(words, base) {
  // longest[i][j]: of the words from i on and the base from j on
  const longest = Array.from({ length: words.length + 1 }, () =>
    new Array(base.length + 1).fill(0),
  );
  for (let i = words.length - 1; i >= 0; i--) {
    for (let j = base.length - 1; j >= 0; j--) {
      longest[i][j] =
        words[i] === base[j]
          ? longest[i + 1][j + 1] + 1
          : Math.max(longest[i + 1][j], longest[i][j + 1]);
    }
  }
  const differs = words.map(() => true);
  for (let i = 0, j = 0; i < words.length && j < base.length; ) {
    if (words[i] === base[j]) {
      differs[i] = false;
      i++;
      j++;
    } else if (longest[i + 1][j] >= longest[i][j + 1]) i++;
    else j++;
  }
  return differs;
}
