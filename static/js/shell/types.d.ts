/** The interfaces between the application and its pages. */

import type { ApiError } from "../core/api.js";
import type { Address } from "../core/address.js";
import type {
  Answer,
  AnyTrace,
  Axes,
  AxisKind,
  Edit,
  Editing,
  Item,
  Model,
  Output,
  Palette,
  Pool,
  Presenting,
  MapKind,
} from "../core/types";
import type { How } from "../core/store.js";
import type { View } from "../core/views.js";
import type { Audit } from "../core/wire";
import type { Companions, RowState } from "../views/types";
import type { ExportButtons } from "./export_buttons.js";

declare global {
  interface Window {
    /** Files that were dropped, until they are taken: the script that takes them may arrive later (early_theme.js). */
    dropped?: File[];
  }
}

/** The settings that both pages have. */
export interface BaseSettings {
  model: string | null;
  view: string;
  step: number | null;
  part: number | null;
  pick: number;
  map: MapKind | null;
  layer: number | null;
  head: number | null;
  pool: Pool | null;
  speed: number;
  show: string[];
  present: Presenting | null;
  lesson: string | null;
  at: number | null;
  /** Of a page whose attention can be edited. */
  edits?: readonly Edit[];
  editing?: Editing | null;
  hide: string[];
}

export type BaseTrace = AnyTrace;

export interface BaseScene<T> {
  trace: T;
  output: { steps: unknown[]; finish: Output["finish"] };
  model: Model;
  rows: Item[];
  /** The token of each row that a step shows. */
  pieces?: number[];
  row: number;
  parts: number;
  part: number;
  speed: number;
  viewName: string;
  /** Of the map that is shown, if it has rows and columns. */
  view?: { rowAxis: string };
}

/** The functions of the stage that a part of the page can call. */
export interface PartWiring<S> {
  select: (row: number) => void;
  peek: (row: number | null) => void;
  change: (change: Partial<S>, how?: How) => void;
  /** Makes another request; absent where there is no server. */
  request?: (change: Partial<S>) => void;
}

/** The functions of the page that the stage can call. */
export interface StageWiring<S, T> {
  models: Model[];
  change: (change: Partial<S>, how?: How) => void;
  /** The answer of another model. */
  answer: (settings: S, model: Model, signal: AbortSignal) => Promise<T>;
  /** Makes another request; absent where there is no server. */
  request?: (change: Partial<S>) => void;
  /** The photo of a request, on pages that have one. */
  photo?: (settings: S) => Promise<Blob>;
  /** The audits that a file contains. */
  audits?: Audit[];
}

/** The last complete answer, and the settings that it came with. */
export interface Answered<S, T> {
  answer: Answer<T>;
  settings: S;
  saved: string | null;
}

/** The functions of a host with a server that edits of attention need. */
export interface EditHost<S, T> {
  /** Begins a request, which stops the previous one. */
  begin: () => { signal: AbortSignal; end: () => void };
  last: () => Answered<S, T> | null;
  /**
   * The answer under the edits of the store, and a function that shows it in the place of the last
   * one, or a trace with rows moved since; `passing`: nobody asks for it again.
   */
  answer: (
    signal: AbortSignal,
    passing: boolean,
  ) => Promise<{ trace: T; show: (trace: T) => void }>;
}

/** The host of a page, which brings its traces. */
export interface Host<S, T> extends StageWiring<S, T> {
  /** The views that can be chosen. */
  views: View[];
  /** Brings the answer to what the store asks now; absent where there is no server. */
  ask?: (changed: ReadonlySet<string>) => void;
  /** Calls `draw` once the trace has all that the settings show. */
  complete?: (draw: () => void) => void;
  edits?: EditHost<S, T>;
}

/** A part of the page beside the views, such as the two sentences. */
export interface Part<C, S> {
  draw?(scene: C, how: { settings: S; palette: Palette }): void;
  /** Shows a row, at every step and under the pointer. */
  at?(scene: C, row: number, state: RowState): void;
  /** Shows a selected row. */
  settle?(scene: C, row: number): void;
  /** Moves the focus to a row, in the part whose words are selected with the keyboard. */
  focus?(row: number): void;
  readonly holdsFocus?: boolean;
  readonly rightToLeft?: boolean;
}

/** The functions of a stage for traces whose input has this kind of axis. */
export interface Axis<S, T, C> {
  kind: AxisKind;
  sceneOf: (trace: T, settings: S, model: Model) => C;
  sentence: (scene: C, row: number) => string;
  /** The settings to show a growing trace with; null where it is not shown yet. */
  whileGrowing: (trace: T, settings: S) => S | null;
  /** The settings that say what is selected. */
  selection: string[];
  parts: (wiring: PartWiring<S>) => Part<C, S>[];
}

/** The scene on screen, for the exports. */
export interface Now<S, C> {
  scene: C;
  settings: S;
  companions: Companions | null;
}

/** The exports of a page. */
export interface Exports<S, T, C> {
  link: (settings: S, scene: C) => { text: string; done: string };
  curl: (settings: S, model: Model) => string;
  fileName: (trace: T, extension: string) => string;
  /** The drawings: the id of their buttons (before `-svg` and `-png`), and their view; null is the current one. */
  drawings: { button: string; view: string | null; suffix: string }[];
  /** The animation: its scene and its view. */
  animation: (scene: C) => { scene: C; view: string };
  heat?: () => Promise<(scene: C, row: number) => string>;
  /** The scene in the units that are chosen for files, where there are several. */
  inUnits?: (now: { scene: C; settings: S }) => C;
  /** Buttons that need the request, beside those of both pages. */
  requestButtons: string[];
  /** Buttons of this page alone. */
  more: (buttons: ExportButtons<Now<S, C>>) => void;
  draw?: (scene: C) => void;
  standalone: { page: string; pack: (trace: T) => T };
}

/** The form of a page. */
export interface PageForm<S> {
  readonly model: Model;
  set: (settings: S) => void;
  /** Shows the name of what is on screen instead of the model's. */
  lend: (name: string) => void;
  accept: () => void;
  refuse: (error: ApiError) => HTMLElement;
  notice: (text: string) => void;
}

/** The differences between the pages. */
export interface Page<S extends BaseSettings, T extends BaseTrace, C extends BaseScene<T>> {
  axis: Axis<S, T, C>;
  state: Address<S>;
  models: Model[];
  /** Loads the exports. */
  exports: () => Promise<Exports<S, T, C>>;
  form: (submit: (change: Partial<S>) => void) => PageForm<S>;
  /** Takes files that are chosen, dropped or pasted. */
  files: (wiring: {
    submit: (change: Partial<S>) => void;
    open: (name: string, bytes: Uint8Array<ArrayBuffer>) => Promise<void>;
  }) => void | Promise<void>;
  /** `passing`: nobody asks for the answer again. */
  answer: (
    settings: S,
    model: Model,
    signal: AbortSignal,
    grows?: (trace: T, since: number) => void,
    passing?: boolean,
  ) => Promise<T>;
  /** The photo of a request. */
  photo?: (settings: S) => Promise<Blob>;
  /** The answer that the page contains, if it answers this request. */
  preloaded?: (settings: S, model: Model) => T | null;
  /** The address of the photo to show before its answer; null if it is shown already. */
  preview?: (settings: S, signal: AbortSignal) => Promise<string | null>;
  /** The trace with what the settings show, if it came without its maps; null for other traces. */
  load?: (trace: T, settings: S, model: Model, signal: AbortSignal) => Promise<T> | null;
  /** The trace with the maps that it came without. Throws `ExportRefused` if they are too many. */
  whole?: (trace: T) => Promise<T>;
  read: (bytes: Uint8Array<ArrayBuffer>) => Promise<T>;
  modelOf: (trace: T) => Model;
  /** Changes an answer by the one on screen. */
  received?: (trace: T, before: T | null) => T;
  importedModel: (trace: T, file: string) => Model;
  /** A trace that another page has handed over, as a file. */
  handed?: () => { name: string; bytes: Uint8Array<ArrayBuffer> } | null;
  /** The settings that ask for this trace. */
  asked: (trace: T) => Partial<S>;
  /** The settings that request this trace again. */
  adopt: (trace: T, model: Model) => Partial<S>;
  /** The request for vectors that the trace lacks. */
  refetch?: (
    trace: T,
    settings: S,
    model: Model,
  ) => ((signal: AbortSignal) => Promise<T | null>) | null;
  /** Called after the answer to a request of the user. */
  answered?: (trace: T, settings: S) => void;
  /** Called after an error. Returns true where the last answer is to be shown again. */
  failed?: (error: ApiError, place: HTMLElement) => boolean;
  /** The change of settings that cannot be requested. */
  instead?: (settings: S) => { change: Partial<S>; notice: string } | null;
  title: (trace: T, file?: string) => string;
  frameTitle: (trace: T) => string;
  /** The state of the stage after an error, if nothing was shown before. */
  refused: "empty" | "refused";
  notices: { saved: string; imported: (file: string) => string };
}

/** The parts that a page shows beside the views. */
export interface OwnParts<A extends AxisKind> {
  /** The explanation of the view. */
  note: (scene: Axes[A]["scene"]) => string;
  /** Words of the notes that explain themselves, with the terms that they are. */
  terms: Record<string, string>;
  /** True if the note of a view depends on the row. */
  noteByRow?: boolean;
  /** The id of the element of that note. */
  noteAt?: string;
  of: (wiring: PartWiring<Axes[A]["settings"]>) => Part<Axes[A]["scene"], Axes[A]["settings"]>[];
}

/** The page of texts, of pictures, … by its kind of axis. */
export type PageOf<A extends AxisKind> = Page<
  Axes[A]["settings"],
  Axes[A]["trace"],
  Axes[A]["scene"]
>;

/** The kinds of pages whose input is a photo. */
export type PhotoKind = "grid" | "patches";

/** The form of a page whose input is a photo. */
export interface PhotoForm<A extends PhotoKind> extends PageForm<Axes[A]["settings"]> {
  submit: (change: Partial<Axes[A]["settings"]>) => void;
  /** Shows the user's own photo beside the samples. */
  offerOwn: (copy: string) => void;
}

/** The path and the fields of a call, without the photo, and whether its answer grows. */
export interface PhotoRequest {
  path: string;
  fields: [string, string][];
  grows: boolean;
}

/** The members of a page of photos beside its description. */
export interface PhotoPage<A extends PhotoKind> extends Pick<PageOf<A>, "models" | "read"> {
  form: (submit: (change: Partial<Axes[A]["settings"]>) => void) => PhotoForm<A>;
  /** Loads the exports, which need the name of the photo's file. */
  exports: () => Promise<
    (
      photoName: (settings: Axes[A]["settings"]) => string,
    ) => Exports<Axes[A]["settings"], Axes[A]["trace"], Axes[A]["scene"]>
  >;
  request: (settings: Axes[A]["settings"], model: Model) => PhotoRequest;
  /** The request for vectors that a trace lacks, and the trace with them; null if there are none. */
  missing?: (
    trace: Axes[A]["trace"],
    settings: Axes[A]["settings"],
    model: Model,
  ) => {
    request: PhotoRequest;
    join: (found: Axes[A]["trace"]) => Axes[A]["trace"] | null;
  } | null;
  /** The settings that the user's own photo resets. */
  anew?: Partial<Axes[A]["settings"]>;
}
