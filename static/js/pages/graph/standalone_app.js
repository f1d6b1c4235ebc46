/** Starts a standalone file of the page of graphs. */

import { startStandaloneModelPage } from "../../shell/standalone_model_page.js";
import { graph } from "./page.js";
import { parts } from "./parts.js";

startStandaloneModelPage(graph, parts);
