import assert from "node:assert/strict";
import { test } from "node:test";

import {
  at,
  escaped,
  flowing,
  number,
  stacked,
  tag,
} from "../../../../static/js/draw/paper/markup.js";
import { texts } from "../../texts.js";
import { parsed } from "../../xml.js";

test("text of users is escaped, and invalid characters are removed", () => {
  for (const text of [
    "</text><script>",
    "a & b",
    "\"quoted\" 'too'",
    "]]>",
    "<!-- -->",
    "\u0000\u0001\u001b",
    "half \ud800 of a pair",
    "\ufffe\uffff",
    "שלום 🎉",
    ...texts().filter((text) => !/[\0\v\f]/.test(text)),
  ]) {
    const [{ text: back, attributes }] = parsed(tag("text", { title: text }, escaped(text)));
    assert.equal(back, text.replace(/[\u0000\u0001\u001b\ud800\ufffe\uffff]/g, "\ufffd"));
    assert.ok(!/[<]/.test(attributes.title));
  }
});

test("an attribute that is nothing is left out, and numbers have no more digits than can be seen", () => {
  assert.equal(tag("path", { d: "M0 0", fill: null, x: 1 / 3 }), '<path d="M0 0" x="0.33"/>');
  assert.equal(number(2.0000001), "2");
  assert.equal(at(1, 2, ""), "");
});

test("pieces stand one below the other, or side by side as long as there is room", () => {
  const piece = { width: 40, height: 10, marks: "<g/>" };
  assert.deepEqual([stacked([piece, piece], 5).height, stacked([piece, piece], 5).width], [25, 40]);
  assert.equal(stacked([], 5).height, 0);
  const lines = flowing([piece, piece, piece], 90, 10);
  assert.deepEqual([lines.width, lines.height], [90, 30]);
});
