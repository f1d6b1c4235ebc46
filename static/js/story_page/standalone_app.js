/** Starts a standalone file of the page of stories. */

import { storyKey } from "../core/story_request.js";
import { STORY_STATE } from "../core/story_state.js";
import { startStandalone } from "../shell/standalone_application.js";
import { axis } from "./axis.js";
import { exports } from "./exports.js";

startStandalone({ axis, state: STORY_STATE, exports }, storyKey);
