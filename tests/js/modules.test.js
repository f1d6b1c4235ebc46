import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const root = new URL("../../", import.meta.url);
const read = (path) => readFileSync(new URL(path, root), "utf8");
const scripts = readdirSync(new URL("static/js/", root), { recursive: true })
  .map(String)
  .filter((path) => path.endsWith(".js"));

/** The first module of each page. */
const PAGES = [
  "shell/theme_button.js",
  "pages/text/app.js",
  "pages/picture/app.js",
  "pages/see/app.js",
  "pages/story/app.js",
  "pages/graph/app.js",
  "pages/glimpse/app.js",
  "pages/read/app.js",
  "pages/grow/app.js",
  "pages/grow/worker.js",
  "pages/learn/cost.js",
  "pages/learn/lesson_file.js",
  "pages/learn/progress.js",
  "pages/learn/score.js",
  "pages/learn/softmax.js",
  "pages/learn/timeline.js",
  "pages/learn/watch.js",
];
/** Scripts of their own, which no module imports. */
const ALONE = [
  ...PAGES,
  "docs.js",
  "shell/early_map.js",
  "shell/early_theme.js",
  "shell/unpack.js",
  "notebook/widget.js",
];
/** The first module of each page in one file. */
const FILES = scripts.filter((path) => path.endsWith("/standalone_app.js"));
/** Modules that replace others in a standalone file. */
const STAND_INS = ["draw/canvas_heatmap.js", "draw/no_plotly.js"];

/** The modules that a module imports by this pattern: statically, or later. */
const imported = (path, pattern) =>
  [...read(`static/js/${path}`).matchAll(pattern)].map(([, from]) =>
    new URL(from, `file:///${path}`).pathname.slice(1),
  );
const atOnce = (path) => imported(path, /^(?:import|export) [^;]*?from "([^"]+)"/gm);
const later = (path) => imported(path, /\bimport\(\s*"([^"]+\.js)"\s*\)(?!\.)/g);

/** A module and all modules that it imports, directly or not. */
function reached(from, ways) {
  const found = new Set([from]);
  for (const path of found) for (const way of ways) for (const next of way(path)) found.add(next);
  return found;
}

test("rarely used modules are loaded on demand, and no module is unused", () => {
  const saving = scripts.filter((path) =>
    /^(?:export|import|draw\/paper)\/|\/(?:svg|exports|export_buttons|photo_exports|share|save_link)\.js$|deletion_keys|standalone|no_plotly|canvas_heatmap/.test(
      path,
    ),
  );
  assert.ok(saving.length > 15);
  for (const start of PAGES) {
    const needed = reached(start, [atOnce]);
    assert.deepEqual(
      saving.filter((path) => needed.has(path)),
      [],
      start,
    );
  }
  const folder = (path) => path.split("/").slice(0, 2).join("/");
  for (const start of PAGES) {
    const others = PAGES.map(folder).filter((each) => each !== folder(start));
    assert.deepEqual(
      [...reached(start, [atOnce, later])].filter((path) => others.includes(folder(path))),
      [],
      start,
    );
  }
  const known = new Set([
    ...[...PAGES, ...FILES].flatMap((start) => [...reached(start, [atOnce, later])]),
    ...STAND_INS,
    ...ALONE,
  ]);
  assert.deepEqual(
    scripts.filter((path) => !known.has(path)),
    [],
  );
});

test("imports are relative, so that one address of the folder serves all", () => {
  for (const path of scripts) {
    for (const [, from] of read(`static/js/${path}`).matchAll(
      /^(?:import|export) [^;]*?from "([^"]+)"/gm,
    )) {
      assert.match(from, /^\.{1,2}\/.*\.js$/, `${path} imports ${from}`);
    }
  }
});

test("nothing is parsed as HTML: text reaches the page as text", () => {
  // A page in one file unpacks the body that the templates gave it, and writes itself; its trace is JSON.
  const unpacked = {
    path: "shell/unpack.js",
    lines:
      /document\.body\.innerHTML = body;|return `<!doctype html>\\n\$\{copy\.outerHTML\}\\n`;/g,
  };
  for (const path of scripts) {
    const text = read(`static/js/${path}`);
    assert.doesNotMatch(
      path === unpacked.path ? text.replace(unpacked.lines, "") : text,
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|eval\(/,
      path,
    );
  }
});

test("no template holds a script or a handler of its own", () => {
  for (const name of readdirSync(new URL("templates/", root)).filter((each) =>
    each.endsWith(".html"),
  )) {
    const text = read(`templates/${name}`);
    assert.doesNotMatch(text, /<script(?![^>]*\s(?:src=|type="application\/json"))/, name);
    assert.doesNotMatch(text, /\son[a-z]+\s*=\s*["']/, name);
    assert.doesNotMatch(text, /(?:src|href)="https?:/, name);
  }
});

test("pure modules do not use the DOM: node can import them", async () => {
  /** @returns {any} */
  const isPure = (/** @type {string} */ path) =>
    /^core\//.test(path) || /\bPure\b/.test(read(`static/js/${path}`).split("*/")[0]);
  const pure = scripts.filter(isPure);
  assert.ok(pure.length > scripts.length / 3);
  for (const path of pure)
    await assert.doesNotReject(import(String(new URL(`static/js/${path}`, root))), path);
});
