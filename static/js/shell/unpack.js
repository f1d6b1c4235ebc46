// Runs in a page in one file: unpacks its body, its styles and its trace, and starts its script. The
// format is that of output/page/packing.py.
void (async () => {
  const SYMBOLS = 91;
  const BITS = 13;
  const MISSING = 2 ** 30;
  // Of what the page needs, browsers learned this last, but for `:has` in Firefox 121.
  if (!CSS.supports("color", "light-dark(red, red)")) {
    document.body.textContent =
      "This file needs a newer browser: Chrome 123, Firefox 121, Safari 17.5, or later.";
    return;
  }
  const shell = emptied(document.documentElement);
  const [{ script, styles, body }, contents] = await Promise.all(["packed", "contents"].map(held));
  const append = (/** @type {string} */ name, /** @type {object} */ fields) =>
    document.head.append(Object.assign(document.createElement(name), fields));
  append("style", { textContent: styles });
  document.body.innerHTML = body;
  document.body.toggleAttribute("data-framed", !contents);
  if (contents)
    append("script", {
      type: "application/json",
      id: "taken",
      textContent: JSON.stringify(contents),
    });
  append("script", { type: "text/plain", id: "shell", textContent: shell });
  append("script", { type: "module", textContent: script });

  /** The file as it is without a title and a trace, to save it again. @param {HTMLElement} page */
  function emptied(page) {
    const copy = /** @type {HTMLElement} */ (page.cloneNode(true));
    const [title, held] = ["title", "#contents"].map((each) => copy.querySelector(each));
    for (const name of copy.getAttributeNames()) if (name !== "lang") copy.removeAttribute(name);
    title?.replaceChildren("Heed");
    held?.replaceChildren();
    held?.removeAttribute("data-size");
    return `<!doctype html>\n${copy.outerHTML}\n`;
  }

  /** The value that an element holds, null in an empty one. @param {string} id @returns {Promise<any>} */
  async function held(id) {
    const { textContent, dataset } = /** @type {HTMLElement} */ (document.getElementById(id));
    if (!dataset.size) return null;
    const bytes = decoded(textContent ?? "", Number(dataset.size));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const content = new Uint8Array(await new Response(stream).arrayBuffer());
    const end = content.indexOf(10);
    const numbers = joined(content.subarray(end + 1));
    return restored(JSON.parse(new TextDecoder().decode(content.subarray(0, end))), numbers);
  }

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

  /** The value with its arrays. @param {any} value @param {Int32Array} numbers @returns {any} */
  function restored(value, numbers) {
    if (Array.isArray(value)) return value.map((each) => restored(each, numbers));
    if (typeof value !== "object" || value === null) return value;
    if (value["#"]) return array(value["#"], numbers);
    if (value["##"]) {
      const [size, norms, summaries] = value["##"];
      const lengths = array(norms, numbers);
      return array(summaries, numbers).map(
        (/** @type {number[]} */ summary, /** @type {number} */ at) => ({
          size,
          norm: lengths[at],
          summary,
        }),
      );
    }
    const found = Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, restored(each, numbers)]),
    );
    if (value.weights?.["#softmax"])
      found.weights = weights(value.weights["#softmax"], found.scores, numbers);
    return found;
  }

  /** @param {number[]} place @param {Int32Array} numbers @returns {any} */
  function array([at, digits, length, ...inner], numbers) {
    const size = inner.reduce((product, each) => product * each, 1);
    return Array.from({ length }, (_, place) => {
      const from = at + place * size;
      if (inner.length) return array([from, digits, ...inner], numbers);
      return numbers[from] === MISSING ? null : numbers[from] / 10 ** digits;
    });
  }

  /** @param {number[]} place @param {(number | null)[][]} scores @param {Int32Array} numbers @returns {number[][]} */
  function weights([at, digits, , columns], scores, numbers) {
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
