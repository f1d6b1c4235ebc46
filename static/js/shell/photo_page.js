/** The pages whose input is a photo: a sample, or the user's own, which no address can contain. */

/** @import {Axes, PageFacts} from "../core/types" */
/** @import {OwnParts, PhotoForm, PhotoKind, PhotoPage, PhotoRequest} from "./types" */

import { ApiError, PASSING, isUnloaded, post, reached } from "../core/api.js";
import { ImportError } from "../core/errors.js";
import { YOURS } from "../core/grid_state.js";
import { savedAt } from "../core/saved.js";
import { box } from "../draw/dom.js";
import { startPage } from "./page.js";
import { load, opened, whole } from "./large_traces.js";
import { Photos } from "./photos.js";
import { reveal } from "../draw/scrolling.js";

/**
 * Starts a page, if it has a model or a saved trace.
 * @template {PhotoKind} A @param {PageFacts<A>} page @param {OwnParts<A>} parts @param {PhotoPage<A>} own
 */
export function startPhotoPage(
  page,
  parts,
  { form: formOf, exports, request, missing, anew, ...own },
) {
  const photos = new Photos();
  /** @type {PhotoForm<A> | null} */
  let form = null;

  /** The photo of a request; an error of the API if it cannot be fetched. @param {Axes[A]["settings"]} wanted */
  const photoOf = (wanted) => reached(photos.get(wanted));

  /** Opens the file of a saved trace; a refusal is shown below the form. @param {File} file @param {(name: string, bytes: Uint8Array<ArrayBuffer>) => Promise<void>} open */
  async function openTrace(file, open) {
    try {
      await open(file.name, new Uint8Array(await file.arrayBuffer()));
    } catch (error) {
      if (isUnloaded(error)) throw error;
      const message = error instanceof ImportError ? error.message : "The file could not be read.";
      form?.accept();
      if (form) reveal(form.refuse(new ApiError("import_failed", message, null)));
      if (!(error instanceof ImportError || error instanceof DOMException)) throw error;
    }
  }

  /**
   * @param {Axes[A]["settings"]} wanted @param {PhotoRequest} call @param {AbortSignal} signal
   * @param {(trace: Axes[A]["trace"], since: number) => void} [grows]
   * @param {boolean} [passing] true if nobody asks for the answer again
   * @returns {Promise<Axes[A]["trace"]>}
   */
  async function send(wanted, { path, fields, grows: streams }, signal, grows, passing) {
    const photo = await photoOf(wanted);
    const body = new FormData();
    body.append("image", photo, photos.nameOf(wanted));
    for (const [name, value] of fields) body.append(name, value);
    return post(
      path,
      { body, headers: passing ? PASSING : {} },
      signal,
      streams ? grows : undefined,
    );
  }

  /** @param {object} change @returns {Partial<Axes[A]["settings"]>} */
  const settings = (change) => /** @type {Partial<Axes[A]["settings"]>} */ (change);

  const begin = () =>
    startPage(page, parts, {
      ...own,
      exports: async () => (await exports())((settings) => photos.nameOf(settings)),
      form: (submit) => {
        form = formOf(submit);
        if (photos.copy) form.offerOwn(photos.copy);
        return form;
      },
      files: async ({ open }) => {
        const { PhotoInput } = await import("./photo_input.js");
        new PhotoInput({
          take: (file) => {
            photos.own = file;
            form?.submit(settings({ sample: YOURS, ...anew }));
          },
          open: (file) => openTrace(file, open),
        });
      },
      answer: async (wanted, model, signal, ...how) =>
        opened(await send(wanted, request(wanted, model), signal, ...how), wanted, model, signal),
      photo: photoOf,
      load,
      whole,
      refetch: (trace, wanted, model) => {
        const lacking = missing?.(trace, wanted, model);
        return lacking
          ? async (signal) => lacking.join(await send(wanted, lacking.request, signal))
          : null;
      },
      preview: (wanted, signal) => photos.preview(wanted, signal),
      importedModel: (trace) => page.modelOf(trace, own.models),
      adopt: (trace) => {
        photos.adopt(trace);
        return settings({ ...page.settingsOf(trace), sample: YOURS });
      },
      answered: (trace, { sample }) => {
        if (sample !== YOURS) return;
        photos.keep(trace);
        if (photos.copy) form?.offerOwn(photos.copy);
      },
      failed: (error, place) => {
        const refused = error.field === "image";
        if (refused) {
          photos.reject();
          reveal(place);
        }
        // What is wrong with a question leaves the photo on screen.
        if (refused || !error.field) photos.forgetPreview();
        return refused;
      },
      instead: (wanted) => {
        if (wanted.sample !== YOURS || photos.own) return null;
        return {
          change: settings({ sample: null }),
          notice:
            "The photo of this address was a user’s own and was not stored. Here is a sample instead.",
        };
      },
      title: page.title,
      refused: "refused",
    });

  box("empty").hidden = own.models.length > 0;
  box("ask").hidden = own.models.length === 0;
  if (own.models.length || savedAt(location.pathname)) void begin();
  else box("stage").hidden = true;
}
