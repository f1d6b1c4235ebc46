import assert from "node:assert/strict";
import { test } from "node:test";

import { KeptPhoto } from "../../../static/js/core/kept_photo.js";

const COPY = "data:image/jpeg;base64,AAAA";

function store(values = {}) {
  return {
    getItem: (key) => values[key] ?? null,
    setItem: (key, value) => (values[key] = value),
  };
}

test("the copy that was kept last is returned, also after the page is loaded again", () => {
  const held = store();
  const kept = new KeptPhoto(held);
  assert.equal(kept.copy, null);
  kept.keep("data:image/png;base64,BBBB");
  kept.keep(COPY);
  assert.equal(kept.copy, COPY);
  assert.equal(new KeptPhoto(held).copy, COPY);
});

test("only an image is returned, whatever another program has stored", () => {
  for (const odd of ["", "javascript:alert(1)", "https://example.org/a.jpg", `${COPY}" onerror=`])
    assert.equal(new KeptPhoto(store({ "heed-photo": odd })).copy, null, odd);
});

test("a store that is full or forbidden causes no error", () => {
  const refuse = () => {
    throw new Error("refused");
  };
  const kept = new KeptPhoto({ getItem: refuse, setItem: refuse });
  kept.keep(COPY);
  assert.equal(kept.copy, COPY);
  assert.equal(new KeptPhoto(null).copy, null);
});
