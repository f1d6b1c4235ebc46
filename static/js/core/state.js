/** Everything a person can set, to and from the address bar. Pure. */

/** @import {MapKind, Pool, Scale, SearchKind, Settings, Units, ViewName} from "./types" */

export const SPEEDS = [0.5, 1, 2, 4];

/** @type {Readonly<Settings>} */
export const DEFAULTS = Object.freeze({
  model: null,
  text: null,
  target: null,
  search: "greedy",
  beam: 4,
  seed: 0,
  temperature: 1,
  penalty: 1,
  step: 0,
  part: null,
  units: null,
  scale: "whole",
  log: false,
  view: "map",
  mass: 75,
  with: [],
  map: null,
  layer: null,
  head: null,
  pool: null,
  pick: 0,
  rows: [],
  columns: [],
  speed: 1,
  show: [],
});

/**
 * One line per thing that can be set: how it is read and, if it is not as by default, written.
 * Places (step, layer, head) count from 1 in the address, as they do on the page.
 * @type {{[K in keyof Settings]: {read: (raw: string) => Settings[K] | undefined, write: (value: Settings[K]) => string | null}}}
 */
const FIELDS = {
  model: word(),
  text: word(),
  target: word(),
  search: oneOf(/** @type {SearchKind[]} */ (["greedy", "beam", "sample"])),
  beam: number(1, 10, true),
  seed: number(0, 2 ** 32 - 1, true),
  temperature: number(0.01, 10),
  penalty: number(0, 3),
  step: place(),
  part: place(),
  units: oneOf(/** @type {Units[]} */ (["words", "subwords"])),
  scale: oneOf(/** @type {Scale[]} */ (["row", "whole"])),
  log: oneOf([false, true]),
  view: oneOf(/** @type {ViewName[]} */ (["map", "lines", "step", "heads", "compare"])),
  mass: number(10, 100, true),
  with: {
    read: (raw) => raw.split(" ").filter((id) => id !== ""),
    write: (ids) => ids.join(" ") || null,
  },
  map: oneOf(/** @type {MapKind[]} */ (["cross", "encoder-self", "decoder-self"])),
  layer: place(),
  head: place(),
  pool: oneOf(/** @type {Pool[]} */ (["mean", "max", "rollout"])),
  pick: number(0, 9, true),
  rows: places(),
  columns: places(),
  speed: oneOf(SPEEDS),
  show: names(),
};

export const { fromQuery, toQuery } = address(FIELDS, DEFAULTS);

/**
 * To and from the address bar: `fromQuery` takes `location.search`, `toQuery` gives it, with its
 * `?`, or empty.
 * @template {object} S
 * @param {{[K in keyof S]: {read: (raw: string) => S[K] | undefined, write: (value: S[K]) => string | null}}} fields
 * @param {Readonly<S>} defaults
 */
export function address(fields, defaults) {
  const names = /** @type {(keyof S & string)[]} */ (Object.keys(fields));
  return {
    fromQuery: (/** @type {string} */ query) => {
      const given = new URLSearchParams(query);
      const settings = { ...defaults };
      for (const name of names) {
        const raw = given.get(name);
        const value = raw === null ? undefined : fields[name].read(raw);
        if (value !== undefined) Object.assign(settings, { [name]: value });
      }
      return settings;
    },
    toQuery: (/** @type {S} */ settings) => {
      const query = new URLSearchParams();
      for (const name of names) {
        const value = settings[name];
        if (value === null || value === defaults[name]) continue;
        const raw = fields[name].write(value);
        if (raw !== null) query.set(name, raw);
      }
      const text = query.toString();
      return text && `?${text}`;
    },
  };
}

export function word() {
  return {
    read: (/** @type {string} */ raw) => raw,
    write: (/** @type {string | null} */ value) => value,
  };
}

/** @template T @param {T[]} values */
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
