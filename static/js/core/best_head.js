/** The head of a model that is shown first. Pure. */

/** @import {Model} from "./types" */

/**
 * The head that attends to the right word, or place, most often, as measured: the default
 * head. Null if that was not measured.
 * @param {Model} model
 */
export function bestHead({ quality }) {
  const measured = Object.entries(quality).flatMap(([name, value]) => {
    const place = /^(?:alignment|scenes)_layer(\d+)_head(\d+)$/.exec(name);
    return place ? [{ layer: Number(place[1]), head: Number(place[2]), value }] : [];
  });
  return measured.sort((a, b) => b.value - a.value)[0] ?? null;
}
