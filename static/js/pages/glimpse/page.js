/** The description of the page of glimpses: a digit in a picture, read glimpse by glimpse. Pure. */

/** @import {GlimpseScene, GlimpseTrace} from "../../core/types" */

import { glimpseSceneOf, glimpseSentence } from "../../core/glimpse_scene.js";
import { modelPage } from "../../core/model_page.js";
import { fixed } from "../../core/page_fields.js";
import { forAddress } from "../../core/picture_address.js";

/** @param {GlimpseTrace} trace */
const title = ({ text }) => `A digit read in glimpses: ${text}`;

export const glimpse = modelPage({
  id: "glimpse",
  kind: "glimpses",
  inputs: ["picture"],
  // The colours of beliefs run from 0 to 1.
  fields: { scale: fixed("whole"), log: fixed(false) },
  // The picture as the network has read it.
  inputsOf: ({ picture }) => ({ picture: forAddress(picture.preview) }),
  sceneOf: glimpseSceneOf,
  sentence: glimpseSentence,
  arrays,
  title,
  frameTitle: title,
  fileText: ({ text }) => `digit ${text}`,
  linked: "Link copied. The picture is part of it.",
  leave: { saved: "Draw another digit", imported: "Draw another digit" },
});

/** The glimpses as arrays for NumPy: `beliefs` by glimpse and digit, `boxes` (left, top, side) by glimpse and scale, and `seen`, the patches. @param {GlimpseScene} scene */
function arrays({ view: { rows, columns, weights }, trace: { steps, target } }) {
  const seen = steps.flatMap((step) => (step.seen ? [step.seen] : []));
  const [first] = seen;
  const { length: scales } = target.glimpses[0];
  return {
    beliefs: { shape: [rows.length, columns.length], data: (weights ?? []).flat() },
    digits: { shape: [columns.length], data: columns.map(({ text }) => text) },
    boxes: {
      shape: [rows.length, scales, 3],
      data: target.glimpses.flat().flatMap(({ left, top, side }) => [left, top, side]),
    },
    ...(first && {
      seen: {
        shape: [seen.length, first.length, first[0].length, first[0][0].length],
        data: seen.flat(3),
      },
    }),
  };
}
