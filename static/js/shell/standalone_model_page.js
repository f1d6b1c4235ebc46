/** A standalone file of the page of a single kind of model. */

/** @import {MapAxisKind, ModelPage} from "../core/types" */
/** @import {OwnParts} from "./types" */

import { modelAxis } from "./model_axis.js";
import { exportsOf } from "./model_exports.js";
import { startStandalone } from "./standalone_application.js";

/** @template {MapAxisKind} A @param {ModelPage<A>} page @param {OwnParts<A>} parts */
export const startStandaloneModelPage = (page, parts) =>
  startStandalone(
    { axis: modelAxis(page, parts), state: page.state, exports: exportsOf(page) },
    page.keyOf,
  );
