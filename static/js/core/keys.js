/** The keys of a page, by where they work, and what each does there. Pure. */

/** @type {Record<"result" | "edit" | "lesson" | "pad", Record<string, string>>} */
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
  edit: {
    e: "toggle",
    ArrowRight: "right",
    ArrowLeft: "left",
    ArrowDown: "down",
    ArrowUp: "up",
    "+": "more",
    "-": "less",
    Delete: "block",
    u: "uniform",
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
