import assert from "node:assert/strict";
import { test } from "node:test";

import { KeptPhoto } from "../../../static/js/core/kept_photo.js";
import { textsOf } from "../kept_texts.js";

const COPY = "data:image/jpeg;base64,AAAA";

test("the copy that was kept last is returned, also after the page is loaded again", () => {
  const held = textsOf();
  const kept = new KeptPhoto(held);
  assert.equal(kept.copy, null);
  kept.keep("data:image/png;base64,BBBB");
  kept.keep(COPY);
  assert.equal(kept.copy, COPY);
  assert.equal(new KeptPhoto(held).copy, COPY);
});

test("only an image is returned, whatever another program has stored", () => {
  for (const odd of ["", "javascript:alert(1)", "https://example.org/a.jpg", `${COPY}" onerror=`])
    assert.equal(new KeptPhoto(textsOf({ "heed-photo": odd })).copy, null, odd);
});

test("where storage is forbidden a photo lasts as long as the page", () => {
  const kept = new KeptPhoto(null);
  assert.equal(kept.copy, null);
  kept.keep(COPY);
  assert.equal(kept.copy, COPY);
});
