/** Starts a standalone file of the page of patches. */

import { startStandalone } from "../../shell/standalone_application.js";
import { exportsOf } from "./exports.js";
import { see } from "./page.js";
import { parts } from "./parts.js";

startStandalone(
  see,
  parts,
  exportsOf(() => ""),
);
