/**
 * The product of matrices, which is nearly all of a training. It is assembled here as WebAssembly with
 * SIMD, a few hundred bytes, so that no compiled file is shipped; where that is not allowed, the same
 * loops run as a script. Pure.
 */

/**
 * A matrix within an array: the place of its first number, and the steps from row to row and from
 * column to column, which is 1 except where the left factor is transposed.
 * @typedef {{of: Float32Array, at?: number, row: number, column?: number}} Matrix
 */

/**
 * Adds the product of two matrices to a third. The number of its columns is a multiple of 4.
 * @callback Multiply
 * @param {Matrix} left @param {Matrix} right @param {Matrix} to
 * @param {number} rows @param {number} columns @param {number} inner
 * @returns {void}
 */

/** @typedef {{views: Record<string, Float32Array>, multiply: Multiply, simd: boolean}} Space */

/** Of the memory of WebAssembly. */
const PAGE_BYTES = 65536;
const ALIGNMENT = 16;

/**
 * The arrays of a training, in one memory, with the product over them.
 * @param {Record<string, number>} sizes @param {boolean} [simd] false for the script
 * @returns {Space}
 */
export function allocate(sizes, simd = true) {
  const padded = Object.values(sizes).map((size) => Math.ceil((size * 4) / ALIGNMENT) * ALIGNMENT);
  const bytes = padded.reduce((total, size) => total + size, 0);
  const module = simd ? compiled() : null;
  const pages = Math.max(1, Math.ceil(bytes / PAGE_BYTES));
  const memory = module && new WebAssembly.Memory({ initial: pages, maximum: pages });
  const buffer = memory ? memory.buffer : new ArrayBuffer(bytes);
  /** @type {Record<string, Float32Array>} */
  const views = {};
  let at = 0;
  Object.entries(sizes).forEach(([name, size], index) => {
    views[name] = new Float32Array(buffer, at, size);
    at += padded[index];
  });
  if (!module || !memory) return { views, multiply, simd: false };
  const { exports } = new WebAssembly.Instance(module, { "": { memory } });
  const run = /** @type {(...parts: number[]) => void} */ (exports.multiply);
  return {
    views,
    simd: true,
    multiply: (left, right, to, rows, columns, inner) =>
      run(
        left.of.byteOffset + (left.at ?? 0) * 4,
        left.row * 4,
        (left.column ?? 1) * 4,
        right.of.byteOffset + (right.at ?? 0) * 4,
        right.row * 4,
        to.of.byteOffset + (to.at ?? 0) * 4,
        to.row * 4,
        rows,
        columns * 4,
        inner,
      ),
  };
}

/** The product as a script, a row at a time: without SIMD no arrangement is much faster. @type {Multiply} */
function multiply(left, right, to, rows, columns, inner) {
  const [a, b, c] = [left.of, right.of, to.of];
  const across = left.column ?? 1;
  for (let i = 0; i < rows; i++) {
    const first = (left.at ?? 0) + i * left.row;
    for (let j = 0; j < columns; j += 4) {
      let p = 0;
      let q = 0;
      let r = 0;
      let s = 0;
      let y = (right.at ?? 0) + j;
      for (let at = 0, x = first; at < inner; at++, x += across, y += right.row) {
        const value = a[x];
        p += value * b[y];
        q += value * b[y + 1];
        r += value * b[y + 2];
        s += value * b[y + 3];
      }
      const cell = (to.at ?? 0) + i * to.row + j;
      c[cell] += p;
      c[cell + 1] += q;
      c[cell + 2] += r;
      c[cell + 3] += s;
    }
  }
}

/** @type {WebAssembly.Module | null | undefined} */
let known;

/** The module, or null where WebAssembly or SIMD is missing or forbidden. */
function compiled() {
  if (known === undefined) {
    try {
      known = new WebAssembly.Module(Uint8Array.from(assembled()));
    } catch {
      known = null;
    }
  }
  return known;
}

// The instructions that are used here (WebAssembly core specification, 5.4).
const VOID = 0x40;
const I32 = 0x7f;
const V128 = 0x7b;
const END = 0x0b;
const ADD = 0x6a;
const GREATER = 0x4a;
const LOAD = [0xfd, 0x00, 0x02, 0x00];
const LOAD_SPLAT = [0xfd, 0x09, 0x02, 0x00];
const STORE = [0xfd, 0x0b, 0x02, 0x00];
const F32_ADD = [0xfd, 0xe4, 0x01];
const F32_MULTIPLY = [0xfd, 0xe6, 0x01];

/** @param {number} value as LEB128 @returns {number[]} */
const number = (value) =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...number(value >>> 7)];
/** @param {number} value */
const constant = (value) => [0x41, ...signed(value)];
/** @param {number} value @returns {number[]} */
const signed = (value) =>
  value >= -64 && value < 64 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
/** @param {number} local */
const get = (local) => [0x20, local];
/** @param {number} local */
const put = (local) => [0x21, local];
/** @param {number[][]} parts */
const plus = (...parts) => parts.flatMap((part, index) => (index ? [...part, ADD] : part));
/** @param {number} local @param {number[]} by */
const increase = (local, by) => [...plus(get(local), by), ...put(local)];
/** A loop while the numbers left are more than a bound. @param {number} left @param {number} bound @param {number[]} body */
const whileMore = (left, bound, body) => [
  ...[0x02, VOID, 0x03, VOID], // block, loop
  ...[...get(left), ...constant(bound), GREATER, 0x45, 0x0d, 1], // leave unless more
  ...body,
  ...[0x0c, 0, END, END],
];

/** The parameters of the function, in bytes except for the counts, and its variables. */
const [A, AI, AK, B, BK, C, CI, M, N, K] = Array.from({ length: 10 }, (_, place) => place);
const [ROWS, COLUMNS, LEFT, X, Y, TO, FIRST, X1, X2, X3] = Array.from(
  { length: 10 },
  (_, place) => place + 10,
);
const FIRST_VECTOR = 20;
const ROWS_AT_ONCE = 4;
const VECTORS_AT_ONCE = 2;

/** The sums of a tile of rows and vectors of columns, which stay in registers. @param {number} rows @param {number} vectors */
function tile(rows, vectors) {
  const cells = Array.from({ length: rows * vectors }, (_, cell) => ({
    sum: FIRST_VECTOR + cell,
    row: Math.floor(cell / vectors),
    vector: cell % vectors,
  }));
  const right = (/** @type {number} */ vector) => FIRST_VECTOR + 8 + vector;
  const left = FIRST_VECTOR + 10;
  const pointers = [X, X1, X2, X3].slice(0, rows);
  const target = (/** @type {number} */ row, /** @type {number} */ vector) =>
    plus(get(TO), ...Array(row).fill(get(CI)), ...(vector ? [constant(16 * vector)] : []));
  const inner = [
    ...Array.from({ length: vectors }, (_, vector) => [
      ...plus(get(Y), ...(vector ? [constant(16 * vector)] : [])),
      ...LOAD,
      ...put(right(vector)),
    ]).flat(),
    ...pointers.flatMap((pointer, row) => [
      ...get(pointer),
      ...LOAD_SPLAT,
      ...put(left),
      ...cells
        .filter((cell) => cell.row === row)
        .flatMap(({ sum, vector }) => [
          ...get(sum),
          ...get(left),
          ...get(right(vector)),
          ...F32_MULTIPLY,
          ...F32_ADD,
          ...put(sum),
        ]),
    ]),
    ...pointers.flatMap((pointer) => increase(pointer, get(AK))),
    ...increase(Y, get(BK)),
    ...increase(LEFT, constant(-1)),
  ];
  return [
    ...pointers.flatMap((pointer, row) => [
      ...plus(get(FIRST), ...Array(row).fill(get(AI))),
      ...put(pointer),
    ]),
    ...plus(get(B), get(N), [...get(COLUMNS), ...constant(-1), 0x6c]),
    ...put(Y),
    ...cells.flatMap(({ sum, row, vector }) => [...target(row, vector), ...LOAD, ...put(sum)]),
    ...get(K),
    ...put(LEFT),
    ...whileMore(LEFT, 0, inner),
    ...cells.flatMap(({ sum, row, vector }) => [...target(row, vector), ...get(sum), ...STORE]),
    ...increase(TO, constant(16 * vectors)),
    ...increase(COLUMNS, constant(-16 * vectors)),
  ];
}

/** All columns of some rows. @param {number} rows */
const band = (rows) => [
  ...get(N),
  ...put(COLUMNS),
  ...get(C),
  ...put(TO),
  ...whileMore(COLUMNS, 16 * VECTORS_AT_ONCE - 1, tile(rows, VECTORS_AT_ONCE)),
  ...whileMore(COLUMNS, 15, tile(rows, 1)),
  ...Array(rows)
    .fill([...increase(FIRST, get(AI)), ...increase(C, get(CI))])
    .flat(),
  ...increase(ROWS, constant(-rows)),
];

/** The bytes of the module. */
function assembled() {
  const section = (/** @type {number} */ id, /** @type {number[]} */ body) => [
    id,
    ...number(body.length),
    ...body,
  ];
  const name = (/** @type {string} */ text) => [
    text.length,
    ...Array.from(text, (sign) => sign.charCodeAt(0)),
  ];
  const body = [
    ...[2, 10, I32, 11, V128], // variables
    ...get(M),
    ...put(ROWS),
    ...get(A),
    ...put(FIRST),
    ...whileMore(ROWS, ROWS_AT_ONCE - 1, band(ROWS_AT_ONCE)),
    ...whileMore(ROWS, 0, band(1)),
    END,
  ];
  return [
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 10, ...Array(10).fill(I32), 0]),
    ...section(2, [1, ...name(""), ...name("memory"), 0x02, 0x01, 1, ...number(65536)]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...name("multiply"), 0x00, 0]),
    ...section(10, [1, ...number(body.length), ...body]),
  ];
}
