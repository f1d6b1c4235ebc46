/** Motion of marks that exist, within the time of a part: it plays, stands at an instant, or is over. */

/**
 * @typedef {object} Move
 * @property {Element} node @property {Keyframe[]} frames
 * @property {number} from when it begins, as a share of the time @property {number} to when it ends
 * @property {string} [pseudo] its pseudo-element that moves
 * @property {boolean} [made] true if the node was made for the motion, and is removed with it
 */

/** A mark that comes into sight. @type {Keyframe[]} */
export const APPEARS = [{ offset: 0, opacity: 0 }];
/** One that drops into its place. @type {Keyframe[]} */
export const DROPS = [{ offset: 0, opacity: 0, transform: "translateY(-0.6em)" }];

/**
 * Moves of several marks, one after the other; each takes a share of the time.
 * @param {Iterable<Element>} nodes @param {Keyframe[]} frames @param {{from?: number, to?: number, takes?: number, pseudo?: string}} [when] @returns {Move[]}
 */
export function inTurn(nodes, frames, { from = 0, to = 1, takes = 0.3, pseudo } = {}) {
  const all = [...nodes];
  const gap = all.length > 1 ? (to - from - takes) / (all.length - 1) : 0;
  return all.map((node, index) => {
    const begins = from + gap * index;
    return { node, frames, from: begins, to: begins + takes, pseudo };
  });
}

export class Motion {
  #frame = 0;
  #ms = 0;
  /** @type {Animation[]} */
  #running = [];
  /** @type {Element[]} */
  #made = [];

  /** Moves in the next frame, once everything is drawn. @param {number} ms @param {() => Move[]} movesOf */
  start(ms, movesOf) {
    this.stop();
    this.#ms = ms;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    this.#frame = requestAnimationFrame(() => this.#animate(movesOf()));
  }

  /** Shows everything at its place. */
  stop() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    for (const animation of this.#running) animation.cancel();
    this.#running = [];
    for (const node of this.#made) node.remove();
    this.#made = [];
  }

  /** Stands still at a share of the time. @param {number} share */
  at(share) {
    this.#held = share;
    this.#hold();
  }

  /** @type {number | null} */
  #held = null;

  #hold() {
    if (this.#held === null || this.#frame) return;
    for (const animation of this.#running) {
      animation.pause();
      animation.currentTime = this.#held * this.#ms;
    }
    this.#held = null;
  }

  /** @param {Move[]} moves */
  #animate(moves) {
    this.#frame = 0;
    this.#made = moves.flatMap(({ node, made }) => (made ? [node] : []));
    this.#running = moves.map(({ node, frames, from, to, pseudo }) =>
      node.animate(frames, {
        delay: from * this.#ms,
        duration: (to - from) * this.#ms,
        fill: "backwards",
        easing: "ease-out",
        pseudoElement: pseudo,
      }),
    );
    this.#hold();
  }
}
