/** Texts with the characters that formats give a meaning, the same in every run. */

const SIGNS = [
  ..."\\%{}$&#_^~`*[]<>|!\"',;=+-@/.:01a é\t\r\n\0\u0085\u00a0\u2028\u2029\u202e\ufeff\v\f＝＋－＠",
  "\\write18{id}",
  "\\end{document}",
  "^^M",
  "-->",
  "]]>",
  "</script>",
  "=HYPERLINK(1)",
  "../",
  "\ud800",
  "🎉",
];
const COUNT = 400;
const LONGEST = 6;

/** @param {number} [count] */
export function texts(count = COUNT) {
  let state = 1;
  const below = (most) => {
    state = (Math.imul(state, 48271) >>> 0) % 2147483647;
    return state % most;
  };
  const drawn = Array.from({ length: count }, () =>
    Array.from({ length: 1 + below(LONGEST) }, () => SIGNS[below(SIGNS.length)]).join(""),
  );
  return [...SIGNS, ...drawn];
}
