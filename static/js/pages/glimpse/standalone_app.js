/** Starts a standalone file of the page of glimpses. */

import { startStandaloneModelPage } from "../../shell/standalone_model_page.js";
import { glimpse } from "./page.js";
import { parts } from "./parts.js";

startStandaloneModelPage(glimpse, parts);
