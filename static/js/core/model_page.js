/**
 * The page of a single kind of model, such as that of stories: its address, and its request as JSON.
 * All follows from a description, which names what differs between these pages. Pure.
 */

/** @import {Axes, MapAxisKind, Model, ModelPage, PageDescription} from "./types" */

import { modelOf } from "./imported_model.js";
import { pageAddress } from "./page_fields.js";
import { visible } from "./text.js";

/** @template {MapAxisKind} A @param {PageDescription<A>} description @returns {ModelPage<A>} */
export function modelPage(description) {
  const { id, kind, inputs, inputsOf, title } = description;
  const partsOf = description.partsOf ?? ((example) => ({ [inputs[0]]: example }));

  /** @param {Partial<Axes[A]["settings"]>} settings @param {Model} model */
  const body = (settings, model) => {
    const given = /** @type {Record<string, string | null | undefined>} */ (settings);
    const example = partsOf(model.examples[0] ?? "");
    const sent = inputs.map((name) => [name, given[name] ?? example[name]]);
    return { ...Object.fromEntries(sent), model: model.id };
  };

  return {
    fields: {},
    stays: [],
    nameOf: (text) => ({ text }),
    described: () => ({}),
    grows: true,
    frameTitle: (trace) => `${visible(title(trace))} → ${visible(trace.text)}`,
    fileText: title,
    linked: "Link copied.",
    ...description,
    kind: kind.name,
    sceneOf: kind.sceneOf,
    arrays: kind.arrays,
    partsOf,
    state: pageAddress(kind.name, `/${id}`, inputs, description.fields, description.stays),
    endpoint: `/api/v1/${id}`,
    body,
    keyOf: (settings, model) => JSON.stringify(body(settings, model)),
    settingsOf: (trace) =>
      /** @type {Partial<Axes[A]["settings"]>} */ ({ model: trace.model.id, ...inputsOf(trace) }),
    answers: (trace, request) =>
      trace.model.id === request.model &&
      Object.entries(inputsOf(trace)).every(([name, value]) => value === request[name]),
    modelOf: (trace, models) => modelOf(trace, models, description.described?.(trace)),
  };
}
