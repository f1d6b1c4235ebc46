/** Pages as data: from their descriptions all hosts follow. Pure. */

/** @import {Axes, AxisKind, MapAxisKind, Model, ModelPage, PageDescription, PageFacts} from "./types" */

import { modelOf } from "./imported_model.js";
import { pageAddress } from "./page_fields.js";
import { visible } from "./text.js";
import { viewNamed } from "./views.js";

/** @typedef {"sentence" | "whileGrowing" | "selection"} Usual */

/**
 * The page of a kind of model, with what is usual for those it does not name.
 * @template {AxisKind} A
 * @param {Omit<PageFacts<A>, Usual> & Partial<Pick<PageFacts<A>, Usual>>} own @returns {PageFacts<A>}
 */
export const pageOf = (own) => ({
  sentence: (scene, row) =>
    /** @type {import("./types").Scene} */ (scene).kind.sentence(/** @type {any} */ (scene), row),
  whileGrowing: (_, settings) => (viewNamed(own.kind, settings.view).complete ? null : settings),
  selection: ["rows", "columns"],
  ...own,
});

/**
 * A page whose input is a photo, which no address can contain.
 * @template {"grid" | "patches"} A
 * @param {Pick<PageFacts<A>, "id" | "kind" | "state" | "sceneOf" | "settingsOf" | "modelOf"> & Partial<PageFacts<A>>} own
 */
export const photoPage = (own) =>
  pageOf({
    keyOf: (_, { id }) => id,
    title: ({ text }) => text,
    frameTitle: ({ text }) => visible(text),
    notices: {
      saved: "This is a saved result, with a small copy of its photo. Choose a photo to continue.",
      imported: (file) =>
        `This is the trace in ${file}, with a small copy of its photo. Choose a photo to continue.`,
    },
    ...own,
  });

/**
 * The page of a single kind of model, such as that of stories: its address, and its request as JSON.
 * @template {MapAxisKind} A @param {PageDescription<A>} description @returns {ModelPage<A>}
 */
export function modelPage(description) {
  const { id, kind, inputs, inputsOf, leave, title } = description;
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
    fileText: title,
    linked: "Link copied.",
    ...description,
    ...pageOf({
      id,
      kind: kind.name,
      state: pageAddress(kind.name, `/${id}`, inputs, description.fields, description.stays),
      sceneOf: kind.sceneOf,
      keyOf: (settings, model) => JSON.stringify(body(settings, model)),
      settingsOf: (trace) =>
        /** @type {Partial<Axes[A]["settings"]>} */ ({ model: trace.model.id, ...inputsOf(trace) }),
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
      Object.entries(inputsOf(trace)).every(([name, value]) => value === request[name]),
  };
}
