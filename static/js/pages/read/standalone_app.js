/** Starts a standalone file of the page of reading. */

import { startStandaloneModelPage } from "../../shell/standalone_model_page.js";
import { read } from "./page.js";
import { parts } from "./parts.js";

startStandaloneModelPage(read, parts);
