/**
 * A page without a server: a trace in the same views. It runs in a standalone file, which contains
 * the trace, and in a frame of a notebook, which sends it and shares the position with Python.
 */

/** @import {Axes, AxisKind, Model, PageFacts} from "../core/types" */
/** @import {Audit} from "../core/wire" */
/** @import {Exports, OwnParts} from "./types" */

import { ApiError } from "../core/api.js";
import { Store } from "../core/store.js";
import { viewsOf } from "../core/views.js";
import { box } from "../draw/dom.js";
import { Application } from "./application.js";
import { received, sharePosition } from "./host.js";
import { modelAxis } from "./model_axis.js";
import { Share } from "./share.js";

/**
 * The contents of a standalone file.
 * @template T
 * @typedef {object} Contents
 * @property {string} query the settings, as an address has them
 * @property {T} trace @property {Model[]} models that of the trace first
 * @property {[string, T][]} answers the answers of other models by their keys
 * @property {Audit[]} [figures] the audits of the trace
 */

/**
 * @template {AxisKind} A
 * @param {PageFacts<A>} page @param {OwnParts<A>} parts
 * @param {Exports<Axes[A]["settings"], Axes[A]["trace"], Axes[A]["scene"]>} exports
 */
export async function startStandalone(page, parts, exports) {
  if (document.getElementById("taken"))
    return void run(page, parts, exports, JSON.parse(box("taken").textContent ?? ""));
  const given = await received();
  if (given.theme) document.documentElement.dataset.theme = given.theme;
  const taken = /** @type {Contents<Axes[A]["trace"]>} */ (given.contents);
  const application = await run(page, parts, exports, taken);
  given.end();
  sharePosition(application, given.position);
}

/**
 * Shows the contents.
 * @template {AxisKind} A
 * @param {PageFacts<A>} page @param {OwnParts<A>} parts
 * @param {Exports<Axes[A]["settings"], Axes[A]["trace"], Axes[A]["scene"]>} exports
 * @param {Contents<Axes[A]["trace"]>} contents
 */
async function run(page, parts, exports, contents) {
  const { kind, state, keyOf, unpack = (trace) => trace } = page;
  const answers = new Map(contents.answers);
  const [model] = contents.models;
  const views = viewsOf(kind).filter(({ models }) => !models || contents.models.length > 1);
  /** @type {Store<Axes[A]["settings"], Axes[A]["trace"]>} */
  const store = new Store(state, state.fromQuery(contents.query));
  /** @type {Application<Axes[A]["settings"], Axes[A]["trace"], Axes[A]["scene"]>} */
  const application = new Application(modelAxis(page, parts), store, {
    views,
    models: contents.models,
    audits: contents.figures,
    change: (change, how) => store.dispatch(change, how),
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
  application.share = new Share(kind, state, exports, application.now, {
    served: false,
    whole: (trace) => application.linked(trace),
  });
  await Promise.all(views.map(({ name }) => application.stage.load(name)));
  if (model) {
    const phase = /** @type {const} */ ("ready");
    const answer = { phase, trace: contents.trace, model, since: null };
    store.dispatch({ answer }, { history: "none" });
  }
  box("stage").setAttribute("aria-busy", "false");
  (await import("./explanations.js")).explainTerms();
  return application;
}
