/** The explanations of views that show a step part by part. Pure. */

export const partByPart = () =>
  "Back and forward move from part to part; point at a symbol for its value.";

/** @param {number} parts */
export const networkNote = (parts) =>
  parts > 1
    ? "The parts of the network in this step; arrows are as wide as their weights. Press a part for its numbers; Play computes the text part by part."
    : "The weights of this row, as wide as they are strong. Press a part for its numbers.";
