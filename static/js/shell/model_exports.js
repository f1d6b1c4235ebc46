/** The exports of the page of a single kind of model. */

/** @import {Axes, MapAxisKind, ModelPage} from "../core/types" */
/** @import {Exports} from "./types" */

import { fileName } from "../export/file_name.js";
import { curl, linkTo, python } from "../export/share.js";
import { mapExports } from "./map_exports.js";

/** @template {MapAxisKind} A @param {ModelPage<A>} page @returns {Exports<Axes[A]["settings"], Axes[A]["trace"], Axes[A]["scene"]>} */
export function exportsOf({ id, state, endpoint, body, arrays, linked, fileText }) {
  /** @param {Axes[A]["trace"]} trace @param {string} extension */
  const nameOf = (trace, extension) =>
    fileName({ model: trace.model, source: { text: fileText(trace) } }, extension);
  return {
    link: (settings, { model }) => ({
      text: linkTo(location.href, state, settings, {
        ...settings,
        ...body(settings, model),
      }),
      done: linked,
    }),
    curl: (settings, model) => curl(location.origin, body(settings, model), endpoint),
    fileName: nameOf,
    drawings: [{ button: "save", view: null, suffix: "" }],
    animation: (scene) => ({ scene, view: scene.viewName }),
    ...mapExports({
      python: (settings, model) => python(location.origin, body(settings, model), endpoint),
      arrays,
      fileName: nameOf,
    }),
    standalone: { page: id, pack: (trace) => trace },
  };
}
