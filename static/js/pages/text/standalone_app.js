/** Starts a standalone file of the page of texts. */

import { STATE } from "../../core/state.js";
import { requestKey } from "../../core/token_request.js";
import { startStandalone } from "../../shell/standalone_application.js";
import { axis } from "./axis.js";
import { exports } from "./exports.js";

startStandalone({ axis, state: STATE, exports }, requestKey);
