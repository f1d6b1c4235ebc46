import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { runInNewContext } from "node:vm";

import { packed } from "../../../../static/js/export/html/packing.js";

const UNPACK = new URL("../../../../static/js/shell/unpack.js", import.meta.url);

/** Runs the script of a file with these parts, as far as the page's own script. */
async function opened(shell, contents) {
  const held = { packed: await packed(shell), contents: await packed(contents) };
  const body = { innerHTML: "", toggleAttribute: () => {} };
  const source = readFileSync(UNPACK, "utf8").replace("emptied(document.documentElement)", '""');
  return new Promise((done) => {
    const elements = [];
    const append = (element) => {
      elements.push(element);
      if (element.type === "module") done({ body, elements });
    };
    const document = {
      body,
      head: { append },
      createElement: (name) => ({ name }),
      getElementById: (id) => ({ textContent: held[id].text, dataset: { size: held[id].size } }),
    };
    const CSS = { supports: () => true };
    runInNewContext(source, { Blob, CSS, Response, DecompressionStream, TextDecoder, document });
  });
}

test("the script of a file unpacks what the page packed", async () => {
  const contents = { trace: { text: "</script> ünï 🙂", weights: [0.12345, 1, null] } };
  const shell = { script: 'run("é");\n', styles: "p { margin: 0 }", body: "<p>Hello</p>" };
  const { text } = await packed(contents);
  assert.match(text, /^[!-~]+$/);
  assert.doesNotMatch(text, /[<&"]/);
  const { body, elements } = await opened(shell, contents);
  assert.equal(body.innerHTML, shell.body);
  const [style, taken, , script] = elements;
  assert.equal(style.textContent, shell.styles);
  assert.deepEqual(JSON.parse(taken.textContent), contents);
  assert.equal(script.textContent, shell.script);
});

test("a text of any length is unpacked whole", async () => {
  for (let length = 0; length < 30; length++) {
    const contents = { trace: "x".repeat(length) + "é".repeat(length % 7) };
    const { elements } = await opened({ script: "", styles: "", body: "" }, contents);
    assert.deepEqual(JSON.parse(elements[1].textContent), contents);
  }
});
