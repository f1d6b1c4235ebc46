/** The sentences of the page about the steps of a trace. Pure. */

const ORDERS = {
  before:
    "Attention comes before the update: the old state is the query, and the context goes into the new state (Bahdanau).",
  after:
    "Attention comes after the update: the new state is the query, and the context goes into the output (Luong).",
  fixed: "No attention: one vector, computed once, serves every step.",
  layers:
    "Every layer attends first to the output so far, then to the input; the state comes out of the last layer (Vaswani).",
};

/** @param {keyof typeof ORDERS} order */
export function orderOfAttention(order) {
  return ORDERS[order];
}

/** Why a trace has no steps to show part by part. @param {{output: {steps: unknown[]}}} scene */
export function noSteps({ output }) {
  return output.steps.length
    ? "Self-attention of the input happens all at once, so there are no steps to show. Choose another map or another view."
    : "This trace contains weights only: the numbers behind its steps were not saved with it.";
}
