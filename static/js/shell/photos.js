/** The photos that can be captioned: the samples, and one of the user's own. */

/** @import {PictureSettings, PictureTrace} from "../core/types" */

import { YOURS } from "../core/grid_state.js";
import { KeptPhoto } from "../core/kept_photo.js";
import { storage } from "../core/stored.js";
import { box } from "../draw/dom.js";
import { sampleOf } from "./samples.js";

/** @typedef {Pick<PictureSettings, "sample">} Sample */
/** @typedef {Pick<PictureTrace, "picture">} Seen */

/** Larger files, in bytes, are not decoded here: the page waits for the preview of the server. */
const MOST_SHOWN = 20_000_000;

export class Photos {
  #kept = new KeptPhoto(storage("sessionStorage"));
  /** The photo of the user that a model has read last. @type {File | null} */
  #read = this.copy === null ? null : fileOf(this.copy);
  /** @type {File | null} */
  own = this.#read;
  /** The small photo of a saved trace, which need not be the user's. @type {File | null} */
  #adopted = null;
  /** The fetched samples by name. @type {Map<string, Promise<Blob>>} */
  #samples = new Map();
  /** The photo that was shown last. @type {Blob | null} */
  #previewed = null;
  /** The address of that photo. */
  #url = "";

  /** The small copy of the user's photo, kept until the tab is closed. */
  get copy() {
    return this.#kept.copy;
  }

  /** Keeps the photo that a model has read, if it is the user's. @param {Seen} trace */
  keep({ picture }) {
    if (this.own === this.#adopted) return;
    this.#adopted = null;
    this.#read = this.own;
    this.#kept.keep(picture.preview);
  }

  /** Drops a photo that no model could read. */
  reject() {
    this.own = this.#adopted ?? this.#read;
  }

  /** @param {Sample} settings */
  nameOf({ sample }) {
    return sample === YOURS ? (this.own?.name ?? "photo.jpg") : `${sampleOf(sample)}.jpg`;
  }

  /** @param {Sample} settings @returns {Promise<Blob>} */
  get({ sample }) {
    if (sample === YOURS && this.own) return Promise.resolve(this.own);
    const name = sampleOf(sample);
    const known = this.#samples.get(name);
    if (known) return known;
    const fetched = fetch(`${box("gallery").dataset.samples}/${name}.jpg`).then((response) => {
      if (response.ok) return response.blob();
      throw new Error(`no sample ${name}`);
    });
    fetched.catch(() => this.#samples.delete(name));
    this.#samples.set(name, fetched);
    return fetched;
  }

  /** The address of the photo to show while its request runs; null if it is on screen already. @param {Sample} settings @param {AbortSignal} signal */
  async preview(settings, signal) {
    const photo = await this.get(settings).catch(() => null);
    if (signal.aborted || !photo || photo === this.#previewed) return null;
    this.#previewed = photo;
    URL.revokeObjectURL(this.#url);
    this.#url = photo.size > MOST_SHOWN ? "" : URL.createObjectURL(photo);
    return this.#url;
  }

  /** Shows the next photo again, even if it is the same. */
  forgetPreview() {
    this.#previewed = null;
  }

  /** Takes the preview of a trace as the photo of further requests. @param {Seen} trace */
  adopt({ picture }) {
    this.#adopted = this.own = fileOf(picture.preview);
    this.forgetPreview();
  }
}

/** @param {string} address of data */
function fileOf(address) {
  const letters = atob(address.slice(address.indexOf(",") + 1));
  return new File([Uint8Array.from(letters, (letter) => letter.charCodeAt(0))], "photo.jpg", {
    type: "image/jpeg",
  });
}
