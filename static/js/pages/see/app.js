/** The page of patches: what it requests, and from which form. */

/** @import {PhotoPage} from "../../shell/types" */

import { restarted } from "../../core/page_fields.js";
import { SEE, pageFields, patchModelOf, seeFields, withHead } from "../../core/patch_request.js";
import { lacksVectors, patches } from "../../core/kinds/patches.js";
import { PATCH_STATE } from "../../core/patch_state.js";
import { installedModels } from "../../shell/fields.js";
import { startPhotoPage } from "../../shell/photo_page.js";
import { axis } from "./axis.js";
import { SeeForm } from "./form.js";

const models = installedModels();

/** @type {PhotoPage<"patches">} */
const page = {
  axis,
  state: PATCH_STATE,
  restarted,
  models,
  exports: async () => (await import("./exports.js")).exportsOf,
  form: (submit) => new SeeForm(models, submit),
  request: (_, model) => ({ path: SEE, fields: pageFields(model), grows: false }),
  // The steps of a head need its vectors, which the server computes for one head at a time.
  missing: (trace, settings, model) => {
    const { parts, picked, pool } = patches.sceneOf(trace, settings, model);
    if (parts < 2 || pool || !picked || !lacksVectors(picked)) return null;
    if (trace.model.weights !== model.weights) return null;
    const { layer, head } = picked;
    const fields = seeFields(model, { layer, head });
    return {
      request: { path: SEE, fields, grows: false },
      join: (found) => withHead(trace, found),
    };
  },
  read: async (bytes) => (await import("../../import/patch_trace.js")).readPatchTrace(bytes), // most users never import any
  modelOf: (trace) => patchModelOf(trace, models),
  requestOf: ({ model }) => ({ model: model.id }),
};

startPhotoPage(page);
