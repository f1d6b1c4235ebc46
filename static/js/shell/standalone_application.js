/**
 * A page without a server: a trace in the same views. It runs in a standalone file, which contains
 * the trace, and in a frame of a notebook, which sends it and shares the position with Python.
 */

/** @import {Model} from "../core/types" */
/** @import {BaseScene, BaseSettings, BaseTrace, Exports, Page} from "./types" */

import { ApiError } from "../core/api.js";
import { Store } from "../core/store.js";
import { viewsOf } from "../core/views.js";
import { box } from "../draw/dom.js";
import { Application } from "./application.js";
import { received, sharePosition } from "./host.js";
import { Share } from "./share.js";

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
  const made = await run(page, /** @type {Contents<T>} */ (contents), keyOf, unpack);
  sharePosition(made, position);
}

/**
 * Shows the contents.
 * @template {BaseSettings} S @template {BaseTrace} T @template {BaseScene<T>} C
 * @param {StandalonePage<S, T, C>} page @param {Contents<T>} contents
 * @param {(settings: S, model: Model) => string} keyOf
 * @param {(trace: T, main: T) => T} [unpack]
 */
async function run({ axis, state, exports }, contents, keyOf, unpack = (trace) => trace) {
  const answers = new Map(contents.answers);
  const [model] = contents.models;
  const views = viewsOf(axis.kind).filter(({ models }) => !models || contents.models.length > 1);
  /** @type {Store<S, T>} */
  const store = new Store(state, state.fromQuery(contents.query));
  /** @type {Application<S, T, C>} */
  const application = new Application(axis, store, {
    views,
    models: contents.models,
    change: (change) => store.dispatch(change),
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
  application.share = new Share(axis.kind, state, exports, application.now, { served: false });
  await Promise.all(views.map(({ name }) => application.stage.load(name)));
  const answer = {
    phase: /** @type {const} */ ("ready"),
    trace: contents.trace,
    model,
    since: null,
  };
  store.dispatch({ answer }, { history: "none" });
  box("stage").setAttribute("aria-busy", "false");
  (await import("./explanations.js")).explainTerms();
  return application;
}
