import assert from "node:assert/strict";
import { test } from "node:test";

import { drawer } from "../../../static/js/export/drawing.js";
import { frames } from "../../../static/js/export/gif/frames.js";
import { PAGE } from "../../../static/js/draw/paper/sheet.js";
import { onPaper } from "../../../static/js/views/loaders.js";
import { ExportRefused } from "../../../static/js/core/errors.js";
import { sceneOf } from "../../../static/js/core/scene.js";
import { DEFAULTS } from "../../../static/js/core/state.js";
import { axis, map, model, trace } from "../traces.js";
import { parsed, texts } from "../xml.js";

const measure = (text, { size }) => Array.from(text).length * size * 0.55;
const toy = model({ order: "before", mechanism: "additive", heads: 1 });
const scene = (change = {}, made = trace()) =>
  sceneOf(made, { ...DEFAULTS, units: "words", ...change }, toy);
/** The modules of the drawings, loaded once. */
const drawings = new Map(
  await Promise.all(
    ["map", "ribbons", "step", "heads", "compare"].map(
      async (name) => /** @type {[string, any]} */ ([name, await onPaper(name, "tokens")]),
    ),
  ),
);
const paper = (drawn, { beside: compared = null, moment = null } = {}) => {
  const { draw, model } = drawings.get(drawn.viewName);
  return draw(drawn, {
    measure,
    model,
    companions: compared && { models: [], answers: [], drawn: compared },
    moment,
    heat: () => "",
  });
};
const words = (...list) => list.map((each) => [each]);
const VIEWS = ["map", "ribbons", "step", "compare"];
const beside = (settings = DEFAULTS) => ({
  entries: [
    { model: toy, trace: trace(), failure: null },
    { model: { ...toy, id: "other", name: "Toys, other" }, trace: trace(), failure: null },
  ],
  apart: null,
  left: [],
  settings,
});

/** A trace of so many words each way. */
function square(count, texts_ = ["word"]) {
  const list = Array.from({ length: count }, (_, i) => [texts_[i % texts_.length]]);
  const [source, target] = [axis(list), axis(list, "mean")];
  return trace({ source, target, maps: [map(source, target)], steps: [] });
}

test("every view is one well-formed drawing on white, with the model's name and real words", () => {
  for (const view of VIEWS) {
    const { svg, width, height } = paper(scene({ view }), { beside: beside() });
    const [root, title, , ground] = parsed(svg);
    assert.equal(root.attributes.viewBox, `0 0 ${width} ${height}`);
    assert.equal(root.attributes.xmlns, "http://www.w3.org/2000/svg");
    assert.match(root.attributes["font-family"], /sans-serif$/);
    assert.match(title.text, /Toy: the third of the → 1979-05/);
    assert.equal(ground.attributes.fill, "#ffffff");
    /** @type {any} */
    const all = texts(svg).join(" ");
    assert.ok(
      all.includes("Toy") && all.includes("third") && all.includes("1979"),
      `${view}: ${all}`,
    );
    assert.doesNotMatch(svg, /href|url\(|@import|<style|NaN|undefined/, view);
  }
});

test("the map has a cell for each weight worth seeing, its words, and a bar that says its largest", () => {
  const { svg } = paper(scene());
  for (const wanted of ["the", "third", "1979", "⟨end⟩", "input →", "output ↓", "1.00"])
    assert.ok(texts(svg).includes(wanted), wanted);
  assert.ok(texts(paper(scene({ scale: "row" })).svg).includes("largest of each row"));
  assert.ok(texts(paper(scene({ log: true })).svg).some((text) => text.includes("1/1000")));
});

test("the selection is highlighted, with its sums at the side and below", () => {
  const { svg } = paper(scene({ columns: [0], rows: [0] }));
  const bold = parsed(svg)
    .filter(({ attributes }) => attributes["font-weight"])
    .map(({ text }) => text);
  assert.deepEqual(bold, ["the", "1979"]);
  const { view } = scene();
  const sum = view.weights[1][0].toFixed(2);
  assert.equal(texts(svg).filter((text) => text === sum).length >= 1, true);
  assert.equal(
    texts(svg).length,
    texts(paper(scene()).svg).length + view.rows.length + view.columns.length,
  );
});

test("drawings keep to a page, and cells of long maps grow small but not their sheet", () => {
  for (const count of [1, 2, 9, 25, 30]) {
    const { width, svg } = paper(scene({}, square(count, ["a", "longerword", "of"])));
    assert.ok(width <= PAGE + 1, `${count}: ${width}`);
    assert.ok(
      parseFloat(parsed(svg)[0].attributes.width) <= 170 &&
        parseFloat(parsed(svg)[0].attributes.height) <= 250,
      `${count}`,
    );
  }
  const { svg } = paper(scene({}, square(200)));
  const { width, height } = parsed(svg)[0].attributes;
  assert.ok(parseFloat(width) <= 250.1 && parseFloat(height) <= 250.1);
});

test("headings of long words neither meet nor leave the sheet", () => {
  const { svg, width } = paper(
    scene({}, square(3, ["donaudampfschifffahrtsgesellschaft".repeat(3)])),
  );
  for (const { attributes, text } of parsed(svg).filter(({ name }) => name === "text")) {
    if (attributes.transform) continue;
    assert.ok(measure(text, { size: Number(attributes["font-size"]) }) <= width, text);
  }
});

test("a text read from right to left has its first column at the right", () => {
  const source = axis(words("שלום", "עולם"));
  const target = axis(words("a", "b"), "mean");
  const { svg } = paper(scene({}, trace({ source, target, maps: [map(source, target)] })));
  const heads = parsed(svg).filter(
    ({ name, text }) => name === "text" && ["שלום", "עולם"].includes(text),
  );
  assert.ok(Number(heads[0].attributes.x) > Number(heads[1].attributes.x));
  assert.ok(texts(svg).includes("← input"));
});

test("markup in a text is drawn as text", () => {
  const nasty = ["</text>", "<!--", "]]>", "a\u0000b", "\ufffe", "&amp;", '"'];
  const made = square(nasty.length, nasty);
  for (const view of ["map", "ribbons", "compare"]) {
    const { svg } = paper(scene({ view }, made), {
      beside: { ...beside(), entries: [{ model: toy, trace: made, failure: null }] },
    });
    assert.ok(
      texts(svg).some((text) => text.includes("</text>")),
      view,
    );
  }
});

test("where a single mark was written there is a drawing too", () => {
  const nothing = axis([]);
  const made = trace({
    source: nothing,
    target: axis([], "mean"),
    maps: [map(nothing, nothing)],
    steps: [],
  });
  for (const view of ["map", "ribbons"])
    assert.ok(texts(paper(scene({ view }, made)).svg).includes("⟨end⟩"));
});

test("a model without attention has its one vector drawn", () => {
  const made = trace({ maps: [], model: { ...trace().model, mechanism: "none", order: "fixed" } });
  const { svg } = paper(scene({}, made));
  assert.match(texts(svg).join(" "), /never looks back/);
  assert.ok(parsed(svg).filter(({ name }) => name === "path").length >= 4);
});

test("a step stands on paper as far as it is shown", () => {
  const parts = (part) => texts(paper(scene({ view: "step", part })).svg).join(" ");
  assert.match(parts(null), /1 ?The decoder’s state asks \(the query\).*6 ?The next word/);
  assert.match(parts(null), /e − max/);
  assert.doesNotMatch(parts(0), /e − max|0\.9/);
  assert.match(parts(0), /The next word/);
});

test("a view draws itself through the registry, in its own name or in that of another", async () => {
  /** @type {any} */
  const shown = { axis: "tokens", scene: scene(), companions: null };
  assert.equal((await drawer(shown, measure))().svg, paper(scene()).svg);
  assert.equal(
    (await drawer(shown, measure, "ribbons"))().svg,
    drawings.get("ribbons").draw(scene(), { measure, moment: null }).svg,
  );
});

test("an export without a drawing explains the reason", () => {
  assert.throws(
    () => paper(scene({ view: "step" }, trace({ steps: [] }))),
    (error) => error instanceof ExportRefused && /weights only/.test(error.message),
  );
  assert.throws(() => paper(scene({ view: "compare" })), ExportRefused);
});

test("all heads stand in the order of their layers, as small as a large model needs them", () => {
  const list = Array.from({ length: 40 }, () => ["w"]);
  const [source, target] = [axis(list), axis(list, "mean")];
  const maps = [0, 1].flatMap((layer) =>
    Array.from({ length: 6 }, (_, head) => map(source, target, { layer, head })),
  );
  const { svg, width } = paper(scene({ view: "heads" }, trace({ source, target, maps })));
  const named = texts(svg).filter((text) => /^(Layer|Head)/.test(text));
  assert.deepEqual(named.slice(0, 8), [
    "Layer 1",
    "Head 1",
    "Head 2",
    "Head 3",
    "Head 4",
    "Head 5",
    "Head 6",
    "Layer 2",
  ]);
  assert.ok(width <= PAGE + 1 && svg.length < 400_000);
});

test("models stand side by side with what they measured, and the difference of two", () => {
  const { view } = scene();
  const values = view.rows.map((_, i) => view.columns.map((__, j) => (i === j ? 0.5 : -0.25)));
  const { svg } = paper(scene({ view: "compare" }), {
    beside: { ...beside(), apart: { names: ["Toy", "other"], text: "1979-05", view, values } },
  });
  /** @type {any} */
  const all = texts(svg);
  assert.ok(all.includes("other") && all.some((text) => text.startsWith("entropy")));
  assert.ok(all.includes("Difference in attention, for the output “1979-05”"));
  assert.ok(all.includes("more from other, by 0.50") && all.includes("largest of each map"));
});

test("an animation goes row by row with one row marked, and ends on all of it", () => {
  const drawn = scene();
  /** @type {any} */
  const all = frames(drawn);
  assert.equal(all.length, drawn.view.rows.length + 1);
  assert.deepEqual(all[0].moment, { row: 0, current: 0, part: 0 });
  assert.equal(all.at(-1).moment.current, null);
  const sizes = all
    .map(({ moment }) => paper(drawn, { moment }))
    .map(({ width, height }) => `${width} ${height}`);
  assert.equal(new Set(sizes).size, 1);
  const marked = all.map(
    ({ moment }) =>
      parsed(paper(drawn, { moment }).svg).filter(
        ({ attributes }) => attributes["stroke-width"] === "2",
      ).length,
  );
  assert.deepEqual(marked, [...all.slice(1).map(() => 1), 0]);
});

test("an animation follows the speed, rests at its end, and does not grow without end", () => {
  const [slow, fast] = [0.5, 4].map((speed) => frames(scene({ speed })));
  assert.equal(slow[0].ms, 1800);
  assert.equal(fast[0].ms, 225);
  assert.ok(slow.at(-1).ms > slow[0].ms);
  const long = frames(scene({}, square(500)));
  assert.ok(long.length <= 151);
  assert.equal(long.at(-1).moment.row, 500);
});

test("an animation of a step goes from part to part of that step", () => {
  const drawn = scene({ view: "step", step: 1 });
  /** @type {any} */
  const all = frames(drawn);
  assert.deepEqual(
    all.map(({ moment }) => moment.part),
    [0, 1, 2, 3, 4, 5],
  );
  assert.ok(all.every(({ moment }) => moment.row === drawn.row));
  const sizes = new Set(
    all
      .map(({ moment }) => paper(drawn, { moment }))
      .map(({ width, height }) => `${width} ${height}`),
  );
  assert.equal(sizes.size, 1);
});
