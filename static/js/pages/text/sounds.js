/** The sound of the form: a file that the browser decodes, since the server reads WAV alone. */

import { ApiError } from "../../core/api.js";
import { box, byId } from "../../draw/dom.js";

export class Sounds {
  #input = byId("sound", HTMLInputElement);
  /** The sounds of this visit, by the name that the address has. @type {Map<string, Blob>} */
  #known = new Map();
  /** Counts the files: of two that are decoded, the last is taken. */
  #turn = 0;

  /** @param {(name: string) => void} take requests the sound of this name @param {(error: ApiError) => void} refuse */
  constructor(take, refuse) {
    box("choose-sound").addEventListener("click", () => this.#input.click());
    this.#input.addEventListener("change", async () => {
      const [file] = this.#input.files ?? [];
      this.#input.value = ""; // so that the same file can be chosen again
      if (!file) return;
      const turn = ++this.#turn;
      const { decoded } = await import("./decoded_sound.js");
      const wav = await decoded(file).catch(() => null);
      if (turn !== this.#turn) return;
      if (wav) take(this.#keep(file.name, wav));
      else refuse(unreadable(file.name));
    });
  }

  /** Shows the field of sounds instead of that of texts. @param {boolean} hears @param {string} name */
  show(hears, name) {
    for (const id of ["choose-sound", "sound-name"]) box(id).hidden = !hears;
    for (const each of document.querySelectorAll("#text, #run, label[for=text]"))
      each.toggleAttribute("hidden", hears);
    box("sound-name").textContent = this.#known.has(name)
      ? name
      : "It is sent to this server only and not stored.";
  }

  /** The sound of this name, or an error. @param {string} name */
  get(name) {
    const found = this.#known.get(name);
    if (found) return found;
    const message = name
      ? "The sound of this address was a user’s own and was not stored. Choose a sound."
      : "Choose a sound to see what the model hears.";
    throw new ApiError("missing_field", message, "sound");
  }

  /** Keeps a sound under a name that no other one has. @param {string} name @param {Blob} wav */
  #keep(name, wav) {
    const stem = this.#known.has(name) ? `${name} (${this.#known.size + 1})` : name;
    this.#known.set(stem, wav);
    return stem;
  }
}

/** @param {string} name */
const unreadable = (name) =>
  new ApiError("unsupported_sound", `The browser cannot read ${name} as a sound.`, "sound");
