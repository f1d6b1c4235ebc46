/**
 * The wire, generated from app/schemas.py by `make types`: do not edit.
 *
 * In every attention map rows are queries (what was written), columns are keys (what was read).
 */

export type MapKind = "cross" | "encoder-self" | "decoder-self" | "drawn";

export type Order = "before" | "after" | "fixed";

export type AxisName = "source" | "target" | "decoder_input" | "question";

export type Merge = "sum" | "mean";

export type Finish = "end" | "length" | "forced";

export type VectorsOf = "cross" | "all";

export type Detail = "weights" | "steps" | "full";

export type SearchKind = "greedy" | "beam" | "sample";

export type Axis = TokenAxis | GridAxis;

/** A token that could have been written instead. */
export interface Alternative {
  id: number;
  text: string;
  probability: number;
}

/** A question about a picture. The picture itself is beside these fields, in `image`. */
export interface AskBody {
  /** Id of a model of `GET /api/v1/models`; the server's default model if left out. */
  model?: string | null;
  /** How the output is chosen; not used where a `target` is given. */
  search?: SearchOptions;
  /**
   * `weights`: axes, maps and probabilities. `steps`: scores, alternatives and a compact picture of
   * the vectors besides. `full`: the vectors whole.
   */
  detail?: Detail;
  /**
   * Of a model with several heads: whose queries, keys and values are told. `cross`: those of the
   * heads that look at what was read. `all`: those of self-attention as well, which are many.
   */
  vectors?: VectorsOf;
  /**
   * Forced decoding: the model does not choose, it tells where it would look for each word of this
   * caption, and how surprised it is at it.
   */
  target?: string | null;
  /**
   * Of hard attention only: what was written is drawn so often again, from as many seeds on, and
   * the shares of the draws on each cell come as a map of kind `drawn`.
   */
  draws?: number;
  /** What is asked of the picture. */
  question: string;
}

/** An attention map. Rows are queries (what was written), columns keys (what was read). */
export interface AttentionMap {
  kind: MapKind;
  layer: number;
  head: number;
  query: AxisName;
  key: AxisName;
  /** α, after the softmax and before dropout; each row sums to 1. */
  weights: number[][];
  /** e, before the softmax; null where a key was masked. Left out with `detail: weights`. */
  scores?: (number | null)[][];
  /**
   * q of each row, of one head of several: e = q·k / √size. Left out with `detail: weights`, and of
   * self-attention unless the request says `vectors: all`, like the next two.
   */
  queries?: Vector[];
  /**
   * k of each column. Of what was read, runners-up have the keys and values of the trace itself and
   * leave them out; so does a stream, of all, until the trace is whole.
   */
  keys?: Vector[];
  /** v of each column: the head saw their sum, each times its weight α. */
  values?: Vector[];
}

/** A picture to be described. The picture itself is beside these fields, in `image`. */
export interface CaptionBody {
  /** Id of a model of `GET /api/v1/models`; the server's default model if left out. */
  model?: string | null;
  /** How the output is chosen; not used where a `target` is given. */
  search?: SearchOptions;
  /**
   * `weights`: axes, maps and probabilities. `steps`: scores, alternatives and a compact picture of
   * the vectors besides. `full`: the vectors whole.
   */
  detail?: Detail;
  /**
   * Of a model with several heads: whose queries, keys and values are told. `cross`: those of the
   * heads that look at what was read. `all`: those of self-attention as well, which are many.
   */
  vectors?: VectorsOf;
  /**
   * Forced decoding: the model does not choose, it tells where it would look for each word of this
   * caption, and how surprised it is at it.
   */
  target?: string | null;
  /**
   * Of hard attention only: what was written is drawn so often again, from as many seeds on, and
   * the shares of the draws on each cell come as a map of kind `drawn`.
   */
  draws?: number;
}

/** Hard attention: the one cell that was looked at, drawn from the row of the map. */
export interface Drawn {
  cell: number;
  log_probability: number;
}

/** The one shape of every error. */
export interface ErrorAnswer {
  error: ErrorBody;
}

/** What went wrong: a stable code, a sentence that says what to do, and the field if any. */
export interface ErrorBody {
  code: string;
  message: string;
  field: string | null;
}

/**
 * The cells of a picture, row by row: cell `i` is in row `i // columns`, column `i % columns`.
 *
 * Together they cover a rectangle of the user's own picture, in its pixels.
 */
export interface GridAxis {
  kind: "grid";
  rows: number;
  columns: number;
  left: number;
  top: number;
  width: number;
  height: number;
}

/** A language or notation: its code and its name. */
export interface Language {
  code: string;
  name: string;
}

/** One model of the catalogue, as its card tells. */
export interface Model {
  id: string;
  name: string;
  task: string;
  source: Language;
  target: Language;
  mechanism: string;
  order: Order;
  /**
   * Whether the vector that a token was read from goes into the next update of the state as well
   * (Luong et al. 2015).
   */
  input_feeding: boolean;
  heads: number;
  layers: number;
  parameters: number;
  /** Size of the weights' file. */
  bytes: number;
  /** SHA-256 of the weights' file; of a model with shared eyes, of its digest and theirs. */
  weights: string;
  /** What its tokens are. */
  granularity: "characters" | "subwords";
  /** Measured on data the model never saw; the card says how. */
  quality: Record<string, number>;
  /** `characters` and `tokens` of the input, `steps` of the output. */
  limits: Record<string, number>;
  examples: string[];
  /** What to look for in an example, for those that have something to say. */
  hints: Record<string, string>;
  /**
   * What of its attention was told where to look while it learned, in words; empty where nothing
   * was, and it found out by itself.
   */
  guided: string;
  /**
   * Whether it answers where a request names none: one that reads text, one for each task that
   * reads pictures.
   */
  default: boolean;
  loaded: boolean;
  /** The card, in Markdown. */
  card: string;
}

/** Which model made this trace; `weights` tells its weights from others by SHA-256. */
export interface ModelStamp {
  id: string;
  weights: string;
  mechanism: string;
  /** `before` the state update (Bahdanau), `after` it (Luong), or a `fixed` context vector. */
  order: Order;
}

/** The catalogue. */
export interface Models {
  models: Model[];
}

/** One hypothesis: its text, what was looked at, and how likely it was. */
export interface Output {
  text: string;
  target: TokenAxis;
  maps: AttentionMap[];
  steps: Step[];
  log_probability: number;
  /** Log-probability over lengthᵅ, by which beams are ranked. */
  score: number;
  /** `end`: the model ended its text. `length`: it was cut off. `forced`: the target was given. */
  finish: Finish;
}

/** The user's own picture, the way up that it is displayed. */
export interface PictureSeen {
  /** In pixels, as the grid axis has them. */
  width: number;
  height: number;
  format: string;
  /** A JPEG of at most 640 pixels on its longer side, without metadata, as a `data:` URI. */
  preview: string;
}

/** Attention of any model: pieces read, pieces written, and the weights between them. */
export interface PlainBody {
  /** The pieces read: a list, or a text that is cut at its spaces. */
  source: string[] | string;
  /** The pieces written; left out, with a `kind` of self-attention, it is the source. */
  target?: string[] | string;
  /** A matrix, or one per head, or one per layer and head: a row for each piece written. */
  weights: number[][] | number[][][] | number[][][][];
  kind?: "cross" | "encoder-self" | "decoder-self";
}

/** Where a saved trace is, and the key that deletes it. The key is given this once. */
export interface SavedTrace {
  id: string;
  /** Path of the page that shows it. */
  url: string;
  /** Path of the page that shows it within another, in a frame. */
  embed: string;
  /** Whoever has it can delete the trace. The server itself keeps no more than its digest. */
  key: string;
  /** When it will be gone (ISO 8601, UTC); null if it is kept until it is deleted. */
  expires: string | null;
}

/** How the output was chosen, unless the target was given. */
export interface Search {
  kind: SearchKind;
  beam: number;
  seed: number;
  temperature: number;
  length_penalty: number;
}

/** How the output is chosen. */
export interface SearchOptions {
  /**
   * `greedy` takes the likeliest token each time, `beam` keeps the best few hypotheses, `sample`
   * draws.
   */
  kind?: SearchKind;
  /**
   * Hypotheses kept by `beam`; as many come back, the best as the trace, the others as
   * `runners_up`.
   */
  beam?: number;
  /** Seed of `sample`: the same seed draws the same text. */
  seed?: number;
  /** Temperature of `sample`: below 1 is bolder, above 1 wilder. */
  temperature?: number;
  /** Exponent α of `beam`: hypotheses are ranked by log-probability / lengthᵅ. */
  length_penalty?: number;
}

/** First event of a stream: everything that is known before the first step. */
export interface StartEvent {
  schema: "heed.trace/2";
  model: ModelStamp;
  task: string;
  request: TraceRequest;
  source: Axis;
  picture?: PictureSeen;
  question?: TokenAxis;
}

/** The numbers that led to one output token (token `i` of the target axis is step `i`). */
export interface Step {
  probability: number;
  /** -log₂ of the probability, in bits. */
  surprise: number;
  /** The likeliest tokens at this step, best first, the one written among them if it is. */
  alternatives: Alternative[];
  /**
   * What asked: the decoder's old state if it attends `before` the update, its new one if `after`;
   * in a Transformer, what goes to the heads of the last layer.
   */
  query?: Vector;
  /**
   * c, the weighted sum of what was read; of several heads, their sums joined (those of the last
   * layer).
   */
  context?: Vector;
  /** s, the decoder's state after this step. */
  state?: Vector;
  /** β, where a model has one: what came of the context is β·c. */
  gate?: number;
  drawn?: Drawn;
}

/**
 * One event per step: drop everything from position `since` on, then append this.
 *
 * With greedy search `since` is `index`; a beam may change its mind about earlier positions. Maps
 * of the encoder itself come with the whole trace only, in the event `trace`.
 */
export interface StepEvent {
  /** Position of the newest token. */
  index: number;
  /** Position from which on `maps` and `steps` hold rows. */
  since: number;
  /** The whole output so far. */
  target: TokenAxis;
  maps: AttentionMap[];
  steps: Step[];
}

/** Milliseconds in the model, for the whole batch this text was part of. */
export interface Timing {
  encode_ms: number;
  decode_ms: number;
}

/** A piece as the model sees it; `word` is an index into the axis's `words`. */
export interface Token {
  id: number;
  text: string;
  start: number;
  end: number;
  word: number;
  special: boolean;
}

/** The tokens along one side of a map, and the words they merge into. */
export interface TokenAxis {
  kind: "tokens";
  /** The string itself; `start` and `end` of tokens and words count its characters. */
  text: string;
  tokens: Token[];
  words: Word[];
  /** How the weights of a word's tokens merge: `sum` where it was read, `mean` where written. */
  merge: Merge;
  /**
   * Words that the model hardly met while it learned, and guesses at or copies, by their places in
   * `words`. Of what was read, where that is known.
   */
  rare_words?: number[];
}

/** One run of one model. Self-contained: it can be drawn, saved and replayed from itself. */
export interface Trace {
  text: string;
  target: TokenAxis;
  maps: AttentionMap[];
  steps: Step[];
  log_probability: number;
  /** Log-probability over lengthᵅ, by which beams are ranked. */
  score: number;
  /** `end`: the model ended its text. `length`: it was cut off. `forced`: the target was given. */
  finish: Finish;
  schema: "heed.trace/2";
  model: ModelStamp;
  task: string;
  request: TraceRequest;
  /** What was read: tokens, or the cells of a picture. */
  source: Axis;
  /** The other hypotheses of a beam, best first, each with its own maps. */
  runners_up: Output[];
  timing: Timing;
  /**
   * h, what was kept of each token that was read. With one head and nothing projected, c is their
   * sum, each times its weight α. Left out with `detail: weights`, and of pictures.
   */
  memory?: Vector[];
  /** What the grid lies over, where the source is a grid. */
  picture?: PictureSeen;
  /** What was asked of the picture; a map with the key `question` looks at it. */
  question?: TokenAxis;
}

/** What was asked for: as it is, with the id of the model, it can be asked for again. */
export interface TraceRequest {
  /** What was read; of a picture, the question that was asked of it, or nothing. */
  text: string;
  target: string | null;
  search: Search;
  detail: Detail;
  draws?: number;
  /** `all`, where the vectors of self-attention were asked for, too. */
  vectors?: VectorsOf;
}

/** One text to be read, and the target if the user gives it (forced decoding). */
export interface TranslateBody {
  /** Id of a model of `GET /api/v1/models`; the server's default model if left out. */
  model?: string | null;
  /** How the output is chosen; not used where a `target` is given. */
  search?: SearchOptions;
  /**
   * `weights`: axes, maps and probabilities. `steps`: scores, alternatives and a compact picture of
   * the vectors besides. `full`: the vectors whole.
   */
  detail?: Detail;
  /**
   * Of a model with several heads: whose queries, keys and values are told. `cross`: those of the
   * heads that look at what was read. `all`: those of self-attention as well, which are many.
   */
  vectors?: VectorsOf;
  /** What the model reads. */
  text: string;
  /**
   * Forced decoding: the model does not choose, it tells what it attends to and how surprised it is
   * at each token of this target.
   */
  target?: string | null;
}

/**
 * A vector, drawn small: means of neighbouring numbers, in at most 32 cells.
 *
 * Those of a head are drawn in at most 16.
 */
export interface Vector {
  size: number;
  norm: number;
  summary: number[];
  /** The whole vector, with `detail: full`. */
  values?: number[];
}

/** A stretch of the user's own string, in characters (Unicode code points, not UTF-16). */
export interface Word {
  text: string;
  start: number;
  end: number;
  /** True of the end mark, which stands in no string. */
  special: boolean;
}

/** A trace whose source is text. */
export type TextTrace = Trace & { source: TokenAxis };

/** A trace whose source is the grid over a picture. */
export type PictureTrace = Trace & { source: GridAxis; picture: PictureSeen };
