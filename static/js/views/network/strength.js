/** The order of keys by their weights. Pure. */

/** The keys, the strongest first. @param {{weight: number}[]} keys */
export const byStrength = (keys) =>
  new Set(keys.map((_, j) => j).sort((a, b) => keys[b].weight - keys[a].weight));
