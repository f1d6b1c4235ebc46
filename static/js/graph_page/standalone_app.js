/** Starts a standalone file of the page of graphs. */

import { graphKey } from "../core/graph_request.js";
import { GRAPH_STATE } from "../core/graph_state.js";
import { startStandalone } from "../shell/standalone_application.js";
import { axis } from "./axis.js";
import { exports } from "./exports.js";

startStandalone({ axis, state: GRAPH_STATE, exports }, graphKey);
