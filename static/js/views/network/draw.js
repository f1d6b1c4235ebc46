/** The picture of a network, by its kind. Pure. */

/** @import {How, Picture} from "./frame.js" */
/** @import {Kind, Network} from "./model.js" */

import { captioner } from "./captioner.js";
import { generic } from "./generic.js";
import { recurrent } from "./recurrent.js";
import { transformer } from "./transformer.js";

/** @type {Record<Kind, (network: Network, how: How) => Picture>} */
const PICTURES = {
  recurrent,
  fixed: recurrent,
  transformer,
  captioner,
  ask: captioner,
  generic,
};

/** @param {Network} network @param {How} how @returns {Picture} */
export const drawNetwork = (network, how) => PICTURES[network.kind](network, how);
