/** Tracks the elements that are on the screen or close to it. */

/** Margin above and below the window, as a share of its height. */
const NEAR = "25% 0px";

export class Sight {
  /** @type {Set<Element>} */
  #away = new Set();
  #appears;
  #watch = new IntersectionObserver(
    (entries) => {
      // Elements without a size are in a hidden view; they count as visible, to be current when it is shown.
      for (const { target, isIntersecting, boundingClientRect: box } of entries)
        if (!isIntersecting && box.width) this.#away.add(target);
        else if (this.#away.delete(target)) this.#appears(target);
    },
    { rootMargin: NEAR },
  );

  /** @param {(element: Element) => void} [appears] called when an element becomes visible again */
  constructor(appears = () => {}) {
    this.#appears = appears;
  }

  /** Observes these elements only. @param {Iterable<Element>} elements */
  watch(elements) {
    this.#watch.disconnect();
    this.#away.clear();
    for (const element of elements) this.#watch.observe(element);
  }

  /** Returns true if an element is visible, or has not been observed yet. @param {Element} element */
  holds(element) {
    return !this.#away.has(element);
  }
}
