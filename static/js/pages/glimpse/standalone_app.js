/** Starts a standalone file of the page of glimpses. */

import { exportsOf } from "../../shell/model_exports.js";
import { startStandalone } from "../../shell/standalone_application.js";
import { glimpse } from "./page.js";
import { parts } from "./parts.js";

startStandalone(glimpse, parts, exportsOf(glimpse));
