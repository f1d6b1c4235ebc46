/** Starts a standalone file of the page of graphs. */

import { exportsOf } from "../../shell/model_exports.js";
import { startStandalone } from "../../shell/standalone_application.js";
import { graph } from "./page.js";
import { parts } from "./parts.js";

startStandalone(graph, parts, exportsOf(graph));
