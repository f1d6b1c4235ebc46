/** The page of a single kind of model: all that follows from its description. */

/** @import {Axes, AxisKind, MapAxisKind, Model, ModelPage, PageFacts} from "../core/types" */
/** @import {OwnParts, PageOf} from "./types" */

import { postJson } from "../core/api.js";
import { IMPORTED_MODEL } from "../core/imported_model.js";
import { installedModels } from "./fields.js";
import { FileDrop } from "./file_drop.js";
import { modelAxis } from "./model_axis.js";
import { ModelForm } from "./model_form.js";
import { inlined } from "./preloaded_trace.js";
import { start } from "./served.js";

/** What a served page has beside its description, and what is usual. @typedef {"axis" | "state" | "modelOf" | "frameTitle" | "notices"} Described @typedef {"models" | "files" | "importedModel" | "adopt" | "title" | "refused"} Usual */

/**
 * Starts a page, with what is usual for those that it does not name.
 * @template {AxisKind} A
 * @param {PageFacts<A>} page @param {OwnParts<A>} parts
 * @param {Omit<PageOf<A>, Described | Usual> & Partial<PageOf<A>>} own
 */
export function startPage(page, parts, own) {
  const { state, modelOf, frameTitle, notices } = page;
  const models = own.models ?? installedModels();
  return start(
    /** @type {PageOf<A>} */ ({
      axis: modelAxis(page, parts),
      state,
      frameTitle,
      notices,
      models,
      files: ({ open }) => void new FileDrop(open),
      modelOf: (/** @type {Axes[A]["trace"]} */ trace) => modelOf(trace, models),
      importedModel: (/** @type {Axes[A]["trace"]} */ trace) => ({
        ...modelOf(trace, models),
        id: IMPORTED_MODEL.id,
      }),
      adopt: (/** @type {Axes[A]["trace"]} */ trace, /** @type {Model} */ model) =>
        model.id === IMPORTED_MODEL.id ? {} : page.settingsOf(trace),
      title: (/** @type {Axes[A]["trace"]} */ trace, /** @type {string | undefined} */ file) =>
        file ?? page.title(trace),
      refused: "empty",
      ...own,
    }),
  );
}

/**
 * Starts a page whose request is JSON. `read` reads a saved trace, `received` changes an answer by the
 * one on screen, `answers` is true if the trace within the page answers a request.
 * @template {MapAxisKind} A
 * @param {ModelPage<A>} page @param {OwnParts<A>} parts
 * @param {Pick<PageOf<A>, "read"> & Partial<PageOf<A>> & {
 *   received?: (trace: Axes[A]["trace"], before: Axes[A]["trace"] | null) => Axes[A]["trace"],
 *   answers?: ModelPage<A>["answers"],
 * }} own
 */
export function startModelPage(page, parts, { answers = page.answers, ...own }) {
  const { endpoint, body, grows } = page;
  const models = installedModels();
  if (!models.length) return;
  void startPage(page, parts, {
    exports: async () => (await import("./model_exports.js")).exportsOf(page),
    form: (submit) => new ModelForm(page, models, submit),
    answer: (settings, model, signal, push) =>
      postJson(endpoint, body(settings, model), signal, grows ? push : undefined),
    preloaded: (settings, model) => {
      const trace = /** @type {Axes[A]["trace"] | null} */ (inlined());
      return trace && answers(trace, body(settings, model)) ? trace : null;
    },
    ...own,
  });
}
