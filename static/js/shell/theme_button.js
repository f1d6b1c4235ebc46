/** Starts the button of light and dark colours, on a page without another script that does. */

import { watchTheme } from "../draw/theme.js";

watchTheme(() => {});
