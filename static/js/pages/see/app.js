/** Starts the page of patches: what it requests, and from which form. */

import { SEE, pageFields, seeFields, withHead } from "../../core/patch_request.js";
import { installedModels } from "../../shell/fields.js";
import { startPhotoPage } from "../../shell/photo_page.js";
import { lacksVectors } from "../../core/kinds/patches.js";
import { SeeForm } from "./form.js";
import { see } from "./page.js";
import { parts } from "./parts.js";

const models = installedModels();

startPhotoPage(see, parts, {
  models,
  exports: async () => (await import("./exports.js")).exportsOf,
  form: (submit) => new SeeForm(models, submit),
  request: ({ edits }, model) => ({ path: SEE, fields: pageFields(model, edits), grows: false }),
  // The steps of a head need its vectors, which the server computes for one head at a time.
  missing: (trace, settings, model) => {
    const { parts, picked, pool } = see.sceneOf(trace, settings, model);
    if (parts < 2 || pool || !picked || !lacksVectors(picked)) return null;
    if (trace.model.weights !== model.weights) return null;
    const { layer, head } = picked;
    const fields = seeFields(model, settings.edits, { layer, head });
    return {
      request: { path: SEE, fields, grows: false },
      join: (found) => withHead(trace, found),
    };
  },
  read: async (bytes) => (await import("../../import/patch_trace.js")).readPatchTrace(bytes), // most users never import any
});
