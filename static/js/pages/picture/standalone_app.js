/** Starts a standalone file of the page of pictures. */

import { STATE } from "../../core/grid_state.js";
import { startStandalone } from "../../shell/standalone_application.js";
import { axis } from "./axis.js";
import { exportsOf } from "./exports.js";

startStandalone(
  { axis, state: STATE, exports: exportsOf(() => "") },
  (_, { id }) => id,
  (trace, { picture }) => ({ ...trace, picture }),
);
