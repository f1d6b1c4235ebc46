/**
 * The wire, generated from app/schemas by `make types`: do not edit.
 *
 * In every attention map rows are queries (what was written), columns are keys (what was read).
 */

export type MapKind = "cross" | "encoder-self" | "decoder-self" | "drawn" | "rollout";

export type Order = "before" | "after" | "fixed";

export type AxisName = "source" | "target" | "decoder_input" | "question";

export type Merge = "sum" | "mean";

export type Finish = "end" | "length" | "forced";

export type VectorsOf = "cross" | "all";

export type Detail = "weights" | "steps" | "full";

export type SearchKind = "greedy" | "beam" | "sample";

export type Axis = TokenAxis | GridAxis | SentenceAxis | GraphAxis;

export type TargetAxis = TokenAxis | HopAxis | ClassAxis | GlimpseAxis;

/** Agreement with the effects: Kendall's τ_b, and the share of rows with the same first key. */
export interface Agreement {
  tau: number | null;
  first: number | null;
  /** τ_b of each row. */
  taus: (number | null)[];
}

/** Agreement of the attention, and of maps that know nothing, with the effects. */
export interface Agreements {
  attention: Agreement;
  /** Of the diagonal, or of the centre of a picture. */
  place: Agreement;
  random_tau: Band;
  random_first: number | null;
  /** Of the attention to words, with the cost of leaving them out. */
  left_out?: Agreement;
  /** Of the attention weighted by value. */
  weighted?: Agreement;
  /** Of the map of value zeroing. */
  zeroed?: Agreement;
}

/** A candidate for the output token. */
export interface Alternative {
  id: number;
  text: string;
  probability: number;
}

/** The areas below the curves of probability of one order. */
export interface Area {
  order: "attention" | "effects" | "centre" | "another photo" | "random";
  deletion: number | null;
  insertion: number | null;
}

/** The areas of one way, beside those of random orders. */
export interface Areas {
  way: "keys" | "blur" | "mean";
  orders: Area[];
  random_deletion: Band;
  random_insertion: Band;
}

/** An attention map. Rows are queries (output), columns are keys (input). */
export interface AttentionMap {
  kind: MapKind;
  layer: number;
  head: number;
  query: AxisName;
  key: AxisName;
  /** α, after the softmax and before dropout; each row sums to 1, with its sink if it has one. */
  weights: number[][];
  /** Of each row, the weight that went to no key: to a learned sink, or to padding. */
  sinks?: number[];
  /** e, before the softmax; null where a key was masked. Absent with `detail: weights`. */
  scores?: (number | null)[][];
  /**
   * q of each row, for a model with several heads or with a memory tape: e = q·k / √size, or the
   * score of its own mechanism. Absent with `detail: weights`, and for self-attention of several
   * heads unless the request has `vectors: all`, as are `keys` and `values`.
   */
  queries?: Vector[];
  /**
   * k of each column. Absent in `runners_up` where the keys are those of the trace itself, and in
   * the events of a stream before `trace`; the same holds for `values`.
   */
  keys?: Vector[];
  /** v of each column: the output of the head is their sum, weighted by α. */
  values?: Vector[];
  /**
   * The state of each row after the layer, for the patches of a picture if one head was requested.
   * After the last layer it is normalised.
   */
  states?: Vector[];
}

/**
 * The figures of one output, each beside its baseline.
 *
 * Costs are differences of natural logarithms: log p(y) - log p(y, key taken away). `null` means
 * that there is none.
 */
export interface Audit extends Figure {
  schema: "heed.audit/1";
  log_probabilities: (number | null)[];
  /** The mean weights of the heads that are audited. */
  attention: (number | null)[][];
  /** The cost of taking each key from its row: a map in the axes of `attention`. */
  costs: (number | null)[][];
  /** The gain of giving each key its weight back in a uniform row. */
  given_back?: (number | null)[][];
  /**
   * The norm of what each key adds to the output of a layer, ‖Σ α W v‖ (Kobayashi et al. 2020); of
   * several layers the mean.
   */
  weighted?: (number | null)[][];
  /**
   * The cosine distance by which the logits of a row move if the value of a key counts nothing
   * (Mohebbi et al. 2023). Of pictures only with `silence`.
   */
  zeroed?: (number | null)[][];
  controls: Controls;
  distances: Distances;
  left_out?: LeftOut;
  agreement: Agreements;
  /** Only for a row of at most 12 keys. */
  orders?: Orders;
  /** Only of models that have other trainings. */
  trainings?: Trainings;
}

/** The choices of an audit; `null` for a layer or a head means all of them. */
export interface AuditChoices {
  unit: "edge" | "word";
  removal: "block" | "silence";
  layer: number | null;
  head: number | null;
  row: number | null;
  seeds: number;
}

/** An event of a stream: the forced steps that were run so far, of those that are expected. */
export interface AuditProgress {
  rows: number;
  of: number;
  /** The curves that are complete, of the figure `curves`. */
  part?: CurvesSoFar;
}

/** A figure over several seeds: its mean, and the range of the middle 95 %. */
export interface Band {
  mean: number | null;
  low: number | null;
  high: number | null;
}

/** The run without the edits, and what they changed. */
export interface Baseline extends Output {
  /** Of each step of this run. */
  changes: Change[];
  /** The first step at which both runs wrote another token; absent if they wrote the same. */
  parts_at?: number;
  /** Edits of steps that the edited run did not reach, as indices into `request.edits`. */
  unused: number[];
  /** The axis of this run, where prompt and answer stand on one; else it is that of the trace. */
  source?: TokenAxis;
}

/** A square of the picture, in its pixels; a part of it may lie outside. */
export interface Box {
  left: number;
  top: number;
  side: number;
}

/** The effect of edits on a step, while the tokens of the run without edits are forced. */
export interface Change {
  /** The log-probability of the token without the edits. */
  before: number;
  /** The same under the edits. */
  after: number;
  /** `after` less `before`. */
  delta: number;
  /**
   * KL(p ‖ p′) in nats: p is the distribution over the whole vocabulary without the edits, p′ that
   * under them.
   */
  divergence: number;
}

/** The nodes of a graph with the classes that the model found. */
export interface ClassAxis {
  kind: "classes";
  unit?: "nodes";
  /** How many nodes have each class. */
  text: string;
  /** The names of the nodes. */
  nodes: string[];
  /** The name of the class of each node. */
  classes: string[];
}

/** The contrast of two words at one place of the output, in natural logarithms. */
export interface Contrast extends Figure {
  schema: "heed.audit.contrast/1";
  /** The word that was written. */
  word: string;
  other: string;
  /** The first row of the word. */
  row: number;
  /** The first row whose piece differs. Before it the contrast is 0. */
  parts_at: number;
  /** Of the word and of the other, after the same words. */
  log_probabilities: (number | null)[];
  /** The mean of the word's rows. */
  attention: (number | null)[];
  /**
   * The effect of each key on log p of the word, less that on log p of the other: a row for each
   * piece up to the end of the longer one.
   */
  costs: (number | null)[][];
  /** The contrast of each key, summed over the rows. */
  total: (number | null)[];
}

/** The strongest keys of each row taken together, beside as many at random. */
export interface Controls {
  keys: number;
  cost: (number | null)[];
  /** A row for each seed. */
  random: (number | null)[][];
}

/** The log-probability of a word, in one way and one order, at each of the fractions. */
export interface Curve {
  /** Cells are removed as keys, blurred, or painted with the mean colour of the photo. */
  way: "keys" | "blur" | "mean";
  order: "attention" | "effects" | "centre" | "another photo" | "random";
  deletion: (number | null)[];
  insertion: (number | null)[];
}

/** Deletion and insertion of the cells of a photo (RISE, Petsiuk et al. 2018). */
export interface Curves extends Figure, CurvesSoFar {
  schema: "heed.audit.curves/1";
}

/** The curves that are complete. */
export interface CurvesSoFar {
  word: string;
  /** The first row of the word. */
  row: number;
  /** The photo whose order is a baseline. */
  another: string;
  /** Of the cells, removed or shown. */
  fractions: (number | null)[];
  curves: Curve[];
  /** Of the ways whose curves are complete. */
  areas: Areas[];
}

/**
 * The total variation distance by which the next word's distribution moves.
 *
 * It proves little alone: other weights may say the same.
 */
export interface Distances {
  uniform: (number | null)[];
  /** A row for each seed. */
  permuted: (number | null)[][];
}

/** Hard attention: the cell that was sampled from the row of the map. */
export interface Drawn {
  cell: number;
  log_probability: number;
}

/** An edit of attention: an operation on rows of one kind of map, before their softmax. */
export interface Edit {
  /** The operation. */
  op:
    | "block"
    | "only"
    | "scale"
    | "set"
    | "silence"
    | "temperature"
    | "uniform"
    | "permute"
    | "row"
    | "gate";
  /** The kind of map: the model's only one by default, else `cross`. */
  kind?: "cross" | "encoder-self" | "decoder-self";
  /** The axis of the keys, where a model has two maps of a kind. */
  axis?: "source" | "question";
  /** The layers: an index from 0, a list, a range, or all, as by default. */
  layers?: number | number[] | PlaceRange | "all";
  /** The heads, in the same way. */
  heads?: number | number[] | PlaceRange | "all";
  /** The queries, which are the rows of a map, in the same way. */
  queries?: number | number[] | PlaceRange | "all";
  /** The keys, which are the columns of a map, for an operation that has any. */
  keys?: number | number[] | PlaceRange | "all";
  /** Words of the input as keys: all pieces of each occurrence. */
  words?: string | string[];
  /** Left, top, width and height of a part of the picture: the cells in it are keys. */
  box?: number[];
  /** Of `scale`: what the weights of the keys are multiplied by. */
  factor?: number;
  /** Of `set`: the sum of the weights of the keys. */
  weight?: number;
  /** Of `temperature`: what the scores are divided by. */
  temperature?: number;
  /** Of `permute`: the seed of the order; 0 by default. */
  seed?: number;
  /** Of `row`: a weight for each key. They are divided by their sum. */
  weights?: number[];
  /** Of `gate`: the gate β of a captioner. */
  value?: number;
}

/** Options of a request whose attention may be edited. */
export interface EditedOptions extends LinkedOptions {
  /**
   * Edits of the attention, in their order. The trace is the run under them, and its `baseline` the
   * run without them.
   */
  edits?: Edit[] | null;
  /**
   * The step from which the model writes on by itself. The tokens before it are those of the
   * `target`, else of the run without edits. By default it is 0, or with a `target` its end.
   */
  continue_from?: number | null;
}

/** The run behind a figure, and its choices. */
export interface Figure {
  /** The run that is audited, in the detail `weights`. */
  trace: Trace;
  choices: AuditChoices;
  /** The four choices as sentences. */
  words: string[];
  /** The summary of the figures, in sentences. */
  verdict: string[];
  /** The noun of a key. */
  noun: "word" | "piece" | "cell";
  /** Forced steps of the model that were run. */
  rows: number;
  /** The version of Heed. */
  version: string;
}

/** The glimpses at a picture in their order: row `i` of a map is glimpse `i + 1`. */
export interface GlimpseAxis {
  kind: "glimpses";
  unit?: "glimpses";
  /** The class that the model believes in after the last glimpse. */
  text: string;
  /** The squares that each glimpse sees, the finest first. */
  glimpses: Box[][];
}

/** A picture of a digit: either `picture` or `pixels`. */
export interface GlimpseBody extends RunOptions {
  /** The file of the picture as base64, or as a `data:` URI. */
  picture?: string | null;
  /** The picture as rows of gray values, from 0 to 1 or from 0 to 255. */
  pixels?: number[][] | null;
}

/** The nodes of a graph: row and column `i` of a map are node `i`. */
export interface GraphAxis {
  kind: "graph";
  unit?: "nodes";
  /** The title of the graph, or its size. */
  text: string;
  nodes: GraphNode[];
  /** Pairs of nodes, without direction. Every node attends to itself, too. */
  edges: number[][];
  /** The names of all classes. */
  classes: string[];
}

/** A graph whose nodes are to be classified: as text, or as nodes and edges. */
export interface GraphBody extends RunOptions {
  /**
   * The graph as text: a line for a node (`Ann: A`) or an edge (`Ann - Bob`); or the title of an
   * example of the model, such as `Karate club`.
   */
  graph?: string | null;
  /** The nodes, in the order of the rows and columns; instead of `graph`. */
  nodes?: NodeBody[] | null;
  /** The edges: pairs of names of nodes. They have no direction. */
  edges?: string[][] | null;
  /**
   * Edits of the attention, in their order. The trace is the answer under them, and its `baseline`
   * the answer without them.
   */
  edits?: Edit[] | null;
}

/** A node of a graph, at its place on a drawing. */
export interface GraphNode {
  /** Its name. */
  text: string;
  /** From left to right. The larger of width and height of the drawing is 1. */
  x: number;
  /** From top to bottom. */
  y: number;
  /** Its class, if that was given, as an index into `classes`. */
  known?: number;
  /** The class that was hinted at, if any. */
  hint?: number;
}

/**
 * The cells of a picture, row by row: cell `i` is in row `i // columns`, column `i % columns`.
 *
 * Together they cover a rectangle of the original picture, in its pixels. With `marks`, a map has a
 * row or column for each of them before those of the cells.
 */
export interface GridAxis {
  kind: "grid";
  /** A row or column of a map is a cell. Traces saved by older servers have no `unit`. */
  unit?: "cells";
  rows: number;
  columns: number;
  left: number;
  top: number;
  width: number;
  height: number;
  /** Names of tokens that are no part of the picture, such as the class token. */
  marks?: string[];
}

/** Measures of a head, averages over the rows of its map. */
export interface Head {
  layer: number;
  head: number;
  /** In bits. */
  entropy: number;
  /** The share of the weight within one key of the diagonal. */
  diagonal: number;
  /** The share on marks and, in self-attention, on the first key. */
  sink: number;
  /** Of the linked words of the output, the share whose most attended input word is linked. */
  alignment?: number;
  /** Half the mean absolute difference of its rows to those of the other run. */
  moved?: number;
}

/** The heads of one kind of attention. */
export interface Heads {
  heads: Head[];
}

/** The hops of a memory network: row `i` of a map is hop `i + 1`. */
export interface HopAxis {
  kind: "hops";
  unit?: "hops";
  /** The answer after the last hop. */
  text: string;
  hops: number;
}

/** An order of keys between the worst (0) and the best (1) of this row. */
export interface KeyOrder {
  comprehensiveness: number | null;
  sufficiency: number | null;
  /** The log-probability with 0, 1, … keys taken away. */
  taken: (number | null)[];
  /** The log-probability with 1, 2, … keys left. */
  left: (number | null)[];
}

/** A language or notation: its code and its name. */
export interface Language {
  code: string;
  name: string;
}

/** The cost of leaving each word out of the input; of a picture, of a cell in every row. */
export interface LeftOut {
  /** Indices of words of the `source`, or of its cells. */
  words: number[];
  cost: (number | null)[][];
  /** The attention to each word, summed over its tokens. */
  attention: (number | null)[][];
  /** The place in `words` of the word that each row attends to most. */
  strongest: number[];
  /** The cost of taking that word from its row alone. */
  taken: (number | null)[];
}

/** A word that was left out, with the output forced once more. */
export interface LeftOutWord {
  /** Index into `words` of `source`, or of `target` for a word that was written. */
  word: number;
  /** The part of the score that is gone without it; `null` for the word of the key. */
  change: number | null;
}

/** A map that the answer leaves out, and its address. */
export interface LinkedMap {
  kind: MapKind;
  layer: number;
  head: number;
  query: AxisName;
  key: AxisName;
  rows: number;
  columns: number;
  /** Path on the server: the weights as a NumPy file of 16-bit numbers, or the map as JSON. */
  address: string;
}

/** Options of a request to a model that writes, whose trace may be too large for one answer. */
export interface LinkedOptions extends Options, LinkedRunOptions {}

/** Options of a request whose trace may be too large for one answer. */
export interface LinkedRunOptions extends RunOptions {
  /**
   * `linked`: a trace of more than 500,000 weights comes without its maps, each of which has an
   * address (`linked`). `inline`: every trace has its maps.
   */
  maps?: "inline" | "linked";
}

/** A model of Heed whose weights are not installed. */
export interface MissingModel {
  id: string;
  name: string;
  task: string;
  /** The sentence with the command that brings it. */
  install: string;
}

/** One model of the catalogue. */
export interface Model {
  id: string;
  name: string;
  task: string;
  source: Language;
  target: Language;
  /** Family of its network, for example `recurrent` or `transformer`. */
  family: string;
  mechanism: string;
  /** Score e of a query q and a key k by this mechanism, or how it does without scores. */
  formula: string;
  /** Reference to the paper that defines the score. */
  paper: string;
  order: Order;
  /** True if the attentional vector of a step is an input of the next (Luong et al. 2015). */
  input_feeding: boolean;
  heads: number;
  layers: number;
  parameters: number;
  /** Size of the file of the weights. */
  bytes: number;
  /** SHA-256 of the weights, including those of a shared image encoder. */
  weights: string;
  /** The kind of its tokens. */
  granularity: "characters" | "subwords";
  /** Metrics on held-out data; the card explains them. */
  quality: Record<string, number>;
  /** Maximum `characters` and `tokens` of the input and `steps` of the output. */
  limits: Record<string, number>;
  examples: string[];
  /** Explanations of some of the examples. */
  hints: Record<string, string>;
  /** Description of the attention that was supervised in training; empty if none was. */
  guided: string;
  /** Id of the same network with an attention that was not supervised; empty if there is none. */
  unguided: string;
  /** The kind of examples it was trained on, in a few words; empty if its card alone says it. */
  learned_from: string;
  /**
   * True if it handles requests that name no model: one model for text, one for each task with
   * pictures.
   */
  default: boolean;
  loaded: boolean;
  /** The card, in Markdown. */
  card: string;
}

/** The model of a trace; `weights` is the SHA-256 of its weights. */
export interface ModelStamp {
  id: string;
  weights: string;
  mechanism: string;
  /** `before` the state update (Bahdanau), `after` it (Luong), or a `fixed` context vector. */
  order: Order;
}

/** The models of the server, the best first. */
export interface Models {
  models: Model[];
  /** The models that Heed knows and this server lacks; a request for one gets 422. */
  missing: MissingModel[];
}

/** A node of a graph, and the classes that are given for it. */
export interface NodeBody {
  /** Its name, which no other node has. */
  name: string;
  /** Its class, if that is known: `A`, `B`, `C` or `D`. */
  known?: string | null;
  /** A class that something hints at, such as the words of a paper. It may be wrong. */
  hint?: string | null;
}

/** An operation on the machine of the server. */
export interface Operation {
  /**
   * `forwards` and `backwards`: a piece of the input in a recurrent encoder. `attention`, `update`
   * and `output`: the parts of a step of its decoder. `self`, `cross` and `feed-forward`: those of
   * a layer of a Transformer, whose steps end with `output`, too.
   */
  kind:
    | "forwards"
    | "backwards"
    | "attention"
    | "update"
    | "self"
    | "cross"
    | "feed-forward"
    | "output";
  /** The piece of the input, or the layer, from 0. */
  place: number;
  /** Milliseconds since the first operation began. */
  start: number;
  end: number;
}

/** Options of every request to a model that writes token by token. */
export interface Options extends RunOptions {
  /** Decoding. Ignored if a `target` is given. */
  search?: SearchOptions;
  /**
   * Heads whose queries, keys and values are returned, for a model with several heads. `cross`:
   * those of cross-attention. `all`: also those of self-attention, which are many.
   */
  vectors?: VectorsOf;
}

/** The orders of one row, from every set of its keys (NAOPC, Edin et al. 2024). */
export interface Orders {
  row: number;
  /** The columns that are ordered. */
  keys: number[];
  sets: number;
  least: number | null;
  greatest: number | null;
  /** Places in `keys`: the order that takes away first what costs most. */
  best: number[];
  worst: number[];
  attention: KeyOrder;
  effects: KeyOrder;
  /** Comprehensiveness and sufficiency of random orders. */
  random?: Band[];
}

/** A model of another mechanism: the baseline. */
export interface OtherMechanism {
  attention: (number | null)[][];
  /** The Jensen–Shannon divergence of each row from the map that is audited, in bits: 0 to 1. */
  distances: (number | null)[];
  /** Index of the word of the `source` with the largest weight, of each row. */
  strongest: number[];
  model: string;
}

/** The same network with its attention trained anew. */
export interface OtherTraining {
  attention: (number | null)[][];
  /** The Jensen–Shannon divergence of each row from the map that is audited, in bits: 0 to 1. */
  distances: (number | null)[];
  /** Index of the word of the `source` with the largest weight, of each row. */
  strongest: number[];
  seed: number;
}

/** One hypothesis: its text, its attention, and its probability. */
export interface Output {
  text: string;
  /**
   * The rows of the maps: the tokens of the output, the hops of a memory network, or the nodes of a
   * graph, or glimpses.
   */
  target: TargetAxis;
  maps: AttentionMap[];
  /** The maps of a large trace, instead of `maps`, if the request has `maps: linked`. */
  linked?: LinkedMap[];
  steps: Step[];
  log_probability: number;
  /** Log-probability / lengthᵅ, by which hypotheses are ranked. */
  score: number;
  /**
   * `end`: the model wrote its end token. `length`: the output was cut off. `forced`: a target was
   * given.
   */
  finish: Finish;
}

/** The tokens of an axis that are the patches of a picture, from `first` on. */
export interface Patches {
  first: number;
  grid: GridAxis;
}

/** The original picture in its displayed orientation. */
export interface PictureSeen {
  /** In pixels, the unit of the grid axis. */
  width: number;
  height: number;
  format: string;
  /** A JPEG of at most 640 pixels on its longer side, without metadata, as a `data:` URI. */
  preview: string;
}

/** All places from the first to the last, both included. */
export interface PlaceRange {
  first: number;
  last: number;
}

/** The output without one word, or without one cell. */
export interface Rewriting {
  /** Index of a word of the `source`, or of its cells. */
  word: number;
  text: string;
  /** Words that are inserted, removed or replaced. */
  changed: number;
}

/** The outputs that the model writes without each word. */
export interface Rewritten extends Figure {
  schema: "heed.audit.rewritten/1";
  /** The output with all words, by the same search. */
  text: string;
  /** Words of that output. */
  of: number;
  /** Outputs that stay as they are. */
  kept: number;
  outputs: Rewriting[];
}

/** Options of every request that runs a model. */
export interface RunOptions {
  /** Id of a model of `GET /api/v1/models`. Default: the default model of the server. */
  model?: string | null;
  /**
   * `weights`: axes, maps and probabilities. `steps`: also scores, alternatives and summaries of
   * the vectors. `full`: also the complete vectors.
   */
  detail?: Detail;
}

/** The address of a saved trace, and the key that deletes it, which is shown only once. */
export interface SavedTrace {
  id: string;
  /** Path of the page that shows it. */
  url: string;
  /** Path of the page for a frame of another page. */
  embed: string;
  /** Deletes the trace. The server stores only its digest. */
  key: string;
  /** Time when the trace is deleted (ISO 8601, UTC); null if it does not expire. */
  expires: string | null;
}

/** The score of a cell, e before the softmax, and what it is made of. */
export interface Score {
  model: string;
  kind: MapKind;
  layer: number;
  head: number;
  row: number;
  column: number;
  score: number;
  /** Of a Transformer, whose scores are sums of products. */
  split?: ScoreSplit;
  /** Of other translators, in which the words of the input do not add up. */
  left_out?: LeftOutWord[];
  /** Of other captioners: the words that were written before. */
  written?: LeftOutWord[];
  /**
   * Beside `written`: the part of the score that is gone if a cell is taken from all rows before;
   * none before the second row.
   */
  cells?: number[];
  /** With `left_out` or `written`: the score without all changes. */
  remainder?: number;
}

/** The parts of the query and of the key, with the scale of each layer norm held. */
export interface ScoreSplit {
  /**
   * `embedding`, or the `features` of a cell, `position`, each sublayer before it, and `biases`,
   * which depend on no token.
   */
  query: string[];
  key: string[];
  /** A row for each part of the query, a column for each of the key; they add up to `score`. */
  products: number[][];
}

/** Search settings of the output; unused if a target was given. */
export interface Search {
  kind: SearchKind;
  beam: number;
  seed: number;
  temperature: number;
  length_penalty: number;
}

/** Decoding: how the output is chosen. */
export interface SearchOptions {
  /**
   * `greedy` takes the most probable token at each step, `beam` keeps the best hypotheses, `sample`
   * draws tokens at random.
   */
  kind?: SearchKind;
  /**
   * Number of hypotheses of `beam`. All are returned: the best as the trace, the others as
   * `runners_up`.
   */
  beam?: number;
  /** Seed of `sample`: the same seed gives the same output. */
  seed?: number;
  /** Temperature of `sample`: below 1 sharpens the distribution, above 1 flattens it. */
  temperature?: number;
  /** Exponent α of `beam`: hypotheses are ranked by log-probability / lengthᵅ. */
  length_penalty?: number;
}

/** The orders of one row of any number of keys. */
export interface SearchedOrders extends Figure {
  schema: "heed.audit.orders/1";
  orders: Orders;
  /** False if the bounds are an estimate: the best and the worst order may lie further apart. */
  exact: boolean;
  /** Chains that the search kept. */
  beam: number | null;
}

/** The sentences of a story. A special one is not part of the text: the empty sentence. */
export interface SentenceAxis {
  kind: "sentences";
  unit?: "sentences";
  /** The text that `start` and `end` of sentences and words refer to. */
  text: string;
  sentences: Word[];
  /** The words that the model does not know, and reads all alike. */
  unknown_words: Word[];
}

/** First event of a stream: the trace before the first step. */
export interface StartEvent {
  schema: "heed.trace/2";
  model: ModelStamp;
  task: string;
  request: TraceRequest;
  source: Axis;
  picture?: PictureSeen;
  question?: TokenAxis;
}

/**
 * The numbers of one output token (token `i` of the target axis is step `i`), hop or glimpse.
 *
 * After a hop or a glimpse, the alternatives are the likeliest answers if the model stopped there,
 * and the probability is that of the final answer. Of a node of a graph, they are the classes.
 */
export interface Step {
  probability: number;
  /** -log₂ of the probability, in bits. */
  surprise: number;
  /** The most probable tokens at this step, best first. */
  alternatives: Alternative[];
  /**
   * The query: the decoder's state before the update (`order: before`) or after it (`after`); in a
   * Transformer, the input of the heads of the last layer; in a memory network u, which is the
   * question at first.
   */
  query?: Vector;
  /**
   * c, the context vector: the weighted sum of the values; with several heads, the concatenation of
   * those of the last layer; of a glimpse g, what was seen and where; of a memory tape h̃.
   */
  context?: Vector;
  /** s, the decoder's state after this step. */
  state?: Vector;
  /** β, for a model with a gate: the context is scaled to β·c. */
  gate?: number;
  drawn?: Drawn;
  /**
   * m of each sentence, in a hop of a memory network: e = u·m. Absent with `detail: weights`, as
   * are `values`.
   */
  keys?: Vector[];
  /** c of each sentence, in a hop: the context is their sum, weighted by α. */
  values?: Vector[];
  /**
   * The patches of a glimpse, the finest first: rows of ink, from 0 to 1. Absent with `detail:
   * weights`.
   */
  seen?: number[][][];
  /**
   * c of the last word that an LSTM with a memory tape has read. Absent with `detail: weights`, as
   * are `cell_context` and `gates`.
   */
  cell?: Vector;
  /** c̃, the sum of the cells on the tape, weighted by α; `context` is h̃. */
  cell_context?: Vector;
  /**
   * i, f and o: how much of the last word was written into its cell, how much of the c̃ before was
   * kept, and how much of the cell was shown.
   */
  gates?: Vector[];
}

/**
 * One event per step: replace everything from position `since` on by this.
 *
 * With greedy search `since` is `index`; a beam search may revise earlier positions. Maps of the
 * encoder are part of the event `trace` only.
 */
export interface StepEvent {
  /** Position of the newest token. */
  index: number;
  /** Position of the first row of `maps` and `steps`. */
  since: number;
  /** The complete output so far. */
  target: TargetAxis;
  maps: AttentionMap[];
  steps: Step[];
}

/** A story and a question about it. */
export interface StoryBody extends RunOptions {
  /** The story: sentences that end in `.`, `!`, `?`, `;` or at the end of a line. */
  story: string;
  /** The question. */
  question: string;
  /**
   * Edits of the attention, in their order. The trace is the answer under them, and its `baseline`
   * the answer without them.
   */
  edits?: Edit[] | null;
}

/** The operations of the fastest of several runs of one text. */
export interface Timeline {
  model: string;
  /** The output. */
  text: string;
  /** The pieces of the input. */
  read: string[];
  /** The pieces of the output, one for each step of the decoder. */
  written: string[];
  /** The number of runs. */
  runs: number;
  /** The time of the whole run, with what lies between its operations. */
  milliseconds: number;
  /** Empty if the server has no compiled kernels, which log them. */
  operations: Operation[];
}

/** Milliseconds in the model, for the whole batch this text was part of. */
export interface Timing {
  encode_ms: number;
  decode_ms: number;
}

/** A token of the model; `word` is an index into `words` of the axis. */
export interface Token {
  id: number;
  text: string;
  start: number;
  end: number;
  word: number;
  special: boolean;
}

/** The tokens along one axis of a map, and the words they form. */
export interface TokenAxis {
  kind: "tokens";
  /**
   * A row or column of a map is a token, which may be a part of a word: figures and tables merge
   * them into words.
   */
  unit?: "tokens";
  /** The text that `start` and `end` of tokens and words refer to. */
  text: string;
  tokens: Token[];
  words: Word[];
  /** How the weights of the tokens of a word are merged: `sum` for input, `mean` for output. */
  merge: Merge;
  /**
   * Words that were rare in the training data, so that the model may guess or copy them, as indices
   * into `words`. For input, where it is known.
   */
  rare_words?: number[];
  /**
   * Words that are in no training text of their language and not in the input: the model made them
   * up. Indices into `words`, for output, where it is known.
   */
  unknown_words?: number[];
  /**
   * Words that are in no training text of their language but in the input: the model copied them.
   * Indices into `words`, for output, where it is known.
   */
  copied_words?: number[];
  /** Index of the first token that the model wrote, if the axis holds a prompt and its answer. */
  written?: number;
  /** Seconds of each token, if the tokens are frames of a sound. */
  frame_seconds?: number;
  /** The tokens that a picture was read as, if there is one within the text. */
  patches?: Patches;
}

/** One run of one model. Self-contained: a trace can be drawn and saved without the server. */
export interface Trace extends Output {
  schema: "heed.trace/2";
  model: ModelStamp;
  task: string;
  request: TraceRequest;
  /**
   * The input: tokens, the cells of a picture, the sentences of a story, or the nodes of a graph.
   */
  source: Axis;
  /** The other hypotheses of a beam search, best first. */
  runners_up: Output[];
  timing: Timing;
  /**
   * h, the encoder state of each input token. With one head and no projection, c is their sum
   * weighted by α. Absent with `detail: weights`, and for pictures.
   */
  memory?: Vector[];
  /** The picture under the grid, if the source is a grid, or has patches. */
  picture?: PictureSeen;
  /** The question about the picture or the story; the keys of a map may be its tokens. */
  question?: TokenAxis;
  /** Path of the whole trace on the server, if its maps are `linked`. It is kept for a while. */
  run?: string;
  /**
   * The cosine between the positional embeddings of each two tokens of the input, where a model has
   * learned such embeddings for the patches of a picture.
   */
  positions?: number[][];
  /** The run without edits, if the request has some that change something. */
  baseline?: Baseline;
  /**
   * Words of input and output that a person linked, counted from 0 between spaces: `0-0 2-1`,
   * possible ones `3?1`. No model writes them; a saved trace may have them.
   */
  links?: string;
}

/** The request. Sent again with the id of the model, it gives the same trace. */
export interface TraceRequest {
  /**
   * The input text, the story, or the graph as text; for a picture the question, or the empty
   * string.
   */
  text: string;
  target: string | null;
  search: Search;
  detail: Detail;
  draws?: number;
  /** `all`, if the vectors of self-attention were requested. */
  vectors?: VectorsOf;
  /** The edits of the attention that change something. */
  edits?: Edit[];
  continue_from?: number;
}

/** The maps of other trainings of the attention; the rest of the network is the same. */
export interface Trainings {
  /** Of the map that is audited. */
  strongest: number[];
  /** The rows in which all trainings look at the same word. */
  agreeing: boolean[];
  others: OtherTraining[];
  mechanism?: OtherMechanism;
}

/** A text to translate, and perhaps a target (forced decoding). */
export interface TranslateBody extends EditedOptions {
  /** The input of the model. */
  text: string;
  /**
   * Forced decoding: the model writes this target, and the trace contains its attention and
   * surprise at each token.
   */
  target?: string | null;
}

/** A vector. `summary` has means of neighbouring numbers: at most 32, for a head at most 16. */
export interface Vector {
  size: number;
  norm: number;
  summary: number[];
  /** The complete vector, with `detail: full`. */
  values?: number[];
}

/** A word of a text; positions count Unicode code points, not UTF-16 code units. */
export interface Word {
  text: string;
  start: number;
  end: number;
  /** True for the end-of-sequence token, which is not part of the text. */
  special: boolean;
}

/** A trace whose source is text. */
export type TextTrace = Trace & { source: TokenAxis; target: TokenAxis };

/** A trace whose source is the grid over a picture. */
export type PictureTrace = Trace & { source: GridAxis; target: TokenAxis; picture: PictureSeen };

/** A trace whose source is a story. */
export type StoryTrace = Trace & { source: SentenceAxis; target: HopAxis; question: TokenAxis };

/** A trace whose source is a graph. */
export type GraphTrace = Trace & { source: GraphAxis; target: ClassAxis };

/** A trace of glimpses at a picture. */
export type GlimpseTrace = Trace & { source: GridAxis; target: GlimpseAxis; picture: PictureSeen };
