/** Starts a standalone file of the page of glimpses. */

import { glimpseKey } from "../core/glimpse_request.js";
import { GLIMPSE_STATE } from "../core/glimpse_state.js";
import { startStandalone } from "../shell/standalone_application.js";
import { axis } from "./axis.js";
import { exports } from "./exports.js";

startStandalone({ axis, state: GLIMPSE_STATE, exports }, glimpseKey);
