/** Starts a standalone file of the page of pictures. */

import { startStandalone } from "../../shell/standalone_application.js";
import { exportsOf } from "./exports.js";
import { picture } from "./page.js";
import { parts } from "./parts.js";

startStandalone(
  picture,
  parts,
  exportsOf(() => ""),
);
