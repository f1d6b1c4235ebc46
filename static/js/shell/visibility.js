/** Which elements are on the screen, or so near that a turn of the wheel brings them there. */

/** Of the window, how much above and below it is near. */
const NEAR = "25% 0px";

export class Sight {
  /** @type {Set<Element>} */
  #away = new Set();
  #watch = new IntersectionObserver(
    (entries) => {
      // What has no size is in a view that is not shown; by the time it is, it must be right.
      for (const { target, isIntersecting, boundingClientRect: box } of entries)
        this.#away[isIntersecting || !box.width ? "delete" : "add"](target);
    },
    { rootMargin: NEAR },
  );

  /** Watches these, and no others any more. @param {Iterable<Element>} elements */
  watch(elements) {
    this.#watch.disconnect();
    this.#away.clear();
    for (const element of elements) this.#watch.observe(element);
  }

  /** Whether it is there; as long as nobody knows, it is. @param {Element} element */
  holds(element) {
    return !this.#away.has(element);
  }
}
