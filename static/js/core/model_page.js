/** Pages of single kinds of models, whose requests are JSON, as data. Pure. */

/** @import {Axes, MapAxisKind, Model, ModelPage, PageDescription} from "./types" */

import { modelOf } from "./imported_model.js";
import { pageOf } from "./page.js";
import { EDIT_FIELDS, pageAddress } from "./page_fields.js";
import { visible } from "./text.js";

/**
 * The page of a single kind of model, such as that of stories: its address, and its request as JSON.
 * @template {MapAxisKind} A @param {PageDescription<A>} description @returns {ModelPage<A>}
 */
export function modelPage(description) {
  const { id, kind, inputs, inputsOf, leave, title } = description;
  const fields = { ...description.fields, ...(description.edited && EDIT_FIELDS) };
  const partsOf = description.partsOf ?? ((example) => ({ [inputs[0]]: example }));

  /** @param {Partial<Axes[A]["settings"]>} settings @param {Model} model */
  const body = (settings, model) => {
    const given = /** @type {Record<string, string | null | undefined>} */ (settings);
    const example = partsOf(model.examples[0] ?? "");
    const sent = inputs.map((name) => [name, given[name] ?? example[name]]);
    const edited = settings.edits?.length && { edits: settings.edits };
    return { ...Object.fromEntries(sent), model: model.id, ...edited };
  };

  return {
    fields: {},
    edited: false,
    stays: [],
    nameOf: (text) => ({ text }),
    described: () => ({}),
    grows: true,
    fileText: title,
    linked: "Link copied.",
    ...description,
    ...pageOf({
      id,
      kind: kind.name,
      state: pageAddress(kind.name, `/${id}`, inputs, fields, description.stays),
      sceneOf: kind.sceneOf,
      keyOf: (settings, model) => JSON.stringify(body(settings, model)),
      settingsOf: (trace) => {
        const edits = description.edited ? (trace.request.edits ?? []) : undefined;
        const asked = { model: trace.model.id, ...inputsOf(trace), ...(edits && { edits }) };
        return /** @type {Partial<Axes[A]["settings"]>} */ (/** @type {unknown} */ (asked));
      },
      modelOf: (trace, models) => modelOf(trace, models, description.described?.(trace)),
      title,
      frameTitle:
        description.frameTitle ?? ((trace) => `${visible(title(trace))} → ${visible(trace.text)}`),
      notices: {
        saved: `This is a saved result. ${leave.saved} to continue.`,
        imported: (file) => `This is the trace in ${file}. ${leave.imported} to return.`,
      },
    }),
    arrays: kind.arrays,
    partsOf,
    endpoint: `/api/v1/${id}`,
    body,
    answers: (trace, request) =>
      trace.model.id === request.model &&
      !request.edits &&
      Object.entries(inputsOf(trace)).every(([name, value]) => value === request[name]),
  };
}
