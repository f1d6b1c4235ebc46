/** The keys that edit attention, and what each does. Pure. */

/** @type {Record<string, string>} */
export const EDIT_KEYS = {
  e: "toggle",
  ArrowRight: "right",
  ArrowLeft: "left",
  ArrowDown: "down",
  ArrowUp: "up",
  "+": "more",
  "-": "less",
  Delete: "block",
  u: "uniform",
};
