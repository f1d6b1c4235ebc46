// Runs in a page in one file: unpacks its body, styles and modules, and starts the first module.
// A classic script, because browsers accept no import map once a module has begun to load. The
// format is that of app/pages/packing.py.
void (async () => {
  const SYMBOLS = 91;
  const BITS = 13;
  const MISSING = 2 ** 30;
  const held = document.getElementById("packed");
  // Of what the page needs, browsers learned this last, but for `:has` in Firefox 121.
  if (!held || !CSS.supports("color", "light-dark(red, red)")) {
    document.body.textContent =
      "This file needs a newer browser: Chrome 123, Firefox 121, Safari 17.5, or later.";
    return;
  }
  const bytes = decoded(held.textContent ?? "", Number(held.dataset.size));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const content = new Uint8Array(await new Response(stream).arrayBuffer());
  const end = content.indexOf(10);
  const numbers = joined(content.subarray(end + 1));
  const { entry, modules, styles, body, contents } = restored(
    JSON.parse(new TextDecoder().decode(content.subarray(0, end))),
  );
  const append = (/** @type {string} */ name, /** @type {object} */ fields) =>
    document.head.append(Object.assign(document.createElement(name), fields));
  append("style", { textContent: styles });
  document.body.innerHTML = body;
  if (contents)
    append("script", {
      type: "application/json",
      id: "taken",
      textContent: JSON.stringify(contents),
    });
  const addresses = Object.entries(modules).map(([name, text]) => [
    name,
    `data:text/javascript,${encodeURIComponent(text)}`,
  ]);
  append("script", {
    type: "importmap",
    textContent: JSON.stringify({ imports: Object.fromEntries(addresses) }),
  });
  await import(entry);

  /** The bytes of a text, 13 bits in two characters. @param {string} text @param {number} size */
  function decoded(text, size) {
    const bytes = new Uint8Array(size);
    const value = (/** @type {number} */ at) => {
      const code = text.charCodeAt(at);
      return code - 33 - Number(code > 34) - Number(code > 38) - Number(code > 60);
    };
    let bits = 0;
    let count = 0;
    for (let at = 0, place = 0; place < size; at += 2) {
      bits = (bits << BITS) | (value(at) * SYMBOLS + value(at + 1));
      count += BITS;
      for (; count >= 8 && place < size; place += 1) {
        count -= 8;
        bytes[place] = bits >> count;
      }
      bits &= (1 << count) - 1;
    }
    return bytes;
  }

  /** Whole numbers from their bytes, of which the lowest stand first. @param {Uint8Array} planes */
  function joined(planes) {
    const size = planes.length / 4;
    return Int32Array.from({ length: size }, (_, at) => {
      const number =
        planes[at] |
        (planes[size + at] << 8) |
        (planes[2 * size + at] << 16) |
        (planes[3 * size + at] << 24);
      return number & 1 ? -(number >>> 1) - 1 : number >>> 1;
    });
  }

  /** The value with its arrays. @param {any} value @returns {any} */
  function restored(value) {
    if (Array.isArray(value)) return value.map(restored);
    if (typeof value !== "object" || value === null) return value;
    if (value["#"]) return array(value["#"]);
    if (value["##"]) {
      const [size, norms, summaries] = value["##"];
      const lengths = array(norms);
      return array(summaries).map((/** @type {number[]} */ summary, /** @type {number} */ at) => ({
        size,
        norm: lengths[at],
        summary,
      }));
    }
    const found = Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, restored(each)]),
    );
    if (value.weights?.["#softmax"])
      found.weights = weights(value.weights["#softmax"], found.scores);
    return found;
  }

  /** @param {number[]} place @returns {any} */
  function array([at, digits, length, ...inner]) {
    const size = inner.reduce((product, each) => product * each, 1);
    return Array.from({ length }, (_, place) => {
      const from = at + place * size;
      if (inner.length) return array([from, digits, ...inner]);
      return numbers[from] === MISSING ? null : numbers[from] / 10 ** digits;
    });
  }

  /** @param {number[]} place @param {(number | null)[][]} scores @returns {number[][]} */
  function weights([at, digits, , columns], scores) {
    return scores.map((row, place) => {
      const finite = /** @type {number[]} */ (row.filter((each) => each !== null));
      const largest = Math.max(...finite);
      const shares = row.map((each) => (each === null ? 0 : Math.exp(each - largest)));
      const total = shares.reduce((sum, each) => sum + each, 0);
      return shares.map((share, column) => {
        const near = total ? Math.floor((share / total) * 10 ** digits + 0.5) : 0;
        return (near + numbers[at + place * columns + column]) / 10 ** digits;
      });
    });
  }
})();
