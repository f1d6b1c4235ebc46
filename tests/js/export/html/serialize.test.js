import assert from "node:assert/strict";
import { test } from "node:test";

import { html } from "../../../../static/js/export/html/serialize.js";

/** Nodes as a browser would have them, as far as it matters here. @returns {any} */
function node(localName, attributes, ...children) {
  const made = {
    nodeType: 1,
    localName,
    attributes: Object.entries(attributes).map(([name, value]) => ({ name, value })),
  };
  made.childNodes = children.map((child) =>
    typeof child === "string"
      ? { nodeType: 3, textContent: child, parentNode: made, childNodes: [] }
      : child,
  );
  return made;
}

test("text and attributes are escaped, scripts and styles are not", () => {
  /** @type {any} */
  const page = {
    nodeType: 9,
    childNodes: [
      { nodeType: 10, childNodes: [] },
      node(
        "html",
        { lang: "en" },
        node("p", { title: '"<&' }, "a < b & c\u00a0d"),
        node("script", {}, "1 < 2 && 3"),
        node("style", {}, "a > b {}"),
      ),
    ],
  };
  assert.equal(
    html(page),
    '<!doctype html>\n<html lang="en"><p title="&quot;&lt;&amp;">a &lt; b &amp; c&nbsp;d</p><script>1 < 2 && 3</script><style>a > b {}</style></html>\n',
  );
});

test("elements without an end have none, empty ones have theirs, and comments are left out", () => {
  assert.equal(
    html(
      node("div", {}, node("br", {}), node("input", { disabled: "" }), node("i", {}), {
        nodeType: 8,
        childNodes: [],
      }),
    ),
    '<div><br><input disabled=""><i></i></div>',
  );
});
