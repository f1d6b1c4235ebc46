/** The parts of a view. A view is a folder here, and an entry in `core/views.js`, `core/view_notes.js` and `loaders.js`. */

import type { Setting } from "../core/address.js";
import type { How } from "../core/store.js";
import type { Audit } from "../core/wire";
import type { Sheet } from "../draw/paper/sheet.js";
import type { Measure } from "../draw/type.js";
import type { Moment } from "../export/gif/frames.js";
import type { NetworkFold } from "./network/fold.js";
import type {
  AnyTrace,
  Axes,
  AxisKind,
  GridAxis,
  Model,
  Palette,
  PictureScene,
  Scene,
  View as MapView,
} from "../core/types";

export type ViewNote<C> = (scene: C) => string;

/** The choices made in a trace, which a view may not fit. */
export interface Choice {
  heads: unknown[];
  layers: unknown[];
  /** The map that is drawn. */
  picked?: { query: string; key: string } | null;
  trace?: { source: { kind: string; patches?: unknown } };
}

/** The functions of the page that a view can call. */
export interface ViewWiring<S, T> {
  /** Its own element. */
  place: HTMLElement;
  models: Model[];
  /** Goes to a row. */
  select: (row: number) => void;
  /** Shows a row while the pointer is on it; null goes back to the selected one. */
  peek: (row: number | null) => void;
  /** Changes settings and draws again. */
  change: (change: Partial<S>, how?: How) => void;
  /** Takes the trace with a part of it moved, such as a node of a graph. */
  replace: (trace: T) => void;
  /** The answer of another model to the same input. */
  answer: (settings: S, model: Model, signal: AbortSignal) => Promise<T>;
  /** Makes another request; absent where there is no server. */
  request?: (change: Partial<S>) => void;
  /** The photo of a request; absent where no server asks for one. */
  photo?: (settings: S) => Promise<Blob>;
  /** The audits that a file contains. */
  audits?: Audit[];
  /** The numbers of a row, where the same view draws several kinds. */
  model?: ModelModule;
  beside?: typeof NetworkFold;
}

/** A cell of a map. */
export interface Cell {
  row: number;
  column: number;
}

/** The edits that the controls of a view make. */
export interface CellEditor {
  /** The cell that is chosen. */
  readonly cell: Cell;
  weightOf: (cell: Cell) => number;
  choose: (cell: Cell) => void;
  /** Sets a weight while it is dragged. */
  set: (cell: Cell, weight: number) => void;
  /** Brushes cells of the photo, those of one stroke so far. */
  brush: (cells: number[]) => void;
  /** Takes a drag, or a stroke of the brush, back. */
  drop: () => void;
  /** Ends a drag. */
  settle: () => void;
  /** Blocks a cell, or takes the block off. */
  block: (cell: Cell) => void;
  /** Blocks a column in all rows, or takes the block off. */
  blockColumn: (column: number) => void;
  /** Makes a row uniform, or takes that off. */
  uniform: (row: number) => void;
  /** Lets a head count nothing, or takes that off. */
  silence: (layer: number, head: number) => void;
  /** Gives a row of a model's map to a row of another's; false if it does not fit. */
  give: (from: ShownRow, to: ShownRow, models: string[]) => boolean;
  /** Says what was done. */
  say: (text: string) => void;
}

/** A row of the map of one of several models. */
export type ShownRow = { scene: Scene | PictureScene; row: number };

/** The map that is edited. */
export type EditedView = Pick<MapView, "rows" | "columns" | "columnText"> & {
  /** The photo whose cells are the columns, and those that are brushed or blocked in the row. */
  photo?: {
    source: GridAxis;
    picture: { width: number; height: number };
    keys: number[];
    blocked: number[];
  };
};

/** The controls of a view with which its map is edited. */
export interface EditControls {
  /** Shows the map, and the cell that is chosen. */
  draw(view: EditedView, cell: Cell): void;
  end(): void;
}

export interface EditModule {
  Edit: new (editor: CellEditor, place: HTMLElement) => EditControls;
}

/** The numbers of a row of one kind, part by part. */
export interface ModelModule {
  stepOf(scene: any, row: number): any;
}

/** The state of the current row. */
export interface RowState {
  /** The last part of the step that is shown. */
  part: number;
  /** True while the words after the row are hidden: they are still to be played, computed or guessed. */
  playing: boolean;
  /** False while the row itself is still to be computed or guessed. */
  known: boolean;
  peeking: boolean;
  /** True if the row was selected and nothing moves. */
  settled: boolean;
  /** The milliseconds of a part while rows are computed part by part; null if the row is shown whole. */
  pace: number | null;
}

/** The knowledge of a row once a part that is not its last has been computed. */
export interface Known {
  /** The sentence of the part. */
  says: string;
  /** True if the weights are known. */
  attended: boolean;
}

/** The answers of other models on screen, for the exports. */
export interface Companions<T = AnyTrace, Drawn = unknown> {
  models: Model[];
  /** The traces with the keys that `answer` uses in a standalone file. */
  answers: [string, T][];
  /** The data that the SVG needs; null until all have answered. */
  drawn: Drawn | null;
}

/** A view on the page. */
export interface Drawing<C, S> {
  draw(scene: C, how: { settings: S; palette: Palette }): void;
  /** Shows a row of the scene. */
  at?(row: number, state: RowState): void;
  /** The knowledge after a part, in a view of parts. */
  known?(row: number, part: number): Known;
  /** Shows the current part at an instant: a share of its time. */
  scrub?(share: number): void;
  /** Removes the current trace. */
  forget?(): void;
  /** Shows a photo before its trace has arrived. */
  preview?(url: string): void;
  readonly companions?: Companions;
}

export interface DrawingModule<C, S, T> {
  View: new (wiring: ViewWiring<S, T>) => Drawing<C, S>;
}

export interface SvgHow {
  measure: Measure;
  companions: Companions | null;
  /** The moment of an animation; null draws everything. */
  moment: Moment | null;
  model?: ModelModule;
  /** The map of a row over a photo, as a `data:` address; of another scene, if there is one. */
  heat: (row: number, scene?: PictureScene) => string;
}

export interface SvgModule<C> {
  draw: (scene: C, how: SvgHow) => Sheet;
}

/** A setting with a value of any type. */
export interface ViewSetting {
  read: (raw: string) => unknown;
  write: (value: never) => string | null;
  default: unknown;
}

/** The settings that belong to views, by the kind of axis. */
export type ViewSettings = {
  [A in AxisKind]: { [K in ViewField<A>]: Setting<Axes[A]["settings"][K]> };
};

type ViewField<A extends AxisKind> = Axes[A]["ofViews"] & keyof Axes[A]["settings"];

/** The modules that draw a view on the page, by the kind of axis. */
export type DrawingModules = {
  [A in AxisKind]?: () => Promise<
    DrawingModule<Axes[A]["scene"], Axes[A]["settings"], Axes[A]["trace"]>
  >;
} & { others?: () => Promise<DrawingModule<any, any, any>> };

/** The modules that draw a view as SVG, by the kind of axis. */
export type SvgModules = { [A in AxisKind]?: () => Promise<SvgModule<Axes[A]["scene"]>> } & {
  others?: () => Promise<SvgModule<any>>;
};

/** The numbers behind a view, by the kind of axis. */
export type ModelModules = { [A in AxisKind]?: () => Promise<ModelModule> };

/** The modules with which the map of a view is edited, by the kind of axis. */
export type EditModules = { [A in AxisKind]?: () => Promise<EditModule> } & {
  others?: () => Promise<EditModule>;
};

/** The parts beside a view, by the kind of axis. */
export type BesideModules = {
  [A in AxisKind]?: () => Promise<{ NetworkFold: typeof NetworkFold }>;
};

/** The explanations of a view in one line, by the kind of axis. */
export type ViewNotes = { [A in AxisKind]?: ViewNote<Axes[A]["scene"]> } & {
  others?: ViewNote<any>;
};
