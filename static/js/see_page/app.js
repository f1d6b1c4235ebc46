/** The page of patches: what it requests, and from which form. */

/** @import {Model, PatchScene, PatchSettings, PatchTrace} from "../core/types" */
/** @import {Page} from "../shell/types" */

import { ApiError, post } from "../core/api.js";
import { ImportError } from "../core/errors.js";
import { YOURS } from "../core/grid_state.js";
import { SEE, patchModelOf, seeFields } from "../core/patch_request.js";
import { restarted } from "../core/page_fields.js";
import { PATCH_STATE } from "../core/patch_state.js";
import { savedAt } from "../core/saved.js";
import { visible } from "../core/text.js";
import { PhotoInput } from "../shell/photo_input.js";
import { Photos } from "../shell/photos.js";
import { start } from "../shell/application.js";
import { box, byId } from "../shell/dom.js";
import { reveal } from "../shell/scrolling.js";
import { axis } from "./axis.js";
import { SeeForm } from "./form.js";

/** @type {Model[]} */
const models = JSON.parse(byId("ask", HTMLFormElement).dataset.models ?? "[]");
const photos = new Photos();
/** The settings of the request on screen. */
let requested = PATCH_STATE.fromQuery(location.search);
/** @type {SeeForm | null} */
let form = null;

/** @type {Page<PatchSettings, PatchTrace, PatchScene>} */
const page = {
  axis,
  state: PATCH_STATE,
  restarted,
  models,
  exports: async () => (await import("./exports.js")).exportsOf(() => photos.nameOf(requested)),
  form: (submit) => {
    form = new SeeForm(models, submit);
    if (photos.copy) form.offerOwn(photos.copy);
    return form;
  },
  files: ({ open }) =>
    void new PhotoInput({
      take: (file) => {
        photos.own = file;
        form?.submit({ sample: YOURS });
      },
      open: (file) => openTrace(file, open),
    }),
  answer: async (settings, model, signal) => {
    const photo = await photos.get(settings).catch(() => null);
    if (!photo)
      throw new ApiError(
        "unreachable",
        "The server does not respond. Check that it is running.",
        null,
      );
    const body = new FormData();
    body.append("image", photo, photos.nameOf(settings));
    for (const [name, value] of seeFields(model)) body.append(name, value);
    return post(SEE, { body }, signal);
  },
  preview: (settings, signal) => {
    requested = settings;
    return photos.preview(settings, signal);
  },
  read: async (bytes) => (await import("../import/patch_trace.js")).readPatchTrace(bytes), // most users never import any
  modelOf: (trace) => patchModelOf(trace, models),
  importedModel: (trace) => patchModelOf(trace, models),
  adopt: (trace) => {
    photos.adopt(trace);
    requested = { ...requested, sample: YOURS };
    return { model: trace.model.id, sample: YOURS };
  },
  requesting: (next, before) => {
    form?.mark(next.sample);
    if (next.sample !== before.sample) form?.accept();
  },
  answered: (trace) => {
    if (requested.sample !== YOURS) return;
    photos.keep(trace);
    if (photos.copy) form?.offerOwn(photos.copy);
  },
  failed: (error, place) => {
    if (error.field === "image") {
      photos.reject();
      reveal(place);
    }
    photos.forgetPreview();
  },
  instead: (settings) => {
    if (settings.sample !== YOURS || photos.own) return null;
    form?.mark(null);
    return {
      settings: { ...settings, sample: null },
      notice:
        "The photo of this address was a user’s own and was not stored. Here is a sample instead.",
    };
  },
  title: ({ text }) => text,
  frameTitle: ({ text }) => visible(text),
  refused: "refused",
  notices: {
    saved: "This is a saved result, with a small copy of its photo. Choose a photo to continue.",
    imported: (file) =>
      `This is the trace in ${file}, with a small copy of its photo. Choose a photo to continue.`,
  },
};

/** Opens the file of a saved trace; a refusal is shown below the form. @param {File} file @param {(name: string, bytes: Uint8Array<ArrayBuffer>) => Promise<void>} open */
async function openTrace(file, open) {
  try {
    await open(file.name, new Uint8Array(await file.arrayBuffer()));
  } catch (error) {
    const message = error instanceof ImportError ? error.message : "The file could not be read.";
    form?.accept();
    if (form) reveal(form.refuse(new ApiError("import_failed", message, null)));
    if (!(error instanceof ImportError || error instanceof DOMException)) throw error;
  }
}

box("empty").hidden = models.length > 0;
box("ask").hidden = models.length === 0;
if (models.length || savedAt(location.pathname)) start(page);
else box("stage").hidden = true;
