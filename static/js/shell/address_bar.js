/** The address bar: the settings of the page, the id of a saved trace, and the history. */

/** @import {Address} from "../core/address.js" */

import { LONGEST_ADDRESS } from "../core/address.js";
import { savedAt } from "../core/saved.js";

const DELAY_MS = 150;

/** @template {{show: string[]}} S */
export class AddressBar {
  #state;
  #written;
  #timer = 0;
  settings;
  /** Id of the saved trace that the address names. */
  saved = savedAt(location.pathname);

  /** @param {Address<S>} state @param {() => void} written called after the address has changed */
  constructor(state, written) {
    this.#state = state;
    this.#written = written;
    this.settings = state.fromQuery(location.search);
  }

  /** Reads the address again, after a step in the history. */
  read() {
    clearTimeout(this.#timer);
    this.settings = this.#state.fromQuery(location.search);
    this.saved = savedAt(location.pathname);
  }

  /** Changes settings, and writes them after a delay. @param {Partial<S>} change */
  remember(change) {
    this.settings = { ...this.settings, ...change };
    clearTimeout(this.#timer);
    // Browsers refuse an address that changes with every pixel of a slider.
    this.#timer = setTimeout(() => this.#write("replaceState"), DELAY_MS);
  }

  /** Adds an entry to the history, unless it requests the same answer. @param {S} settings */
  goTo(settings) {
    const again = !this.saved && this.#state.sameRequest(settings, this.settings);
    this.#write("replaceState");
    this.settings = settings;
    this.saved = null;
    if (!again) this.#write("pushState");
  }

  get #address() {
    return this.#state.addressOf(location, this.saved, this.settings);
  }

  /** True if the settings are too long for an address; the address then stays as it was. */
  get tooLong() {
    return this.#address.length > LONGEST_ADDRESS;
  }

  /** @param {"pushState" | "replaceState"} how */
  #write(how) {
    clearTimeout(this.#timer);
    if (this.tooLong) return;
    history[how](null, "", this.#address);
    this.#written();
  }
}
