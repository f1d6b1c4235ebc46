/** Starts the page of graphs. */

/** @import {GraphTrace} from "../../core/types" */

import { keepingPlaces } from "../../core/graph_edit.js";
import { startModelPage } from "../../shell/model_page.js";
import { graph } from "./page.js";
import { parts } from "./parts.js";

/** The last answer, whose nodes keep their places when it is edited. @type {GraphTrace | null} */
let last = null;

startModelPage(graph, parts, {
  received: (trace) => (last = keepingPlaces(trace, last)),
  read: async (bytes) => (await import("../../import/graph_trace.js")).readGraphTrace(bytes), // most users never import any
});
