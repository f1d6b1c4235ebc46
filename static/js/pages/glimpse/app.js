/** Starts the page of glimpses. */

import { byId } from "../../draw/dom.js";
import { installedModels } from "../../shell/fields.js";
import { FileDrop } from "../../shell/file_drop.js";
import { startModelPage } from "../../shell/model_page.js";
import { GlimpseForm } from "./form.js";
import { glimpse } from "./page.js";
import { parts } from "./parts.js";

const { picture: asked } = byId("ask", HTMLFormElement).dataset;
/** @type {GlimpseForm | null} */
let form = null;

startModelPage(glimpse, parts, {
  form: (submit) => (form = new GlimpseForm(installedModels(), submit)),
  // A file is a picture, or else the trace of one.
  files: ({ open }) =>
    void new FileDrop(async (name, bytes) => {
      if (!(await form?.take(new Blob([bytes])))) await open(name, bytes);
    }),
  // The picture of a trace is a copy, so the page names the one that was read.
  answers: ({ model }, request) => model.id === request.model && asked === request.picture,
  read: async (bytes) => (await import("../../import/glimpse_trace.js")).readGlimpseTrace(bytes), // most users never import any
});
