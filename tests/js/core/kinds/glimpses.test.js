import assert from "node:assert/strict";
import { test } from "node:test";

import { glimpses } from "../../../../static/js/core/kinds/glimpses.js";
import { dataAddress, forAddress } from "../../../../static/js/core/picture_address.js";
import { glimpse } from "../../../../static/js/pages/glimpse/page.js";
import { lineUntil, patchName, pathShapes } from "../../../../static/js/views/path/model.js";
import { draw } from "../../../../static/js/views/path/svg.js";
import { draw as drawStep } from "../../../../static/js/views/step/svg.js";
import { glimpseText, placeOf, stepOf } from "../../../../static/js/views/step/glimpse_step.js";
import { GLIMPSE_MODEL, glimpseTrace } from "../../glimpses.js";
import { parsed } from "../../xml.js";

const scene = (change = {}) =>
  glimpses.sceneOf(glimpseTrace(), { ...glimpse.state.DEFAULTS, ...change }, GLIMPSE_MODEL);

test("the rows are glimpses, the columns digits, the numbers beliefs", () => {
  const { view, row, viewName } = scene();
  assert.deepEqual(
    view.rows.map(({ text }) => text),
    ["glimpse 1", "glimpse 2"],
  );
  assert.deepEqual(
    view.columns.map(({ text }) => text),
    ["0", "1", "2"],
  );
  assert.deepEqual(view.weights, [
    [0.5, 0.3, 0.2],
    [0.1, 0.8, 0.1],
  ]);
  assert.equal(row, 1);
  assert.equal(viewName, "path");
});

test("a sentence names the place and the belief", () => {
  assert.equal(
    glimpses.sentence(scene(), 0),
    "Glimpse 1 of 2, in the middle (6 across, 6 down). So far it would read “0” (probability 50.0\u00a0%).",
  );
  assert.match(
    glimpses.sentence(scene(), 1),
    /at the bottom left \(2 across, 10 down\)\. It reads “1”/,
  );
});

test("the view of a step has its parts", () => {
  assert.equal(scene().parts, 1);
  assert.equal(scene({ view: "step" }).parts, 5);
  assert.equal(placeOf(scene(), 1).place, "(−0.67, 0.67)");
  assert.match(glimpseText("place", scene(), 0).says, /always in the middle/);
  assert.equal(glimpseText("belief", scene(), 1).title, "The digit");
});

test("the path goes from middle to middle", () => {
  const { middles, frame } = pathShapes(glimpseTrace());
  assert.equal(lineUntil(middles, 0), "6,6");
  assert.equal(lineUntil(middles, 1), "6,6 2,10");
  assert.ok(frame.left < 0 && frame.width > 12);
  const [boxes] = glimpseTrace().target.glimpses;
  assert.equal(patchName(boxes, 0, 2), "2 × 2 pixels, each of them");
  assert.equal(patchName(boxes, 1, 2), "4 × 4 pixels, means of 2 × 2");
});

test("the path is drawn as well-formed SVG", () => {
  const measure = (/** @type {string} */ text) => 6 * text.length;
  const { svg } = draw(scene(), {
    measure,
    companions: null,
    model: { stepOf },
    moment: null,
    heat: () => "",
  });
  parsed(svg);
  assert.match(svg, /points="6,6 2,10"/);
});

test("a request has the example or the picture of the address", () => {
  assert.equal(glimpse.body(glimpse.state.DEFAULTS, GLIMPSE_MODEL).picture, "iVBOR-_w");
  const settings = glimpse.state.fromQuery("?picture=abc&view=map");
  assert.equal(glimpse.body(settings, GLIMPSE_MODEL).picture, "abc");
  assert.equal(glimpse.state.toQuery(settings), "?picture=abc&view=map");
  assert.equal(glimpse.settingsOf(glimpseTrace()).picture, "_9j-");
  assert.equal(
    dataAddress(forAddress("data:image/jpeg;base64,/9j+")),
    "data:image/png;base64,/9j+",
  );
});

test("a glimpse is drawn part by part as well-formed SVG", () => {
  const how = { measure: (text, { size }) => text.length * size * 0.5, heat: () => "" };
  const whole = drawStep(scene({ view: "step" }), {
    ...how,
    companions: null,
    model: { stepOf },
    moment: null,
  });
  parsed(whole.svg);
  assert.match(whole.svg, /Where to look/);
  assert.match(whole.svg, /P\(digit\)/);
  const moment = { row: 1, current: 1, part: 0 };
  const first = drawStep(scene({ view: "step" }), {
    ...how,
    companions: null,
    model: { stepOf },
    moment,
  });
  assert.doesNotMatch(first.svg, /P\(digit\)/);
  assert.equal(first.height, whole.height);
});
