/** The page of a single kind of model, whose request is JSON: all that follows from its description. */

/** @import {Axes, MapAxisKind, ModelPage} from "../core/types" */
/** @import {OwnParts, PageOf} from "./types" */

import { PASSING, postJson } from "../core/api.js";
import { installedModels } from "./fields.js";
import { ModelForm } from "./model_form.js";
import { startPage } from "./page.js";
import { inlined } from "./preloaded_trace.js";

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
    answer: (settings, model, signal, push, passing) =>
      postJson(
        endpoint,
        body(settings, model),
        signal,
        grows ? push : undefined,
        passing ? PASSING : {},
      ),
    preloaded: (settings, model) => {
      const trace = /** @type {Axes[A]["trace"] | null} */ (inlined());
      return trace && answers(trace, body(settings, model)) ? trace : null;
    },
    ...own,
  });
}
