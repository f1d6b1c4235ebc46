/**
 * The state of a page, wherever it runs: in a browser, in a file, in a notebook. Every part of a page
 * reads it here, changes it by `dispatch`, and is called after each change. Pure.
 *
 * A change names settings as the address does. Each belongs to the `request` (what a model is asked),
 * to the `view` (how the answer is shown) or to the `position` (where in it). `edits` are part of what
 * is asked; `answer` is what came of it.
 */

/** @import {Address} from "./address.js" */
/** @import {Change, Dispatched, PageState} from "./types" */

/** Settings that say where in the answer one is. */
export const POSITION = ["step", "part", "row", "column"];
/** The setting of the player, whose steps are not undone either. */
const OF_PLAYER = ["speed"];
/** The steps that can be undone. */
const MOST = 200;

/**
 * How a change is dispatched. `history`: it becomes an entry of the browser's history, replaces the
 * current one, or is left out of it; `none` is for what no person did. `by`: the control that a person
 * moves; its changes in a row are undone as one.
 * @typedef {{history?: "push" | "replace" | "none", by?: string | null}} How
 */

/** @template {object} S the settings @template T a trace */
export class Store {
  #address;
  /** @type {PageState<S, T>} */
  #state;
  #settings;
  /** @type {PageState<S, T>[]} */
  #past = [];
  /** @type {PageState<S, T>[]} */
  #future = [];
  /** The control whose changes are undone as one. @type {string | null} */
  #by = null;
  /** @type {Set<(change: Dispatched<S, T>) => void>} */
  #listeners = new Set();
  /** The changes that listeners are still to be called for. @type {Dispatched<S, T>[]} */
  #due = [];
  #calling = false;

  /** @param {Pick<Address<S>, "requestNames" | "DEFAULTS">} address @param {S} settings @param {string | null} [saved] the id of the saved trace that is shown */
  constructor(address, settings, saved = null) {
    this.#address = address;
    const empty = {
      request: /** @type {PageState<S, T>["request"]} */ ({ saved }),
      edits: [],
      view: {},
      position: { step: null, part: null, row: null, column: null },
      answer: null,
    };
    this.#state = this.#with(empty, settings).now;
    this.#settings = this.settingsOf(this.#state);
  }

  get state() {
    return this.#state;
  }

  /** Request, view and position as the settings of the address. @returns {S} */
  get settings() {
    return this.#settings;
  }

  /** The settings of what is drawn: while another request runs, or has failed, with those of the answer's own. @returns {S} */
  get drawn() {
    return { ...this.#settings, ...this.answer?.asked };
  }

  get saved() {
    return this.#state.request.saved;
  }

  get answer() {
    return this.#state.answer;
  }

  /** @param {PageState<S, T>} state */
  settingsOf({ request, edits, view, position: { step, part } }) {
    const { saved: _, ...asked } = request;
    const edited = "edits" in this.#address.DEFAULTS && { edits };
    return /** @type {S} */ (/** @type {unknown} */ ({ ...asked, ...edited, ...view, step, part }));
  }

  /** Calls a listener after each change. Returns how to end that. @param {(change: Dispatched<S, T>) => void} listener */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** @param {Change<S, T>} change @param {How} [how] */
  dispatch(change, { history = "replace", by = null } = {}) {
    const before = this.#state;
    const { now, changed } = this.#with(before, change);
    if (!changed.size && history === "none") return;
    const chosen = [...changed].some(
      (name) => !POSITION.includes(name) && !OF_PLAYER.includes(name),
    );
    if (history !== "none" && chosen) this.#record(before, by);
    this.#apply(now, changed, history);
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  undo() {
    this.#travel(this.#past, this.#future);
  }

  redo() {
    this.#travel(this.#future, this.#past);
  }

  /** @param {PageState<S, T>} before @param {string | null} by */
  #record(before, by) {
    this.#future = [];
    if (by === null || by !== this.#by) this.#past = [...this.#past, before].slice(-MOST);
    this.#by = by;
  }

  /** Takes what a person had chosen; the player stays where it is in the same answer. @param {PageState<S, T>[]} from @param {PageState<S, T>[]} to */
  #travel(from, to) {
    const chosen = from.pop();
    if (!chosen) return;
    const before = this.#state;
    to.push(before);
    this.#by = null;
    const { saved } = chosen.request;
    const settings = { ...this.settingsOf(chosen), saved, edits: chosen.edits };
    const { now, changed } = this.#with(before, settings);
    const asks = now.request !== before.request || now.edits !== before.edits;
    const { position } = asks ? now : before;
    this.#apply({ ...now, position }, changed, asks ? "push" : "replace");
  }

  /** @param {PageState<S, T>} now @param {Set<string>} changed @param {Required<How>["history"]} history */
  #apply(now, changed, history) {
    const before = this.#state;
    this.#state = now;
    this.#settings = this.settingsOf(now);
    const asks =
      (now.request !== before.request || now.edits !== before.edits) &&
      now.answer === before.answer;
    this.#due.push({ changed, before, history, asks });
    this.#call();
  }

  /** Calls the listeners; what they dispatch is due after that. */
  #call() {
    if (this.#calling) return;
    this.#calling = true;
    try {
      for (let change = this.#due.shift(); change; change = this.#due.shift())
        for (const listener of this.#listeners) listener(change);
    } finally {
      this.#calling = false;
    }
  }

  /** The state after a change, and the names of what is no longer the same. @param {PageState<S, T>} state @param {Change<S, T>} change */
  #with(state, change) {
    const now = /** @type {Record<string, any>} */ ({ ...state });
    /** @type {Set<string>} */
    const changed = new Set();
    for (const [name, value] of Object.entries(change)) {
      const part = this.#partOf(name);
      const own = name === "edits" || name === "answer";
      if (value === undefined || same(own ? now[name] : now[part][name], value)) continue;
      changed.add(name);
      now[part] = own ? value : { ...now[part], [name]: value };
    }
    return { now: /** @type {PageState<S, T>} */ (now), changed };
  }

  /** The part of the state that a setting belongs to. @param {string} name */
  #partOf(name) {
    if (name === "edits" || name === "answer") return name;
    if (POSITION.includes(name)) return "position";
    const asked = /** @type {string[]} */ (this.#address.requestNames);
    return name === "saved" || asked.includes(name) ? "request" : "view";
  }
}

/** @param {unknown} one @param {unknown} other */
const same = (one, other) =>
  one === other ||
  (Array.isArray(one) && Array.isArray(other) && JSON.stringify(one) === JSON.stringify(other));
