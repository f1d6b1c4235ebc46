/** The page of a single kind of model: all that follows from its description. */

/** @import {Axes, MapAxisKind, ModelPage} from "../core/types" */
/** @import {OwnParts, PageOf} from "./types" */

import { postJson } from "../core/api.js";
import { IMPORTED_MODEL } from "../core/imported_model.js";
import { FileDrop } from "./file_drop.js";
import { installedModels } from "./fields.js";
import { modelAxis } from "./model_axis.js";
import { ModelForm } from "./model_form.js";
import { inlined } from "./preloaded_trace.js";
import { start } from "./served.js";

/**
 * Starts a page. `read` reads a saved trace, `received` changes every trace of a model, `answers` is
 * true if the trace within the page answers a request.
 * @template {MapAxisKind} A
 * @param {ModelPage<A>} page @param {OwnParts<A>} parts
 * @param {Pick<PageOf<A>, "read"> & Partial<PageOf<A>> & {
 *   received?: (trace: Axes[A]["trace"]) => Axes[A]["trace"],
 *   answers?: ModelPage<A>["answers"],
 * }} own
 */
export function startModelPage(
  page,
  parts,
  { received = (trace) => trace, answers = page.answers, ...own },
) {
  const { endpoint, body, grows, leave, modelOf, settingsOf } = page;
  const models = installedModels();
  /** @type {PageOf<A>} */
  const made = {
    axis: modelAxis(page, parts),
    state: page.state,
    models,
    exports: async () => (await import("./model_exports.js")).exportsOf(page),
    form: (submit) => new ModelForm(page, models, submit),
    files: ({ open }) => void new FileDrop(open),
    answer: async (settings, model, signal, push) =>
      received(await postJson(endpoint, body(settings, model), signal, grows ? push : undefined)),
    preloaded: (settings, model) => {
      const trace = /** @type {Axes[A]["trace"] | null} */ (inlined());
      return trace && answers(trace, body(settings, model)) ? received(trace) : null;
    },
    modelOf: (trace) => modelOf(trace, models),
    importedModel: (trace) => ({ ...modelOf(trace, models), id: IMPORTED_MODEL.id }),
    adopt: (trace, model) => (model.id === IMPORTED_MODEL.id ? {} : settingsOf(received(trace))),
    title: (trace, file) => file ?? page.title(trace),
    frameTitle: page.frameTitle,
    refused: "empty",
    notices: {
      saved: `This is a saved result. ${leave.saved} to continue.`,
      imported: (file) => `This is the trace in ${file}. ${leave.imported} to return.`,
    },
    ...own,
  };
  if (models.length) start(made);
}
