/** The page of pictures: what it requests, and from which form. */

/** @import {PhotoPage} from "../../shell/types" */

import {
  modelOf,
  pathOf,
  pictureModels,
  requestFields,
  requestSettings,
} from "../../core/grid_request.js";
import { STATE } from "../../core/grid_state.js";
import { installedModels } from "../../shell/fields.js";
import { startPhotoPage } from "../../shell/photo_page.js";
import { axis } from "./axis.js";
import { PictureForm } from "./form.js";

const models = pictureModels(installedModels());

/** @type {PhotoPage<"grid">} */
const page = {
  axis,
  state: STATE,
  models,
  exports: async () => (await import("./exports.js")).exportsOf,
  form: (submit) => new PictureForm(models, submit),
  request: (settings, model) => ({
    path: pathOf(model),
    fields: requestFields(settings, model),
    grows: true,
  }),
  read: async (bytes) => (await import("../../import/picture_trace.js")).readPictureTrace(bytes), // most users never import any
  modelOf: (trace) => modelOf(trace, models),
  requestOf: requestSettings,
  anew: { target: null },
};

startPhotoPage(page);
