import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import {
  base64,
  gathered,
  imports,
  named,
  renamed,
  resolved,
} from "../../../../static/js/export/html/modules.js";

import { leftOut } from "../../../../static/js/export/html/html_export.js";
import { partial } from "../../traces.js";

const root = new URL("../../../../static/js/", import.meta.url);
const read = async (path) => readFileSync(new URL(path, root), "utf8");

test("imports become bare names, and nothing else is touched", () => {
  const source = [
    'import { a } from "./a.js";',
    'import * as b from "../b.js";',
    'export { c } from "./c.js";',
    'const later = () => import("../paper/draw.js");',
    'const text = "import json";',
    '/** @type {import("./types").Order} */',
  ].join("\n");
  const named = renamed("ui/x.js", source);
  assert.equal(
    named,
    [
      'import { a } from "heed/ui/a.js";',
      'import * as b from "heed/b.js";',
      'export { c } from "heed/ui/c.js";',
      'const later = () => import("heed/paper/draw.js");',
      'const text = "import json";',
      '/** @type {import("./types").Order} */',
    ].join("\n"),
  );
  assert.deepEqual(imports("ui/x.js", source), ["ui/a.js", "b.js", "ui/c.js", "paper/draw.js"]);
  assert.equal(resolved("ui/x.js", "../y.js"), "y.js");
});

test("what a saved page needs is found, with what it loads later, and nothing is asked of a server", async () => {
  /** @type {any} */
  const modules = await gathered(
    "pages/text/standalone_app.js",
    read,
    (path) => path === "export/html/html_export.js",
  );
  for (const path of [
    "shell/stage.js",
    "core/scene.js",
    "views/map/view.js",
    "export/drawing.js",
    "views/map/svg.js",
    "export/gif/gif.js",
  ])
    assert.ok(modules.has(path), path);
  for (const path of ["pages/text/app.js", "pages/text/form.js", "export/html/html_export.js"])
    assert.ok(!modules.has(path), path);
  const { modules: map } = named(modules, "pages/text/standalone_app.js");
  for (const [path, source] of modules) {
    for (const [, name] of renamed(path, source).matchAll(
      /(?:^import .*? from |\bimport\()"(heed[^"]+)"/gm,
    ))
      assert.ok(name in map || name.endsWith("html_export.js"), name);
  }
});

test("letters of all scripts survive", () => {
  const text = "é שלום 🎉".repeat(20_000);
  assert.equal(Buffer.from(base64(text), "base64").toString("utf8"), text);
});

test("the file of every page has all modules that it imports before it runs", async () => {
  const STATIC = /^(?:import|export)\s(?:[^"';]*\sfrom\s)?"(\.{1,2}\/[^"]+\.js)"/gm;
  const kinds = {
    ...{ text: "tokens", picture: "grid", see: "patches", story: "sentences" },
    ...{ graph: "graph", glimpse: "glimpses", read: "reading" },
  };
  for (const [page, kind] of Object.entries(kinds)) {
    const without = leftOut(partial(kind), await read("views/loaders.js"));
    const modules = await gathered(`pages/${page}/standalone_app.js`, read, without);
    for (const [path, source] of modules)
      for (const [, address] of source.matchAll(STATIC))
        assert.ok(modules.has(resolved(path, address)), `${page}: ${path} imports ${address}`);
    assert.equal(modules.has("export/html/html_export.js"), false, page);
    assert.equal(modules.has("views/step/glimpse_step.js"), kind === "glimpses", page);
  }
});
