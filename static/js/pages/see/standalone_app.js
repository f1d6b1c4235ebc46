/** Starts a standalone file of the page of patches. */

import { PATCH_STATE } from "../../core/patch_state.js";
import { startStandalone } from "../../shell/standalone_application.js";
import { axis } from "./axis.js";
import { exportsOf } from "./exports.js";

startStandalone({ axis, state: PATCH_STATE, exports: exportsOf(() => "") }, (_, { id }) => id);
