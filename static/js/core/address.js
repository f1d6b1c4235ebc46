/** Settings to and from the address bar: kinds of fields, and the address made of them. Pure. */

/**
 * The reader and the writer of one setting in the address; `undefined` and null mean its default.
 * @template T
 * @typedef {{read: (raw: string) => T | undefined, write: (value: T) => string | null}} Field
 */

/**
 * A setting with the value that the address leaves out.
 * @template T
 * @typedef {Field<T> & {default: T}} Setting
 */

/**
 * @template {object} S
 * @typedef {object} Address
 * @property {Readonly<S>} DEFAULTS
 * @property {(query: string) => S} fromQuery takes `location.search`
 * @property {(settings: S) => string} toQuery with its `?`, or empty
 * @property {(one: S, other: S) => boolean} sameRequest true if both have the same answer
 * @property {(keyof S & string)[]} requestNames the settings that determine the answer
 * @property {(settings: S) => S} restarted the settings for another request: the view is kept, the position in the old answer is not
 * @property {(settings: S) => S} viewOnly without the request, which the id of a saved trace implies
 * @property {(at: {pathname: string, search: string, hash: string}, saved: string | null, settings: S) => string} addressOf the current address
 * @property {(settings: S) => string} savedQuery what follows the address of a saved trace
 */

/** The settings of a lesson, which has no saved traces. */
const OF_LESSON = ["lesson", "at", "mine"];
/** The settings that make sense in one answer alone. */
const OF_ANSWER = ["step", "part", "pick", "rows", "columns", "cells", "links", "against", "edits"];

/** The panels of a saved trace, on pages that have some. */
const CLOSED = { show: [] };

/** The longest address that servers and proxies accept, with the host before it. */
export const LONGEST_ADDRESS = 8000;

/** What the page says where a request is too long for its address. */
export const TOO_LONG =
  "This input is too long for an address, so no link leads to it. Save the result and share its link, or save its JSON.";

/**
 * @template {object} S
 * @param {{[K in keyof S]: Setting<S[K]>}} fields in the order of the address
 * @param {{path: string, request: (keyof S & string)[], stays?: (keyof S)[]}} page its path; `request`: the settings that determine the answer; `stays`: those of a position that is kept in the next answer
 * @returns {Address<S>}
 */
export function address(fields, { path, request, stays = [] }) {
  const names = /** @type {(keyof S & string)[]} */ (Object.keys(fields));
  const DEFAULTS = /** @type {S} */ (
    /** @type {unknown} */ (
      Object.freeze(Object.fromEntries(names.map((name) => [name, fields[name].default])))
    )
  );

  /** @param {string} query */
  const fromQuery = (query) => {
    const parameters = new URLSearchParams(query);
    const settings = { ...DEFAULTS };
    for (const name of names) {
      const raw = parameters.get(name);
      const value = raw === null ? undefined : fields[name].read(raw);
      if (value !== undefined) Object.assign(settings, { [name]: value });
    }
    return settings;
  };

  /** @param {S} settings */
  const toQuery = (settings) => {
    const query = new URLSearchParams();
    for (const name of names) {
      const value = settings[name];
      if (value === null || value === undefined || value === DEFAULTS[name]) continue;
      const raw = fields[name].write(value);
      if (raw !== null) query.set(name, raw);
    }
    const text = query.toString();
    return text && `?${text}`;
  };

  /** @param {S} settings @param {(name: keyof S & string) => boolean} lost */
  const without = (settings, lost) => ({
    ...settings,
    ...Object.fromEntries(names.filter(lost).map((name) => [name, DEFAULTS[name]])),
  });
  const viewOnly = (/** @type {S} */ settings) =>
    without(settings, (name) => request.includes(name) || OF_LESSON.includes(name));

  return {
    DEFAULTS,
    fromQuery,
    toQuery,
    requestNames: request,
    restarted: (settings) =>
      without(settings, (name) => OF_ANSWER.includes(name) && !stays.includes(name)),
    viewOnly,
    sameRequest: (one, other) =>
      request.every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name])),
    savedQuery: (settings) => toQuery(viewOnly({ ...settings, ...CLOSED })),
    addressOf: ({ pathname, search, hash }, saved, settings) => {
      if (!saved) return `${path}${toQuery(settings)}${hash}`;
      const query = new URLSearchParams(toQuery(viewOnly(settings)));
      // The theme belongs to the page that embeds this one.
      const theme = new URLSearchParams(search).get("theme");
      if (theme) query.set("theme", theme);
      return `${pathname}${query.size ? `?${query}` : ""}${hash}`;
    },
  };
}

/**
 * A field with its default.
 * @template T
 * @param {Field<T>} field @param {T} value @returns {Setting<T>}
 */
export const setting = (field, value) => ({ ...field, default: value });

export function word() {
  return {
    read: (/** @type {string} */ raw) => raw,
    write: (/** @type {string | null} */ value) => value,
  };
}

/** @template T @param {readonly T[]} values */
export function oneOf(values) {
  return {
    read: (/** @type {string} */ raw) => values.find((value) => String(value) === raw),
    write: (/** @type {T | null} */ value) => (value === null ? null : String(value)),
  };
}

/** @param {number} least @param {number} most @param {boolean} [whole] */
export function number(least, most, whole = false) {
  return {
    read: (/** @type {string} */ raw) => {
      const value = raw.trim() === "" ? NaN : Number(raw);
      const fits = value >= least && value <= most && (!whole || Number.isInteger(value));
      return fits ? value : undefined;
    },
    write: String,
  };
}

export function names() {
  return {
    read: (/** @type {string} */ raw) => raw.split(" ").filter((name) => /^[a-z]+$/.test(name)),
    write: (/** @type {string[]} */ values) => values.join(" ") || null,
  };
}

/** Names with commas between them. */
export function list() {
  const { read } = names();
  return {
    read: (/** @type {string} */ raw) => read(raw.replaceAll(",", " ")),
    write: (/** @type {string[]} */ values) => values.join(",") || null,
  };
}

export function places() {
  const { read, write } = place();
  return {
    read: (/** @type {string} */ raw) => raw.split(" ").flatMap((each) => read(each) ?? []),
    write: (/** @type {number[]} */ values) => values.map(write).join(" ") || null,
  };
}

export function place() {
  const { read } = number(1, 1e6, true);
  return {
    read: (/** @type {string} */ raw) => {
      const value = read(raw);
      return value === undefined ? undefined : value - 1;
    },
    write: (/** @type {number | null} */ value) => (value === null ? null : String(value + 1)),
  };
}

/** Identifiers with a space between them. */
export function ids() {
  return {
    read: (/** @type {string} */ raw) => raw.split(" ").filter((id) => id !== ""),
    write: (/** @type {string[]} */ values) => values.join(" ") || null,
  };
}
