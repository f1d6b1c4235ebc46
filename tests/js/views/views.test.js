import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";

import { DEFAULTS, fromQuery, toQuery } from "../../../static/js/core/state.js";
import { VIEWS, fittingView, viewNamed, viewsOf } from "../../../static/js/core/views.js";
import { PATCH_NOTES } from "../../../static/js/core/patch_notes.js";
import { PHOTO_NOTES } from "../../../static/js/core/photo_notes.js";
import { NOTES } from "../../../static/js/core/view_notes.js";
import { LOADERS } from "../../../static/js/views/loaders.js";
import { model, trace, partial } from "../traces.js";
import { parsed, texts } from "../xml.js";

const scripts = new URL("../../../static/js/", import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "heed-views-"));
after(() => rmSync(folder, { recursive: true }));

/** A copy of the scripts with one folder and three entries more: a view that was made up for this test. */
async function withMadeUpView() {
  const copy = join(folder, "js");
  cpSync(scripts, copy, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  const made = join(copy, "views/totals");
  mkdirSync(made);
  writeFileSync(join(made, "view.js"), "export class View {\n  draw() {}\n}\n");
  writeFileSync(
    join(made, "svg.js"),
    `import { coverage } from "../../core/row_metrics.js";
import { sheet } from "../../draw/paper/sheet.js";
import { paragraph } from "../../draw/type.js";
export function draw(scene, { measure }) {
  const total = coverage(scene.view.weights, 0).toFixed(2);
  return sheet(scene, paragraph(\`total \${total}\`, { size: 12 }, 300, measure), measure, { sentences: "both", about: "Totals" });
}
`,
  );
  const added = (path, line, entry) => {
    const source = readFileSync(join(copy, path), "utf8");
    assert.ok(source.includes(line), path);
    writeFileSync(join(copy, path), source.replace(line, `${line}${entry}`));
  };
  added(
    "core/views.js",
    "    complete: true,\n  },\n",
    `{ name: "totals", title: "Totals", kinds: ["tokens"],
       settings: { tokens: { digits: setting(number(1, 9, true), 2) } } },`,
  );
  added(
    "core/view_notes.js",
    "NOTES = {",
    'totals: { tokens: () => "The total of each column." },',
  );
  added(
    "views/loaders.js",
    "LOADERS = {",
    `totals: { dom: { tokens: () => import("./totals/view.js") },
       svg: { tokens: () => import("./totals/svg.js") } },`,
  );
  const load = (path) => import(pathToFileURL(join(copy, path)).href);
  return load;
}

test("a made-up view is one folder and three entries: address, page and drawing follow", async () => {
  const load = await withMadeUpView();
  const [
    { VIEWS: all },
    { noteOf: note },
    { LOADERS: loaders },
    state,
    { sceneOf },
    { drawer },
    { frames },
  ] = await Promise.all(
    [
      "core/views.js",
      "core/view_notes.js",
      "views/loaders.js",
      "core/state.js",
      "core/scene.js",
      "export/drawing.js",
      "export/gif/frames.js",
    ].map(load),
  );
  assert.deepEqual(
    all.map(({ name }) => name).filter((name) => !VIEWS.some((view) => view.name === name)),
    ["totals"],
  );

  const settings = { ...state.fromQuery("?view=totals&digits=4"), units: "words" };
  assert.deepEqual([settings.view, settings.digits], ["totals", 4]);
  assert.equal(
    state.toQuery({ ...state.DEFAULTS, view: "totals", digits: 4 }),
    "?view=totals&digits=4",
  );

  const scene = sceneOf(trace(), settings, model({ order: "before" }));
  assert.equal(scene.viewName, "totals");
  assert.equal(note("tokens", scene), "The total of each column.");
  assert.equal(typeof (await loaders.totals.dom.tokens()).View, "function");

  const measure = (text, { size }) => text.length * size * 0.5;
  const draw = await drawer({ axis: "tokens", scene, companions: null }, measure);
  assert.ok(texts(draw().svg).some((text) => text.startsWith("total ")));
  for (const { moment } of frames(scene)) assert.ok(parsed(draw(moment).svg).length > 3);
});

test("an audit fits a map to an input, and that of a prompt that was continued", () => {
  const fits = (picked, source = {}) =>
    viewNamed("tokens", "audit").fits({
      heads: [],
      layers: [],
      picked,
      trace: { source: { kind: "tokens", ...source } },
    });
  assert.equal(fits({ query: "target", key: "source" }), true);
  assert.equal(fits({ query: "source", key: "source" }), false);
  assert.equal(fits({ query: "source", key: "source" }, { written: 4 }), true);
  assert.equal(fits(null, { written: 4 }), false);
});

test("every view has a name of its own, a note and drawings for each axis it fits", () => {
  for (const axis of ["tokens", "grid", "patches", "sentences", "glimpses", "graph", "reading"]) {
    /** @type {any} */
    const names = viewsOf(partial(axis)).flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    assert.equal(new Set(names).size, names.length);
    for (const { name, title } of viewsOf(partial(axis))) {
      const { dom, svg } = LOADERS[name];
      const notes = { ...NOTES[name], grid: PHOTO_NOTES[name], patches: PATCH_NOTES[name] };
      for (const each of [notes, dom, svg])
        assert.ok(title && (each[axis] ?? each.others), `${name}, ${axis}`);
    }
  }
});

test("an address of an older version still names its view", () => {
  assert.equal(fromQuery("?view=lines").view, "ribbons");
  assert.equal(toQuery({ ...DEFAULTS, view: fromQuery("?view=lines").view }), "?view=ribbons");
});

test("a view that a trace does not fit gives way to the default", () => {
  assert.equal(fittingView("tokens", "heads", { heads: [0], layers: [0] }).name, "map");
  assert.equal(fittingView("tokens", "heads", { heads: [0, 1], layers: [0] }).name, "heads");
  assert.equal(viewNamed("grid", "map").name, "photo");
});
