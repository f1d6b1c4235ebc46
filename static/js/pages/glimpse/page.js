/** The description of the page of glimpses: a digit in a picture, read glimpse by glimpse. Pure. */

/** @import {GlimpseTrace} from "../../core/types" */

import { glimpses } from "../../core/kinds/glimpses.js";
import { modelPage } from "../../core/model_page.js";
import { fixed } from "../../core/page_fields.js";
import { forAddress } from "../../core/picture_address.js";

/** @param {GlimpseTrace} trace */
const title = ({ text }) => `A digit read in glimpses: ${text}`;

export const glimpse = modelPage({
  id: "glimpse",
  kind: glimpses,
  inputs: ["picture"],
  // The colours of beliefs run from 0 to 1.
  fields: { scale: fixed("whole"), log: fixed(false) },
  // The picture as the network has read it.
  inputsOf: ({ picture }) => ({ picture: forAddress(picture.preview) }),
  title,
  frameTitle: title,
  fileText: ({ text }) => `digit ${text}`,
  linked: "Link copied. The picture is part of it.",
  leave: { saved: "Draw another digit", imported: "Draw another digit" },
});
