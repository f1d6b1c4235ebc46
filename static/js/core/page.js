/** Pages as data: from their descriptions all hosts follow. Pure. */

/** @import {AxisKind, PageFacts} from "./types" */

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
