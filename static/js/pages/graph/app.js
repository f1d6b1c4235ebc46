/** Starts the page of graphs. */

import { keepingPlaces } from "../../core/graph_edit.js";
import { startModelPage } from "../../shell/model_page.js";
import { graph } from "./page.js";
import { parts } from "./parts.js";

startModelPage(graph, parts, {
  received: keepingPlaces,
  read: async (bytes) => (await import("../../import/graph_trace.js")).readGraphTrace(bytes), // most users never import any
});
