/**
 * A page without a server: a trace in the same views. It runs in a standalone file, which contains
 * the trace, and in a frame of a notebook, which sends it.
 */

/** @import {Model} from "../core/types" */
/** @import {BaseScene, BaseSettings, BaseTrace, Exports, Page} from "./types" */
/** @import {Position} from "./host.js" */

import { ApiError } from "../core/api.js";
import { viewsOf } from "../core/views.js";
import { box } from "../draw/dom.js";
import { Host, received } from "./host.js";
import { Panels } from "./panels.js";
import { Share } from "./share.js";
import { Stage } from "./stage.js";
import { watchTheme } from "../draw/theme.js";
import { onResize } from "../draw/scrolling.js";

/**
 * The contents of a standalone file.
 * @template T
 * @typedef {object} Contents
 * @property {string} query the settings, as an address has them
 * @property {T} trace @property {Model[]} models that of the trace first
 * @property {[string, T][]} answers the answers of other models by their keys
 */

/**
 * @template {BaseSettings} S @template {BaseTrace} T @template {BaseScene<T>} C
 * @typedef {Pick<Page<S, T, C>, "axis" | "state"> & {exports: Exports<S, T, C>}} StandalonePage
 */

/**
 * @template {BaseSettings} S @template {BaseTrace} T @template {BaseScene<T>} C
 * @param {StandalonePage<S, T, C>} page
 * @param {(settings: S, model: Model) => string} keyOf the key of an answer
 * @param {(trace: T, main: T) => T} [unpack] adds what the answers share with the trace of the file
 */
export async function startStandalone(page, keyOf, unpack) {
  if (document.getElementById("taken"))
    return void run(page, JSON.parse(box("taken").textContent ?? ""), keyOf, unpack);
  const { contents, position, theme } = await received();
  if (theme) document.documentElement.dataset.theme = theme;
  const { show, watch } = await run(page, /** @type {Contents<T>} */ (contents), keyOf, unpack);
  const host = new Host(show);
  show(position);
  watch((position) => host.tell(position));
}

/**
 * Shows the contents. Returns how to show another position, and how to learn of one.
 * @template {BaseSettings} S @template {BaseTrace} T @template {BaseScene<T>} C
 * @param {StandalonePage<S, T, C>} page @param {Contents<T>} contents
 * @param {(settings: S, model: Model) => string} keyOf
 * @param {(trace: T, main: T) => T} [unpack]
 */
async function run({ axis, state, exports }, contents, keyOf, unpack = (trace) => trace) {
  const answers = new Map(contents.answers);
  let settings = state.fromQuery(contents.query);
  const views = viewsOf(axis.kind).filter(({ models }) => !models || contents.models.length > 1);
  /** @type {(position: Position) => void} */
  let moved = () => {};
  const tell = () => stage.scene && moved(positionOf(stage.scene));
  const remember = (/** @type {Partial<S>} */ change) => {
    settings = { ...settings, ...change };
    tell();
  };
  const redraw = () => {
    stage.redraw(settings);
    tell();
  };
  /** @type {Stage<S, T, C>} */
  const stage = new Stage(axis, views, {
    models: contents.models,
    change: (change) => {
      settings = { ...settings, ...change };
      redraw();
    },
    remember,
    answer: async (settings, model) => {
      const trace = answers.get(keyOf(settings, model));
      if (!trace)
        throw new ApiError(
          "not_here",
          "This file does not contain the output of this model.",
          null,
        );
      return unpack(trace, contents.trace);
    },
  });
  const panels = new Panels((show) => remember(/** @type {Partial<S>} */ ({ show })));
  const now = () => stage.scene && { scene: stage.scene, settings, companions: stage.companions };
  const share = new Share(axis.kind, state, exports, now, { served: false });
  watchTheme(redraw);
  addEventListener("resize", onResize(redraw));
  panels.set(settings.show);
  await Promise.all(views.map(({ name }) => stage.load(name)));
  stage.show(contents.trace, settings, contents.models[0]);
  const shown = now();
  if (shown) share.draw(shown);
  box("stage").setAttribute("aria-busy", "false");
  (await import("./explanations.js")).explainTerms();
  return {
    show: (/** @type {Position} */ position) => {
      settings = { ...settings, ...settingsOf(position) };
      redraw();
    },
    watch: (/** @type {(position: Position) => void} */ call) => {
      moved = call;
      tell();
    },
  };
}

/** @param {Position} position what is null stays as it is chosen for the trace */
const settingsOf = ({ row, kind, layer, head }) => ({
  ...(row === null ? {} : { step: row, part: null }),
  ...(kind === null ? {} : { map: kind }),
  ...(layer === null ? {} : { layer }),
  ...(head === null ? {} : { head, pool: null }),
});

/**
 * @param {BaseScene<BaseTrace> & {picked?: {kind: string, layer: number, head: number} | null, pool?: unknown}} scene
 * @returns {Position}
 */
const positionOf = ({ rows, row, picked, pool }) => ({
  row: rows[row]?.tokens[0] ?? null,
  kind: picked?.kind ?? null,
  layer: picked?.layer ?? null,
  head: pool ? null : (picked?.head ?? null),
});
