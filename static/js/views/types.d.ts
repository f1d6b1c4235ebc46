/** What a view is made of. A view is a folder here and a line in `registry.js`. */

import type { Setting } from "../core/address.js";
import type { Sheet } from "../export/svg/sheet.js";
import type { Measure } from "../export/svg/type.js";
import type { Moment } from "../export/gif/frames.js";
import type { Model, Palette, PictureSettings, Settings, PictureTrace, Trace } from "../core/types";

export type ViewNote<C> = (scene: C) => string;

/** What a view can do to the page. */
export interface ViewWiring<S, T> {
  /** Its own element. */
  place: HTMLElement;
  models: Model[];
  /** Goes to a row. */
  select: (row: number) => void;
  /** Shows a row while the pointer is on it; null goes back to the selected one. */
  peek: (row: number | null) => void;
  /** Changes settings and draws again. */
  change: (change: Partial<S>) => void;
  /** The answer of another model to the same input. */
  ask: (settings: S, model: Model, signal: AbortSignal) => Promise<T>;
}

/** How the row is shown now. */
export interface RowState {
  /** The last part of the step that is shown. */
  part: number;
  /** Whether the player runs, so that what follows is not written yet. */
  playing: boolean;
  peeking: boolean;
  /** Whether the row was selected and nothing moves. */
  settled: boolean;
}

/** The answers of other models on screen, for the exports. */
export interface Companions<T = Trace | PictureTrace, Drawn = unknown> {
  models: Model[];
  /** The traces by the key that `ask` finds them under in a standalone file. */
  known: [string, T][];
  /** What the drawing on paper needs; null until all have answered. */
  drawn: Drawn | null;
}

/** A view on the page. */
export interface Drawing<C, S> {
  draw(scene: C, how: { settings: S; palette: Palette }): void;
  /** Shows a row of the scene. */
  at?(row: number, state: RowState): void;
  /** Another trace follows. */
  forget?(): void;
  /** Shows a photo whose trace is still to come. */
  preview?(url: string): void;
  readonly companions?: Companions;
}

export interface DrawingModule<C, S, T> {
  View: new (wiring: ViewWiring<S, T>) => Drawing<C, S>;
}

export interface SvgHow {
  measure: Measure;
  companions: Companions | null;
  /** Of an animation; null draws everything. */
  moment: Moment | null;
  /** The map of a row over a photo, as a `data:` address. */
  heat: (row: number) => string;
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
export interface ViewSettings {
  tokens: { [K in "mass" | "with" | "rows" | "columns"]: Setting<Settings[K]> };
  grid: { [K in "style" | "opacity" | "smoothing" | "cells"]: Setting<PictureSettings[K]> };
}
