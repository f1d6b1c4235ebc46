/** The description of the page of reading: a sentence, word by word, with a memory tape. Pure. */

/** @import {Scene} from "../../core/types" */

import { modelPage } from "../../core/model_page.js";
import { readingSceneOf } from "../../core/reading_scene.js";
import { sentence } from "../../core/sentences.js";
import { visible } from "../../core/text.js";

export const read = modelPage({
  id: "read",
  kind: "reading",
  inputs: ["text"],
  inputsOf: ({ request }) => ({ text: request.text }),
  sceneOf: readingSceneOf,
  sentence,
  // All words are read before the first is sent.
  grows: false,
  arrays,
  title: ({ source }) => source.text,
  frameTitle: ({ source }) => visible(source.text),
  leave: { saved: "Read another sentence", imported: "Read another sentence" },
});

/** The map as arrays for NumPy: `weights` by layer, head, word and earlier word. @param {Scene} scene */
function arrays({ view: { rows, columns, weights } }) {
  return {
    weights: { shape: [1, 1, rows.length, columns.length], data: (weights ?? []).flat() },
    source: { shape: [columns.length], data: columns.map(({ text }) => text) },
    target: { shape: [rows.length], data: rows.map(({ text }) => text) },
  };
}
