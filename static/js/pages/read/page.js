/** The description of the page of reading: a sentence, word by word, with a memory tape. Pure. */

import { modelPage } from "../../core/model_page.js";
import { reading } from "../../core/kinds/reading.js";
import { visible } from "../../core/text.js";

export const read = modelPage({
  id: "read",
  kind: reading,
  edited: true,
  inputs: ["text"],
  inputsOf: ({ request }) => ({ text: request.text }),
  // All words are read before the first is sent.
  grows: false,
  title: ({ source }) => source.text,
  frameTitle: ({ source }) => visible(source.text),
  leave: { saved: "Read another sentence", imported: "Read another sentence" },
});
