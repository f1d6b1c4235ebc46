import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { runInNewContext } from "node:vm";

import { named } from "../../../../static/js/export/html/modules.js";
import { packed } from "../../../../static/js/export/html/packing.js";

const UNPACK = new URL("../../../../static/js/shell/unpack.js", import.meta.url);

/** Runs the script of a file as far as its first import, which no context of Node has. */
async function opened({ text, size }) {
  const elements = [];
  const body = { innerHTML: "", textContent: "" };
  const held = { textContent: text, dataset: { size: String(size) } };
  const page = {
    body,
    head: { append: (element) => elements.push(element) },
    createElement: (name) => ({ name }),
    getElementById: () => held,
  };
  const CSS = { supports: () => true };
  const parts = { Blob, CSS, Response, DecompressionStream, TextDecoder, document: page };
  const source = readFileSync(UNPACK, "utf8").replace("await import(entry)", "done(entry)");
  const entry = await new Promise((done) => runInNewContext(source, { ...parts, done }));
  return { body, elements, entry };
}

test("the script of a file unpacks what the page packed", async () => {
  const modules = new Map([["one.js", 'export const one = "é";\n']]);
  const contents = { trace: { text: "</script> ünï 🙂", weights: [0.12345, 1, null] } };
  const parts = { styles: "p { margin: 0 }", body: "<p>Hello</p>", contents };
  const file = await packed({ ...named(modules, "one.js"), ...parts });
  assert.match(file.text, /^[!-~]+$/);
  assert.doesNotMatch(file.text, /[<&"]/);
  const { body, elements, entry } = await opened(file);
  assert.equal(entry, "heed/one.js");
  assert.equal(body.innerHTML, parts.body);
  const [style, taken, map] = elements;
  assert.equal(style.textContent, parts.styles);
  assert.deepEqual(JSON.parse(taken.textContent), contents);
  const { imports } = JSON.parse(map.textContent);
  assert.equal(
    decodeURIComponent(imports["heed/one.js"].split(",").slice(1).join(",")),
    'export const one = "é";\n',
  );
});

test("a text of any length is unpacked whole", async () => {
  for (let length = 0; length < 30; length++) {
    const contents = { trace: "x".repeat(length) + "é".repeat(length % 7) };
    const parts = { entry: "heed/a.js", modules: {}, styles: "", body: "" };
    const { elements } = await opened(await packed({ ...parts, contents }));
    assert.deepEqual(JSON.parse(elements[1].textContent), contents);
  }
});
