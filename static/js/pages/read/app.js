/** Starts the page of reading. */

import { startModelPage } from "../../shell/model_page.js";
import { parts } from "./parts.js";
import { read } from "./page.js";

startModelPage(read, parts, {
  read: async (bytes) => (await import("../../import/reading_trace.js")).readReadingTrace(bytes), // most users never import any
});
