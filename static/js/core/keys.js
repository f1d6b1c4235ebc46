/** The keys of a page, by where they work, and what each does there. Pure. */

/** @type {Record<"result" | "lesson" | "pad", Record<string, string>>} */
export const KEYS = {
  result: {
    ArrowRight: "forward",
    ArrowLeft: "back",
    ArrowDown: "below",
    ArrowUp: "above",
    Home: "first",
    End: "last",
    " ": "play",
    Enter: "choose",
    Escape: "clear",
  },
  lesson: { ArrowRight: "next", ArrowLeft: "back" },
  pad: {
    ArrowRight: "right",
    ArrowLeft: "left",
    ArrowDown: "down",
    ArrowUp: "up",
    " ": "pen",
    Enter: "read",
    Delete: "clear",
  },
};
