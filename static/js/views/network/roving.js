/** One tab stop for all parts of a picture; the arrow keys move from part to part. */

export class Roving {
  #root;
  /** @type {string | null} */
  #current = null;
  /** @type {SVGElement | null} */
  #stop = null;

  /** @param {SVGElement} root */
  constructor(root) {
    this.#root = root;
  }

  /** @returns {SVGElement[]} those that are to be seen */
  get #parts() {
    const all = /** @type {NodeListOf<SVGElement>} */ (this.#root.querySelectorAll("[data-part]"));
    return [...all].filter((part) => !part.closest("[data-later]"));
  }

  /** @param {string} id */
  find(id) {
    return this.#parts.find((part) => part.dataset.part === id) ?? null;
  }

  /** Gives the tab stop to the same part as before, or else to the first. */
  update() {
    const stop = this.#stop;
    const same = !this.#current || stop?.dataset.part === this.#current;
    if (stop?.isConnected && same && !stop.closest("[data-later]")) return;
    const parts = this.#parts;
    const now = parts.find((part) => part.dataset.part === this.#current) ?? parts[0];
    for (const stop of this.#root.querySelectorAll('[tabindex="0"]'))
      if (stop !== now) stop.setAttribute("tabindex", "-1");
    now?.setAttribute("tabindex", "0");
    this.#stop = now ?? null;
  }

  /** @param {SVGElement} part */
  to(part) {
    this.#current = part.dataset.part ?? null;
    this.update();
  }

  /** Moves the focus; returns false for a key that does not. @param {string} key @param {SVGElement} from */
  key(key, from) {
    const parts = this.#parts.map((part) => ({
      part,
      band: Number(part.dataset.band),
      x: centre(part),
    }));
    const here = parts.find(({ part }) => part === from);
    if (!here) return false;
    const beside = parts.filter(({ band }) => band === here.band).sort((a, b) => a.x - b.x);
    const place = beside.indexOf(here);
    const bands = [...new Set(parts.map(({ band }) => band))].sort((a, b) => a - b);
    const nearest = (/** @type {number | undefined} */ wanted) =>
      parts
        .filter(({ band }) => band === wanted)
        .sort((a, b) => Math.abs(a.x - here.x) - Math.abs(b.x - here.x))[0];
    /** @type {Record<string, () => {part: SVGElement} | undefined>} */
    const moves = {
      ArrowRight: () => beside[place + 1],
      ArrowLeft: () => beside[place - 1],
      ArrowDown: () => nearest(bands[bands.indexOf(here.band) + 1]),
      ArrowUp: () => nearest(bands[bands.indexOf(here.band) - 1]),
      Home: () => beside[0],
      End: () => beside[beside.length - 1],
    };
    if (!(key in moves)) return false;
    const to = moves[key]()?.part;
    if (to) {
      this.to(to);
      to.focus();
    }
    return true;
  }
}

/** @param {Element} part */
function centre(part) {
  const { left, width } = part.getBoundingClientRect();
  return left + width / 2;
}
