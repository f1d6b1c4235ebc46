/** Parts of a page that are loaded once. Pure. */

/** Loads a part with the first call; if that fails, the next call tries again. @template T @param {() => Promise<T>} load */
export function once(load) {
  /** @type {Promise<T> | null} */
  let loading = null;
  return () =>
    (loading ??= load().catch((error) => {
      loading = null;
      throw error;
    }));
}
