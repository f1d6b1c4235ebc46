/** Starts the theme button of a page that has no stage. */

import { watchTheme } from "../draw/theme.js";

watchTheme(() => {});
