/** Starts the page of pictures: what it requests, and from which form. */

import { pathOf, pictureModels, requestFields } from "../../core/grid_request.js";
import { installedModels } from "../../shell/fields.js";
import { startPhotoPage } from "../../shell/photo_page.js";
import { PictureForm } from "./form.js";
import { picture } from "./page.js";
import { parts } from "./parts.js";

const models = pictureModels(installedModels());
/** @type {PictureForm} */
let form;

startPhotoPage(picture, parts, {
  models,
  exports: async () => (await import("./exports.js")).exportsOf,
  form: (submit) => (form = new PictureForm(models, submit)),
  request: (settings, model) => ({
    path: pathOf(model),
    fields: requestFields({ ...settings, question: form.questionOf(settings, model) }, model),
    grows: true,
  }),
  read: async (bytes) => (await import("../../import/picture_trace.js")).readPictureTrace(bytes), // most users never import any
  anew: { target: null },
});
