/** A page without a server: a saved trace in the same views. It runs in a standalone file. */

/** @import {Model} from "../core/types" */
/** @import {BaseScene, BaseSettings, BaseTrace, Exports, Page} from "./types" */

import { ApiError } from "../core/api.js";
import { viewsOf } from "../views/registry.js";
import { box } from "./dom.js";
import { Panels } from "./panels.js";
import { Share } from "./share.js";
import { Stage } from "./stage.js";
import { watchTheme } from "./theme.js";
import { onResize } from "./scrolling.js";

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
 * @param {Pick<Page<S, T, C>, "axis" | "state"> & {exports: Exports<S, T, C>}} page
 * @param {(settings: S, model: Model) => string} keyOf the key of an answer
 * @param {(trace: T, main: T) => T} [unpack] adds what the answers share with the trace of the file
 */
export async function startStandalone({ axis, state, exports }, keyOf, unpack = (trace) => trace) {
  /** @type {Contents<T>} */
  const contents = JSON.parse(box("taken").textContent ?? "");
  const answers = new Map(contents.answers);
  let settings = state.fromQuery(contents.query);
  const views = viewsOf(axis.kind).filter(({ models }) => !models || contents.models.length > 1);
  const remember = (/** @type {Partial<S>} */ change) =>
    void (settings = { ...settings, ...change });
  const redraw = () => stage.redraw(settings);
  /** @type {Stage<S, T, C>} */
  const stage = new Stage(axis, views, {
    models: contents.models,
    change: (change) => {
      remember(change);
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
}
