/** Starts a standalone file of the page of texts. */

import { startStandalone } from "../../shell/standalone_application.js";
import { exports } from "./exports.js";
import { text } from "./page.js";
import { parts } from "./parts.js";

startStandalone(text, parts, exports);
