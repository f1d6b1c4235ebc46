import assert from "node:assert/strict";
import { test } from "node:test";

import { filled } from "../../../../static/js/export/html/html_export.js";

test("a shell is filled with any title, and with what was packed", () => {
  const shell =
    '<title>Heed</title><p>Heed</p><script type="text/plain" id="contents"></script><p></p>';
  assert.equal(
    filled(shell, "</title> $& 1 & 2 · Heed", { text: "$$a$&b", size: 3 }),
    "<title>&lt;/title&gt; $&amp; 1 &amp; 2 · Heed</title><p>Heed</p>" +
      '<script type="text/plain" id="contents" data-size="3">$$a$&b</script><p></p>',
  );
});
