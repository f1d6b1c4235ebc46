/** The address bar: it has what the store has, and its history leads back to that. */

/** @import {Address} from "../core/address.js" */
/** @import {Store} from "../core/store.js" */
/** @import {Dispatched, PageState} from "../core/types" */

import { LONGEST_ADDRESS } from "../core/address.js";
import { savedAt } from "../core/saved.js";

const DELAY_MS = 150;

/** @template {{show: string[]}} S @template T */
export class AddressBar {
  #address;
  #store;
  #written;
  #timer = 0;

  /** @param {Address<S>} address @param {Store<S, T>} store @param {() => void} written called after the address has changed */
  constructor(address, store, written) {
    this.#address = address;
    this.#store = store;
    this.#written = written;
    store.subscribe((change) => this.#follow(change));
    addEventListener("popstate", () => this.#read());
  }

  /** True if the settings are too long for an address; the address then stays as it was. */
  get tooLong() {
    return this.#of(this.#store.state).length > LONGEST_ADDRESS;
  }

  /** @param {Dispatched<S, T>} change */
  #follow({ history, before }) {
    if (history === "none") return;
    clearTimeout(this.#timer);
    if (history === "push") {
      this.#write("replaceState", before);
      this.#write("pushState", this.#store.state);
    }
    // Browsers refuse an address that changes with every pixel of a slider.
    else this.#timer = setTimeout(() => this.#write("replaceState", this.#store.state), DELAY_MS);
  }

  /** Takes what the address has, after a step in the history. */
  #read() {
    clearTimeout(this.#timer);
    const saved = savedAt(location.pathname);
    const settings = this.#address.fromQuery(location.search);
    // The address of a saved trace does not have its request.
    if (saved !== null && saved === this.#store.saved)
      for (const name of this.#address.requestNames) delete settings[name];
    this.#store.dispatch({ ...settings, saved }, { history: "none" });
  }

  /** @param {PageState<S, T>} state */
  #of(state) {
    return this.#address.addressOf(location, state.request.saved, this.#store.settingsOf(state));
  }

  /** @param {"pushState" | "replaceState"} how @param {PageState<S, T>} state */
  #write(how, state) {
    const address = this.#of(state);
    if (address.length > LONGEST_ADDRESS) return;
    history[how](null, "", address);
    this.#written();
  }
}
