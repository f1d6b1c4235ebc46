/** Edits that teach, on sentences that show them. A test runs each on its model. Pure. */

/**
 * `edits` as the address has them; `says`: what to watch; `step`: the step to watch, from 0.
 * @typedef {{name: string, model: string, edits: string, says: string} & ({text: string} | {sample: string, step: number} | {story: string, question: string})} Taught
 */

const MODEL = "en-fr-additive";
const HOUSE = "The white house on the hill is old.";

/** @type {Taught[]} */
const SHELF = [
  {
    name: "Hide the noun",
    model: MODEL,
    text: HOUSE,
    edits: "block_whouse_q2",
    says: "At step 2 the model cannot look at “house”: watch it take the next noun, and lose all that stood between.",
  },
  {
    name: "Hide the adjective",
    model: MODEL,
    text: HOUSE,
    edits: "block_wwhite",
    says: "Nothing looks at “white”: watch the one word go that was read there.",
  },
  {
    name: "Send “pas” elsewhere",
    model: MODEL,
    text: "I do not know where she lives.",
    edits: "set_p1_wwhere_q4",
    says: "Step 4, which writes “pas”, looks at “where” alone: watch it write that word instead, and “pas” is lost.",
  },
  {
    name: "Hide “not”",
    model: MODEL,
    text: "I do not know where she lives.",
    edits: "block_wnot",
    says: "Nothing looks at “not”, and “pas” is written all the same: watch how little the bars move. The decoder has already written “ne”.",
  },
  {
    name: "Swap two nouns",
    model: MODEL,
    text: "A boy is playing with a dog.",
    edits: "only_wdog_q2 only_wboy_q6",
    says: "Step 2 looks at “dog” alone, step 6 at “boy” alone: watch the two nouns change places.",
  },
  {
    name: "Raise the temperature",
    model: MODEL,
    text: HOUSE,
    edits: "temperature_t4",
    says: "The scores are divided by 4, so that every row looks at many words: watch the model repeat “maison”.",
  },
  {
    name: "Look at the first word only",
    model: MODEL,
    text: HOUSE,
    edits: "only_k1",
    says: "Every step looks at “The”: watch the model write the article again and again.",
  },
];

const CAPTIONER = "caption-soft";

/** Over the sample photos. @type {Taught[]} */
const PHOTO_SHELF = [
  {
    name: "Trees for “giraffes”",
    model: CAPTIONER,
    sample: "giraffes",
    step: 1,
    edits: "set_p0.95_r0*133*200*133_q2",
    says: "Step 2, which writes “giraffes”, looks at the trees on the left: watch it write what stands there.",
  },
  {
    name: "The sheep for “grass”",
    model: CAPTIONER,
    sample: "sheep",
    step: 6,
    edits: "set_p0.95_r200*145*200*145_q7",
    says: "Step 7, which writes “grass”, looks at the sheep: watch it name the sheep a second time.",
  },
  {
    name: "Close the gate",
    model: CAPTIONER,
    sample: "sheep",
    step: 1,
    edits: "gate_b0",
    says: "The gate β is 0, so that the picture counts for no word: watch the caption that words alone make.",
  },
];

const READER = "memory";
const STORY =
  "Mary went to the kitchen. Tom walked to the garden. Mary took the ball. Mary moved to the office.";
const asked = { model: READER, story: STORY, question: "Where is the ball?" };

/** Over a story. @type {Taught[]} */
const STORY_SHELF = [
  {
    ...asked,
    name: "Hide the fact",
    edits: "block_k4",
    says: "No hop can look at “Mary took the ball.”: watch the first hop find no sentence, and the network say that it cannot know.",
  },
  {
    ...asked,
    name: "Hide the last move",
    edits: "block_k5",
    says: "No hop can look at the last sentence: watch the others go back to where Mary was before.",
  },
  {
    ...asked,
    name: "Send the last hop elsewhere",
    edits: "only_k3_q3",
    says: "The last hop looks at the sentence about Tom alone: watch the answer become his place.",
  },
];

/** By the kind of what is read. @type {Record<string, Taught[]>} */
export const SHELVES = {
  tokens: SHELF,
  grid: PHOTO_SHELF,
  sentences: STORY_SHELF,
};
