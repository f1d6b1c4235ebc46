import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const root = new URL("../../", import.meta.url);
const read = (path) => readFileSync(new URL(path, root), "utf8");
const scripts = readdirSync(new URL("static/js/", root), { recursive: true }).filter((path) => path.endsWith(".js"));

/** Scripts of their own, which no module imports. */
const ALONE = ["app.js", "docs.js", "head.js"];

test("the page announces every module, so that none waits for another's import", () => {
  const announced = [...read("templates/index.html").matchAll(/"((?:ui\/)?[a-z]+)"(?=[,\s\]])/g)].map(([, name]) => `${name}.js`);
  const modules = scripts.filter((path) => !ALONE.includes(path)).sort();
  assert.deepEqual(modules.filter((path) => !announced.includes(path)), []);
});

test("imports are relative, so that one address of the folder serves all", () => {
  for (const path of scripts) {
    for (const [, from] of read(`static/js/${path}`).matchAll(/^import .*?from "([^"]+)"/gm)) {
      assert.match(from, /^\.{1,2}\/.*\.js$/, `${path} imports ${from}`);
    }
  }
});

test("nothing is parsed as HTML: text reaches the page as text", () => {
  for (const path of scripts) {
    assert.doesNotMatch(read(`static/js/${path}`), /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|eval\(/, path);
  }
});

test("no template holds a script or a handler of its own", () => {
  for (const name of readdirSync(new URL("templates/", root))) {
    const text = read(`templates/${name}`);
    assert.doesNotMatch(text, /<script(?![^>]*\ssrc=)/, name);
    assert.doesNotMatch(text, /\son[a-z]+\s*=\s*["']/, name);
    assert.doesNotMatch(text, /(?:src|href)="https?:/, name);
  }
});

test("pure modules know no page: node can import them", async () => {
  for (const path of scripts.filter((each) => !each.startsWith("ui/") && !ALONE.includes(each))) {
    await assert.doesNotReject(import(new URL(`static/js/${path}`, root)), path);
  }
});
