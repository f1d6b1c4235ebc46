/** A served page: what follows from its description. */

/** @import {Axes, AxisKind, Model, PageFacts} from "../core/types" */
/** @import {OwnParts, PageOf} from "./types" */

import { IMPORTED_MODEL } from "../core/imported_model.js";
import { painted } from "../draw/dom.js";
import { installedModels } from "./fields.js";
import { modelAxis } from "./model_axis.js";
import { start } from "./served.js";

/** The members of a served page beside its description, and the usual ones. @typedef {"axis" | "state" | "modelOf" | "frameTitle" | "notices"} Described @typedef {"models" | "files" | "importedModel" | "adopt" | "asked" | "title" | "refused"} Usual */

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
      files: async ({ open }) => {
        await painted();
        const { FileDrop } = await import("./file_drop.js");
        new FileDrop(open);
      },
      modelOf: (/** @type {Axes[A]["trace"]} */ trace) => modelOf(trace, models),
      importedModel: (/** @type {Axes[A]["trace"]} */ trace) => ({
        ...modelOf(trace, models),
        id: IMPORTED_MODEL.id,
      }),
      adopt: (/** @type {Axes[A]["trace"]} */ trace, /** @type {Model} */ model) =>
        model.id === IMPORTED_MODEL.id ? {} : page.settingsOf(trace),
      asked: (/** @type {Axes[A]["trace"]} */ trace) => page.settingsOf(trace),
      title: (/** @type {Axes[A]["trace"]} */ trace, /** @type {string | undefined} */ file) =>
        file ?? page.title(trace),
      refused: "empty",
      ...own,
    }),
  );
}
