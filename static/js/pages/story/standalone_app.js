/** Starts a standalone file of the page of stories. */

import { exportsOf } from "../../shell/model_exports.js";
import { startStandalone } from "../../shell/standalone_application.js";
import { story } from "./page.js";
import { parts } from "./parts.js";

startStandalone(story, parts, exportsOf(story));
