/** Starts a standalone file of the page of reading. */

import { exportsOf } from "../../shell/model_exports.js";
import { startStandalone } from "../../shell/standalone_application.js";
import { read } from "./page.js";
import { parts } from "./parts.js";

startStandalone(read, parts, exportsOf(read));
