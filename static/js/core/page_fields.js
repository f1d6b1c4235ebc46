/** The settings that every page with a trace has: its player, panels, tour and presentation. Pure. */

/** @import {Presenting} from "./types" */

import { names, number, oneOf, setting, word } from "./address.js";

const SPEEDS = [0.5, 1, 2, 4];

export const PAGE_FIELDS = {
  speed: setting(oneOf(SPEEDS), 1),
  show: setting(names(), []),
  tour: setting(word(), null),
  at: setting(number(1, 99, true), null),
  present: setting(oneOf(/** @type {Presenting[]} */ (["1", "guess"])), null),
};
