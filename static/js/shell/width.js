/** Changes of the window's width. */

const SETTLED_MS = 100;

/** @param {() => void} call when the width changes; on a phone the height changes with every scroll */
export function onWidth(call) {
  let width = innerWidth;
  let timer = 0;
  return () => {
    if (innerWidth === width) return;
    width = innerWidth;
    clearTimeout(timer);
    timer = setTimeout(call, SETTLED_MS);
  };
}
