/** The types of the page. What the server sends is declared in `wire.d.ts`; a growing trace and vectors made here add to it. */

import type {
  Alternative,
  Drawn,
  GridAxis,
  MapKind,
  Model as WireModel,
  Order,
  PictureSeen,
  SavedTrace,
  SearchKind,
  Token,
  TokenAxis,
  Word,
} from "./wire";

export type {
  Alternative,
  Drawn,
  GridAxis,
  MapKind,
  Order,
  PictureSeen,
  SavedTrace,
  SearchKind,
  Token,
  TokenAxis,
  Word,
} from "./wire";

/** A model as the page knows it: without its card. */
export type Model = Omit<WireModel, "card"> & { card?: string };

/** `decoder_input`: the target shifted right: the start token, then all tokens but the last. */
export type AxisName = "source" | "target" | "decoder_input";
export type Units = "words" | "subwords";
export type Scale = "row" | "whole";
/** The axis of the input: the tokens of a text, or the cells of a picture. */
export type AxisKind = "tokens" | "grid";
/** One map made of several heads. */
export type Pool = "mean" | "max" | "rollout";

export interface AttentionMap {
  kind: MapKind;
  layer: number;
  head: number;
  query: AxisName;
  key: AxisName;
  weights: number[][];
  scores: (number | null)[][] | null;
  /** Of one head of several: a query for each row, a key and a value for each column. */
  queries?: Vector[];
  /** Of what was read, runners-up have those of the trace itself; while a trace grows there are none yet. */
  keys?: Vector[];
  values?: Vector[];
}

export interface Vector {
  size: number;
  /** null where the page has made the vector of pictures: they do not tell its length. */
  norm: number | null;
  summary: number[];
  values: number[] | null;
}

export interface Step {
  probability: number;
  surprise: number;
  alternatives: Alternative[];
  query: Vector | null;
  context: Vector | null;
  state: Vector | null;
  /** β: what came of the context is β·c (Xu et al. 2015). */
  gate?: number;
  drawn?: Drawn;
}

export interface Output {
  text: string;
  target: TokenAxis;
  maps: AttentionMap[];
  steps: Step[];
  log_probability: number;
  score: number;
  /** `writing`: it is not finished; only the page itself knows such a trace. */
  finish: "end" | "length" | "forced" | "writing";
}

export interface Trace extends Output {
  schema: string;
  model: { id: string; weights: string; mechanism: string; order: Order };
  task: string;
  request: {
    text: string;
    target: string | null;
    search: {
      kind: SearchKind;
      beam: number;
      seed: number;
      temperature: number;
      length_penalty: number;
    };
    detail: "weights" | "steps" | "full";
    /** How often hard attention was drawn anew, for the map `drawn`. */
    draws?: number;
    /** `all`: those of self-attention, too. */
    vectors?: "cross" | "all";
  };
  source: TokenAxis;
  /** Of a picture there are both, or the first alone. */
  picture?: PictureSeen;
  question?: TokenAxis;
  runners_up: Output[];
  timing: { encode_ms: number; decode_ms: number };
  /** h, what was kept of each token that was read; not with `detail: weights`. */
  memory?: Vector[];
}

/** A map of a picture's trace; its key may be the question as well. */
export type PictureMap = Omit<AttentionMap, "key"> & { key: AxisName | "question" };
export type PictureOutput = Omit<Output, "maps"> & { maps: PictureMap[] };

/** A trace whose source is the grid over a picture. */
export type PictureTrace = Omit<Trace, "source" | "maps" | "runners_up"> &
  PictureOutput & { source: GridAxis; picture: PictureSeen; runners_up: PictureOutput[] };

/** How the weights are laid over the photo. */
export type Style = "heat" | "outline" | "spotlight";

/** Everything a person can set on the page of pictures; all of it stands in the address bar. */
export interface PictureSettings {
  model: string | null;
  /** Name of a sample; `yours` for a photo of one's own, which no address can hold. */
  sample: string | null;
  question: string | null;
  target: string | null;
  search: SearchKind;
  beam: number;
  seed: number;
  temperature: number;
  draws: number;
  /** The piece that is looked at; null: that of the word which looked most sharply. */
  step: number | null;
  part: number | null;
  /** The name of a view. */
  view: string;
  style: Style;
  /** In percent. */
  opacity: number;
  smoothing: number;
  scale: Scale;
  map: MapKind | null;
  layer: number | null;
  head: number | null;
  pool: Pool | null;
  /** Selected cells. */
  cells: number[];
  pick: number;
  speed: number;
  show: string[];
}

/** What the drawing parts of a picture's trace need to know, and nothing of the DOM. */
export interface PictureScene {
  trace: PictureTrace;
  output: PictureOutput;
  model: Model;
  /** A row for each word, or for each piece in the view of a step; the columns are cells. */
  rows: Item[];
  weights: number[][];
  scores: (number | null)[][] | null;
  /** Of the question's words, where one was asked: a row for each row. */
  asked: { words: Item[]; text: string; weights: number[][] } | null;
  row: number;
  parts: number;
  part: number;
  viewName: string;
  style: Style;
  /** Between 0 and 1. */
  opacity: number;
  smoothing: number;
  scale: Scale;
  kinds: MapKind[];
  layers: number[];
  heads: number[];
  pools: Pool[];
  pool: Pool | null;
  picked: AttentionMap | null;
  pick: number;
  cells: number[];
  speed: number;
}

/** The first event of a stream. */
export type StartEvent = Pick<
  Trace,
  "schema" | "model" | "task" | "request" | "source" | "picture" | "question"
>;

/** One step of a stream: everything from position `since` on. */
export interface StepEvent extends Pick<Output, "target" | "maps" | "steps"> {
  index: number;
  since: number;
}

export interface TranslateBody {
  text: string;
  model?: string;
  target?: string;
  vectors?: "all";
  search?: {
    kind: SearchKind;
    beam?: number;
    seed?: number;
    temperature?: number;
    length_penalty?: number;
  };
}

/** Everything a person can set; all of it stands in the address bar. */
export interface Settings {
  model: string | null;
  text: string | null;
  target: string | null;
  search: SearchKind;
  beam: number;
  seed: number;
  temperature: number;
  penalty: number;
  /** Index of the current token on the axis of the rows. */
  step: number;
  /** How far the step is shown in the view that takes it apart; null: to its end. */
  part: number | null;
  units: Units | null;
  scale: Scale;
  /** Whether colours follow the logarithm of the weights. */
  log: boolean;
  /** The name of a view. */
  view: string;
  /** Ids of the models to compare with. */
  with: string[];
  /** The share of each row that the ribbons show, in percent. */
  mass: number;
  map: MapKind | null;
  layer: number | null;
  head: number | null;
  pool: Pool | null;
  /** 0 is the best hypothesis, 1 the first runner-up. */
  pick: number;
  /** Tokens whose rows and columns are selected. */
  rows: number[];
  columns: number[];
  speed: number;
  /** Which panels are open. */
  show: string[];
}

/** One row or column of a view: a token, or a word and the tokens it is made of. */
export interface Item extends Word {
  tokens: number[];
  /** Of a word that is rare in training, or a piece of one. */
  rare?: true;
}

/** A map as it is looked at: in words or in tokens. `weights` is null for a model without attention. */
export interface View {
  rows: Item[];
  columns: Item[];
  rowAxis: AxisName;
  columnAxis: AxisName;
  rowText: string;
  columnText: string;
  weights: number[][] | null;
  scores: (number | null)[][] | null;
}

/** Everything the drawing parts need to know, and nothing of the DOM. */
export interface Scene {
  trace: Trace;
  output: Output;
  model: Model;
  view: View;
  /** Those of the view. */
  rows: Item[];
  row: number;
  units: Units;
  mergeable: boolean;
  scale: Scale;
  log: boolean;
  viewName: string;
  /** Parts that a step is shown in, one after the other, and which is the last one shown. */
  parts: number;
  part: number;
  /** Between 0 and 1. */
  mass: number;
  /** What there is to choose from; `picked` is the one drawn. */
  kinds: MapKind[];
  layers: number[];
  heads: number[];
  pools: Pool[];
  pool: Pool | null;
  picked: AttentionMap | null;
  pick: number;
  /** Selected rows and columns of the view. */
  selection: { rows: number[]; columns: number[] };
  speed: number;
  show: string[];
}

export interface Palette {
  name: "light" | "dark";
  stops: string[];
  /** The other side of a scale of differences. */
  warm: string[];
  ink: string;
  soft: string;
  line: string;
}

export interface CellSize {
  width: number;
  height: number;
}

export interface Figure {
  data: Record<string, unknown>[];
  layout: Record<string, unknown>;
}
