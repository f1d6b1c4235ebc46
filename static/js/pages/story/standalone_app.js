/** Starts a standalone file of the page of stories. */

import { startStandaloneModelPage } from "../../shell/standalone_model_page.js";
import { story } from "./page.js";
import { parts } from "./parts.js";

startStandaloneModelPage(story, parts);
