/** The types of the page. The server's are generated, in `wire.d.ts`; those here extend them. */

import type { Address, Setting } from "./address.js";
import type * as Wire from "./wire";
import type {
  ClassAxis,
  Edit,
  GraphAxis,
  GlimpseAxis,
  GridAxis,
  HopAxis,
  MapKind,
  PictureSeen,
  SearchKind,
  SentenceAxis,
  TokenAxis,
  Word,
} from "./wire";

export type {
  Alternative,
  ClassAxis,
  Box,
  Change as StepChange,
  Drawn,
  Edit,
  GraphAxis,
  GraphBody,
  GraphNode,
  GlimpseAxis,
  GlimpseBody,
  GridAxis,
  HopAxis,
  MapKind,
  Order,
  PictureSeen,
  SavedTrace,
  SearchKind,
  SentenceAxis,
  StoryBody,
  Token,
  TokenAxis,
  TranslateBody,
  Word,
} from "./wire";

/** The order of the heads: that of their layers, or by a measure. */
export type HeadOrder = "layer" | "alignment" | "entropy" | "diagonal" | "sink";

/** A presentation; with `guess`, the next word is hidden until it is revealed. */
export type Presenting = "1" | "guess";

/** Attention is being edited, and the map shows its weights; or their difference to those before the edits. */
export type Editing = "1" | "difference";

/** T, where fields of the wire may be null or missing: the page makes some values without them. */
type Nullable<T, K extends keyof T> = Omit<T, K> & { [P in K]?: T[P] | null };

/** A model in the page, with its summary in one line. The model of an imported trace has no card, family, formula or paper. */
export type Model = Omit<Wire.Model, "card" | "family" | "formula" | "paper"> & {
  [K in "card" | "family" | "formula" | "paper"]?: string;
} & { summary: string };

/** `decoder_input`: the target shifted right: the start token, then all tokens but the last. */
export type AxisName = Exclude<Wire.AxisName, "question">;
export type Units = "words" | "subwords";
export type Scale = "row" | "whole";
/** The size of a long map: with all headings, scrolling, or whole, with those that matter in the row. */
export type MapSize = "readable" | "fit";
/** An order of models: as they were chosen, or by a measure, the best or most concentrated first. */
export type ModelOrder = "chosen" | "entropy" | "probability" | "quality";
/**
 * The kinds of a page's traces, each named here alone: a trace, the settings of its page, the
 * names of those that belong to views, and the scene that views draw.
 */
export interface Axes {
  /** A text. */
  tokens: {
    trace: Trace;
    settings: Settings;
    ofViews:
      | "mass"
      | "least"
      | "with"
      | "sort"
      | "minus"
      | "order"
      | "links"
      | "rows"
      | "columns"
      | "size"
      | keyof AuditSettings;
    scene: Scene;
  };
  /** The cells of a picture. */
  grid: {
    trace: PictureTrace;
    settings: PictureSettings;
    ofViews: "style" | "opacity" | "smoothing" | "cells" | keyof AuditSettings;
    scene: PictureScene;
  };
  /** The patches of a picture, which attend to each other. */
  patches: {
    trace: PatchTrace;
    settings: PatchSettings;
    ofViews: "style" | "opacity" | "smoothing" | "rows" | "columns" | "size";
    scene: PatchScene;
  };
  /** The sentences of a story. */
  sentences: {
    trace: StoryTrace;
    settings: StorySettings;
    ofViews: "rows" | "columns" | "size";
    scene: StoryScene;
  };
  /** Glimpses at a picture. */
  glimpses: {
    trace: GlimpseTrace;
    settings: GlimpseSettings;
    ofViews: "rows" | "columns" | "size";
    scene: GlimpseScene;
  };
  /** The nodes of a graph. */
  graph: {
    trace: GraphTrace;
    settings: GraphSettings;
    ofViews: "rows" | "columns" | "size";
    scene: GraphScene;
  };
  /** A sentence that is read word by word. */
  reading: {
    trace: Trace;
    settings: ReadingSettings;
    ofViews: "least" | "rows" | "columns" | "size";
    scene: Scene;
  };
}
export type AxisKind = keyof Axes;
/** The kinds whose map has a heading for each row and column. */
export type MapAxisKind = Exclude<AxisKind, "grid" | "patches">;
/** A trace of any kind. */
export type AnyTrace = Axes[AxisKind]["trace"];

/** Method of merging several heads into one map. */
export type Pool = "mean" | "max" | "rollout";

/** A vector. `norm` is null if the vector is a sum that the page computed from summaries. */
export type Vector = Nullable<Omit<Wire.Vector, "norm">, "values"> & {
  norm: Wire.Vector["norm"] | null;
};

/** A map of a text's trace, or several heads merged into one map, which has no scores. */
export type AttentionMap = Omit<
  Nullable<Wire.AttentionMap, "scores">,
  "query" | "key" | "queries" | "keys" | "values"
> & { query: AxisName; key: AxisName } & {
  [K in "queries" | "keys" | "values"]?: Vector[];
} & {
  /** Path of a map that its answer left out. Until it is loaded, it has no weights. */
  address?: string;
};

/** A map that its answer left out. */
export type LinkedMap = Omit<Wire.LinkedMap, "query" | "key"> & AttentionMap & { address: string };

export type Step = Omit<Wire.Step, "query" | "context" | "state" | "keys" | "values"> & {
  [K in "query" | "context" | "state"]?: Vector | null;
} & { [K in "keys" | "values"]?: Vector[] };

/** A hypothesis, which may be growing: `writing` until it is complete. */
export type Output = Omit<Wire.Output, "target" | "maps" | "linked" | "steps" | "finish"> & {
  target: TokenAxis;
  maps: AttentionMap[];
  steps: Step[];
  finish: Wire.Finish | "writing";
};

/** A trace whose source is text. */
export type Trace = Omit<Wire.TextTrace, keyof Output | "linked" | "runners_up" | "memory"> &
  Output & { runners_up: Output[]; memory?: Vector[] };

/** A map of a picture's trace. Its keys are the cells, the output, or the question. */
export type PictureMap = Omit<AttentionMap, "key"> & { key: Wire.AxisName };
export type PictureOutput = Omit<Output, "maps"> & { maps: PictureMap[] };

/** A trace whose source is the grid over a picture. */
export type PictureTrace = Omit<Trace, "source" | "maps" | "runners_up"> &
  PictureOutput & { source: GridAxis; picture: PictureSeen; runners_up: PictureOutput[] };

/** A trace of a picture whose patches attend to each other; `positions` is the likeness of their positional embeddings, `rollouts` one map for each layer of a large trace. */
export type PatchTrace = PictureTrace & { positions?: number[][]; rollouts?: LinkedMap[] };

/** A trace whose source is a story; its output is an answer, after some hops. */
export type StoryTrace = Omit<Trace, "source" | "target" | "runners_up" | "question"> & {
  source: SentenceAxis;
  target: HopAxis;
  question: TokenAxis;
  runners_up: never[];
};

/** A trace whose source is a graph; its output is a class for each node. */
export type GraphTrace = Omit<Trace, "source" | "target" | "runners_up"> & {
  source: GraphAxis;
  target: ClassAxis;
  runners_up: never[];
};

/** A trace of glimpses at a picture; its output is the digit that is read. */
export type GlimpseTrace = Omit<Trace, "source" | "target" | "runners_up" | "question"> & {
  source: GridAxis;
  target: GlimpseAxis;
  picture: PictureSeen;
  runners_up: never[];
};

/** The style of the map over the photo. */
export type Style = "heat" | "outline" | "spotlight";

/** The settings that the pages of texts, of pictures and of stories have. */
export interface PageSettings {
  model: string | null;
  /** The last part of a step that the view `step` shows; null: all parts. */
  part: number | null;
  /** The name of a view. */
  view: string;
  scale: Scale;
  map: MapKind | null;
  layer: number | null;
  head: number | null;
  pool: Pool | null;
  /** 0 is the best hypothesis, 1 the first runner-up. */
  pick: number;
  speed: number;
  /** Which panels are open. */
  show: string[];
  /** The lesson that the page is a step of, and the step, from 1. */
  lesson: string | null;
  at: number | null;
  /** A lesson of one's own, packed in its link. */
  mine: string | null;
  /** The controls that the page does not show. */
  hide: string[];
  /** In large type, for a projector; null if not. */
  present: Presenting | null;
}

/** The settings of the pages that draw a map of rows and columns. */
export interface MapSettings extends PageSettings {
  /** Whether colours follow the logarithm of the weights. */
  log: boolean;
  /** Tokens, or hops and sentences, whose rows and columns are selected. */
  rows: number[];
  columns: number[];
  /** Of a long map; null: it is fitted if it is larger than its room. */
  size: MapSize | null;
  edits?: readonly Edit[];
  editing?: Editing | null;
}

/** The settings of the page of pictures. The address bar contains all of them. */
export interface PictureSettings extends PageSettings, AuditSettings {
  /** Name of a sample; `yours` for a photo of the user, which no address can contain. */
  sample: string | null;
  question: string | null;
  target: string | null;
  search: SearchKind;
  beam: number;
  seed: number;
  temperature: number;
  draws: number;
  edits: readonly Edit[];
  editing: Editing | null;
  /** The current token; null: that of the word with the sharpest attention. */
  step: number | null;
  style: Style;
  /** In percent. */
  opacity: number;
  smoothing: number;
  /** Selected cells. */
  cells: number[];
}

/** The choices of an audit. */
export interface AuditSettings {
  /** A key in its row, or the word out of the input; of a photo, a cell in every row. */
  take: "edge" | "word";
  removal: "block" | "silence";
  scope: "all" | "one";
  /** True for the outputs that the model writes by itself, instead of forced ones. */
  rewrite: boolean;
  /** The word that a contrast compares with the current one. */
  against: string | null;
}

/** The settings of the page of patches. The address bar contains all of them. */
export interface PatchSettings extends MapSettings {
  /** Name of a sample; `yours` for a photo of the user, which no address can contain. */
  sample: string | null;
  /** The token that looks; null: the class token. */
  step: number | null;
  style: Style;
  /** In percent. */
  opacity: number;
  smoothing: number;
}

/** The settings of the page of stories. The address bar contains all of them. */
export interface StorySettings extends MapSettings {
  story: string | null;
  question: string | null;
  /** The current hop; null: the last. */
  step: number | null;
}

/** The settings of the page of graphs. The address bar contains all of them. */
export interface GraphSettings extends MapSettings {
  /** The graph as text. */
  graph: string | null;
  /** The current node; null: the first whose class had to be found. */
  step: number | null;
}

/** The settings of the page of glimpses. The address bar contains all of them. */
export interface GlimpseSettings extends MapSettings {
  /** The file of the picture as base64, in the alphabet of addresses. */
  picture: string | null;
  /** The current glimpse; null: the last. */
  step: number | null;
}

/** The differences between the pages of single kinds of models, whose requests are JSON. */
export interface PageDescription<A extends MapAxisKind> {
  /** The page is at `/id`, its call at `/api/v1/id`, its modules in `id_page`. */
  id: string;
  kind: ModelKind<A>;
  /** The settings that are requested of the model. The form has a field with the name of each. */
  inputs: Some<string>;
  /** Settings that the page has beside those of a page with a single map, or instead of them. */
  fields?: { [K in keyof Axes[A]["settings"]]?: Setting<any> };
  /** True if its attention can be edited. */
  edited?: boolean;
  /** The inputs in an example of a model; without it, an example is the first input. */
  partsOf?: (example: string) => Record<string, string>;
  /** The text of the button of an example, and its tooltip; without it, the example itself. */
  nameOf?: (example: string) => { text: string; title?: string };
  /** The inputs that a trace answers. */
  inputsOf: (trace: Axes[A]["trace"]) => Record<string, string>;
  /** The description of a model that is not installed, beside its numbers of layers and heads. */
  described?: (trace: Axes[A]["trace"]) => Partial<Model>;
  /** The settings of a position that is kept in the next answer. */
  stays?: (keyof Axes[A]["settings"])[];
  /** False for a model whose rows come all at once. */
  grows?: boolean;
  title: (trace: Axes[A]["trace"]) => string;
  /** The title of a frame in another page; without it, the title and the output. */
  frameTitle?: (trace: Axes[A]["trace"]) => string;
  /** The text in the names of files; without it, the title. */
  fileText?: (trace: Axes[A]["trace"]) => string;
  /** The message about a link that was copied. */
  linked?: string;
  /** The action that leaves a saved trace, and the trace of a file. */
  leave: { saved: string; imported: string };
}

/** A page as data: from it follow the page of a server, a file and the frame of a notebook. */
export interface PageFacts<A extends AxisKind> {
  /** The page is at `/id`, its modules in the folder `id`. */
  id: string;
  kind: A;
  state: Address<Axes[A]["settings"]>;
  sceneOf: (
    trace: Axes[A]["trace"],
    settings: Axes[A]["settings"],
    model: Model,
  ) => Axes[A]["scene"];
  /** The sentence of a row. */
  sentence: (scene: Axes[A]["scene"], row: number) => string;
  /** The settings to show a growing trace with; null where it is not shown yet. */
  whileGrowing: (
    trace: Axes[A]["trace"],
    settings: Axes[A]["settings"],
  ) => Axes[A]["settings"] | null;
  /** The settings that say what is selected. */
  selection: string[];
  /** The key of an answer: equal requests have equal keys. */
  keyOf: (settings: Axes[A]["settings"], model: Model) => string;
  /** Adds what the answers within a file share with its trace. */
  unpack?: (answer: Axes[A]["trace"], main: Axes[A]["trace"]) => Axes[A]["trace"];
  /** The settings that request this trace again. */
  settingsOf: (trace: Axes[A]["trace"]) => Partial<Axes[A]["settings"]>;
  /** The model of a trace: an installed one, or one described by the trace itself. */
  modelOf: (trace: Axes[A]["trace"], models: Model[]) => Model;
  title: (trace: Axes[A]["trace"]) => string;
  /** The title of a frame in another page. */
  frameTitle: (trace: Axes[A]["trace"]) => string;
  /** The notices about a saved trace, and about that of a file. */
  notices: { saved: string; imported: (file: string) => string };
}

/** The page of a single kind of model whose request is JSON. */
export interface ModelPage<A extends MapAxisKind>
  extends PageFacts<A>,
    Required<Omit<PageDescription<A>, "kind">>,
    Pick<ModelKind<A>, "sceneOf" | "arrays"> {
  kind: A;
  /** The path of its call. */
  endpoint: string;
  body: (
    settings: Partial<Axes[A]["settings"]>,
    model: Model,
  ) => Record<string, any> & { model: string };
  /** Returns true if the trace answers this request. */
  answers: (trace: Axes[A]["trace"], request: Record<string, any>) => boolean;
}

/** The settings of the page of sentences that are read word by word. The address bar contains all of them. */
export interface ReadingSettings extends MapSettings {
  text: string | null;
  /** The current word; null: the one that leans farthest back. */
  step: number | null;
  /** The smallest weight that the arcs show, in percent. */
  least: number;
}

/** The maps to choose from; `picked` is the one that is drawn, of one head or of several. */
export interface MapChoices {
  /** How a file draws it; by default as the page does. */
  paper?: PaperChoices;
  kinds: MapKind[];
  layers: number[];
  heads: number[];
  pools: Pool[];
  pool: Pool | null;
  picked: AttentionMap | null;
}

/** The data that views of a picture's trace draw, without the DOM. */
export interface PictureScene extends MapChoices {
  kind: RowKind<any>;
  trace: PictureTrace;
  output: PictureOutput;
  model: Model;
  /** A row for each word; the columns are cells. */
  rows: Item[];
  /** The token of each row that a step shows: of a word in several pieces, one of them. */
  pieces: number[];
  weights: number[][];
  scores: (number | null)[][] | null;
  /** The changes that edits made to the weights, if these are shown instead of them. */
  difference?: number[][] | null;
  /** The attention to the words of the question, if there is one, with the same rows. */
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
  pick: number;
  cells: number[];
  speed: number;
}

/** The first event of a stream. */
export type StartEvent = Pick<Trace, keyof Wire.StartEvent>;

/** One step of a stream: replaces everything from position `since` on. */
export type StepEvent = Omit<Wire.StepEvent, "target" | "maps" | "steps"> &
  Pick<Output, "target" | "maps" | "steps">;

/** The settings of the page of texts. The address bar contains all of them. */
export interface Settings extends MapSettings, AuditSettings {
  text: string | null;
  target: string | null;
  search: SearchKind;
  beam: number;
  seed: number;
  temperature: number;
  penalty: number;
  edits: readonly Edit[];
  editing: Editing | null;
  /** Index of the current token on the axis of the rows. */
  step: number;
  units: Units | null;
  /** Ids of the models to compare with. */
  with: string[];
  /** The order of the compared models. */
  sort: ModelOrder;
  /** Id of the model whose weights are subtracted from those of the others; null to show the weights. */
  minus: string | null;
  /** The share of each row that the ribbons show, in percent. */
  mass: number;
  /** The smallest weight that the arcs show, in percent. */
  least: number;
  /** The order of the heads. */
  order: HeadOrder;
  /** Linked words of input and output, from 0 between spaces: `0-0 2-1`, possible ones `3?1`; null for those of the trace. */
  links: string | null;
}

/** The answer on screen, or on the way there. */
export interface Answer<T> {
  /** `waiting` for a photo's first answer; `growing` while it is written; `stale` and `refused` after an error. */
  phase: "waiting" | "growing" | "ready" | "stale" | "empty" | "refused";
  /** True while an answer that did not come is asked for once more. */
  again?: boolean;
  trace: T | null;
  model: Model | null;
  /** The step from which on it differs from the answer before, whose views and player stay; null for another answer. */
  since: number | null;
  /** The address of a photo that waits for its answer. */
  preview?: string;
  /** The settings of its request, where a server was asked: those of the store may be of the next one. */
  asked?: object;
}

/** The state of a page. `saved` is the id of the saved trace that is shown instead of an answer. */
export interface PageState<S, T> {
  request: Partial<S> & { saved: string | null };
  edits: readonly Edit[];
  view: Partial<S>;
  position: Position;
  answer: Answer<T> | null;
}

export interface Position {
  /** The first token of the row, which all units find again; null: the row that the scene begins at. */
  step: number | null;
  /** The last part of the step that is shown; null: all. */
  part: number | null;
  /** The row and the column under the pointer. */
  row: number | null;
  column: number | null;
}

/** A change of the state: some of the settings, and of what stands beside them. */
export type Change<S, T> = Partial<S> | BesideSettings<T> | (Partial<S> & BesideSettings<T>);

export interface BesideSettings<T> {
  saved?: string | null;
  edits?: readonly Edit[];
  answer?: Answer<T>;
  row?: number | null;
  column?: number | null;
}

/** A change that was dispatched. */
export interface Dispatched<S, T> {
  /** The names of what is no longer the same. */
  changed: ReadonlySet<string>;
  before: PageState<S, T>;
  history: "push" | "replace" | "none";
  /** True if something else is asked, and its answer is not there yet. */
  asks: boolean;
}

/** One row or column of a view: a token, or a word and the tokens it is made of. */
export interface Item extends Word {
  tokens: number[];
  /** Set for a word that was rare in training, or a token of one. */
  rare?: true;
  /** In no training text of the language of the output, nor in the input. */
  madeUp?: true;
  /** Set for a word that a model wrote behind a prompt on the same axis. */
  answer?: true;
  /** Set for a frame of a sound. */
  sound?: true;
}

/** A list that is never empty. */
export type Some<T> = [T, ...T[]];

/** A map as it is shown: in words or in tokens. `weights` is null for a model without attention. */
export interface View {
  rows: Item[];
  columns: Item[];
  rowAxis: AxisName;
  columnAxis: AxisName;
  rowText: string;
  columnText: string;
  weights: number[][] | null;
  scores: (number | null)[][] | null;
  /** The sign of a number of the map, if that isn't α. */
  symbol?: string;
  /** The changes that edits made to the weights, if these are shown instead of them. */
  difference?: number[][] | null;
}

/** The data that views draw, without the DOM. */
export interface Scene extends MapChoices {
  kind: Kind;
  trace: Trace;
  output: Output;
  model: Model;
  view: View;
  /** The rows of `view`. */
  rows: Item[];
  /** The token of each row that a step shows: of a word in several pieces, one of them. */
  pieces: number[];
  row: number;
  units: Units;
  mergeable: boolean;
  scale: Scale;
  log: boolean;
  viewName: string;
  /** The number of parts of a step, and the last one that is shown. */
  parts: number;
  part: number;
  /** Between 0 and 1. */
  mass: number;
  least: number;
  /** Linked words, of the page or saved with the trace, in the format of `Settings.links`. */
  links: string | null;
  pick: number;
  /** Selected rows and columns of the view. */
  selection: { rows: number[]; columns: number[] };
  speed: number;
  show: string[];
}

/** The data that views of a story draw, without the DOM: its rows are hops, its columns sentences. */
export type StoryScene = Omit<Scene, "trace" | "output" | "mass" | "least" | "links" | "pieces"> & {
  trace: StoryTrace;
  output: StoryTrace;
};

/** The data that views of a graph draw, without the DOM: rows and columns are its nodes. */
export type GraphScene = Omit<Scene, "trace" | "output" | "mass" | "least" | "links" | "pieces"> & {
  trace: GraphTrace;
  output: GraphTrace;
};

/** The data that views of glimpses draw, without the DOM: the rows of its map are glimpses, the columns digits, and its numbers beliefs. */
export type GlimpseScene = Omit<
  Scene,
  "trace" | "output" | "mass" | "least" | "links" | "pieces"
> & {
  trace: GlimpseTrace;
  output: GlimpseTrace;
};

/** A text above a drawing, and how many of its characters are shown. */
export interface HeadLine {
  name: string;
  text: string;
  shown: number;
}

export type NetworkKind = "recurrent" | "fixed" | "transformer" | "captioner" | "ask" | "generic";

/** A kind's description of traces that come without their maps. */
export interface LargeKind<T, S> {
  /** Returns true for a trace of this kind. */
  owns(trace: { task: string; source: { kind: string } }): boolean;
  /** The map that settings show. */
  picked(trace: T, output: any, settings: S, model: Model): Pick<MapChoices, "picked" | "pool">;
  /** Further settings whose maps are shown, in the view that compares models. */
  beside?: Partial<S>;
  /** True if the server computes a rollout up to each layer. */
  rollouts?: true;
  /** The offer in place of a file that would be too large. */
  instead: string;
}

/** The names that every kind of model gives its rows and columns. */
export interface RowKind<C extends { trace: any }> {
  name: AxisKind;
  /** The names of a row and of a column. */
  lines(scene: C): { row: string; column: string };
  /** The sentence of a row. */
  sentence(scene: C, row: number): string;
  /** The name of rows and columns together; without it, output and input. */
  spoken?: [string, string];
  /** A number of the map. */
  number: string;
  /** True if its maps are drawn over a photo. */
  photo?: true;
  large?: LargeKind<C["trace"], any>;
  /** The picture of the network that a trace with steps has, where there is one. */
  network?(trace: C["trace"], output: Output): NetworkKind;
  /** The row of a cell of the photo, where cells are rows, too. */
  rowOfCell?(scene: C, cell: number): number;
}

/** The differences between kinds of models whose map has a heading for each row and column. */
export interface Kind<C extends MapScene = MapScene> extends RowKind<C> {
  name: MapAxisKind;
  /** The explanation of its map. */
  mapNote(scene: C): string;
  /** The input in one line. */
  input(scene: C): string;
  /** The texts above a drawing, with the output up to a row. */
  headLines(scene: C, until?: number): HeadLine[];
  /** The caption of the table of all numbers. */
  caption: string;
  /** True if columns have no coverage. */
  uncovered?: true;
  /** How the output was found, where it comes out of a search. */
  decoding?(scene: C): string;
  /** The word for a row in a sentence, where the axes do not give it. */
  rowName?: string;
  /** The pieces that rows and columns are, in a file, where a text can be cut into several kinds. */
  unit?(scene: C): string;
}

/** The scene of a trace of a kind, and its numbers. */
export interface SceneKind<A extends AxisKind> {
  name: A;
  sceneOf(trace: Axes[A]["trace"], settings: Axes[A]["settings"], model: Model): Axes[A]["scene"];
  /** The numbers of a trace as arrays for NumPy. */
  arrays(
    scene: Axes[A]["scene"],
  ): Record<string, { shape: number[]; data: number[] } | { shape: number[]; data: string[] }>;
}

/** A kind of models with a page of its own. */
export interface ModelKind<A extends MapAxisKind> extends Kind<Axes[A]["scene"]>, SceneKind<A> {
  name: A;
}

/** A kind of models that read a photo. */
export interface PhotoKind<A extends "grid" | "patches">
  extends RowKind<Axes[A]["scene"]>,
    Pick<SceneKind<A>, "sceneOf"> {
  name: A;
  photo: true;
  arrays?: SceneKind<A>["arrays"];
}

/** A scene whose steps score keys with a query. */
export type ChainScene = Scene | StoryScene | GraphScene;
/** The data that views of patches draw, without the DOM: rows and columns are the tokens of a picture. */
export type PatchScene = Omit<PictureScene, "trace"> &
  Pick<Scene, "view" | "selection" | "units" | "mergeable" | "log" | "show"> & {
    trace: PatchTrace;
  };

/** A scene whose map has a heading for each row and column. */
export type MapScene = ChainScene | GlimpseScene;

/** The choices for a figure on paper. */
export interface PaperChoices {
  header: boolean;
  numbers: boolean;
  /** Of a map; of a map over a photo. */
  colours: "blue" | "brown" | "grey" | "heat" | "cyan" | "white";
  /** The width; null is that of the drawing, at most that of a page. */
  millimetres: number | null;
}

export interface Palette {
  name: "light" | "dark";
  stops: string[];
  /** The colours of negative differences. */
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
