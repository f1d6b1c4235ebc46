import assert from "node:assert/strict";
import { test } from "node:test";

import { imported } from "../../../static/js/import/trace_file.js";
import { IMPORTED_MODEL } from "../../../static/js/core/imported_model.js";
import { modelOf, requestBody, requestSettings } from "../../../static/js/core/token_request.js";
import { frame, linkTo, savedAt } from "../../../static/js/core/saved.js";
import { link } from "../../../static/js/export/share.js";
import {
  DEFAULTS,
  addressOf,
  fromQuery,
  toQuery,
  viewOnly,
} from "../../../static/js/core/state.js";
import { model, trace } from "../traces.js";

/** @type {any} */
const SET = {
  ...DEFAULTS,
  model: "m",
  text: "a & b",
  search: "beam",
  beam: 7,
  view: "ribbons",
  step: 2,
  show: ["call"],
};
const at = (pathname, search = "", hash = "") => ({ pathname, search, hash });

test("a path names a saved trace, or none", () => {
  assert.equal(savedAt("/t/Ab1"), "Ab1");
  assert.equal(savedAt("/embed/Ab1"), "Ab1");
  for (const path of ["/", "/t/", "/t/a/b", "/t/a-b", "/docs", "/x/t/a"])
    assert.equal(savedAt(path), null, path);
});

test("the address of a saved trace says how it is looked at, not what was asked", () => {
  assert.equal(
    addressOf(at("/t/Ab1", "?old=1", "#x"), "Ab1", SET),
    "/t/Ab1?step=3&view=ribbons&show=call#x",
  );
  assert.equal(addressOf(at("/t/Ab1", "?view=map"), "Ab1", DEFAULTS), "/t/Ab1");
  assert.deepEqual(viewOnly(SET), { ...DEFAULTS, view: "ribbons", step: 2, show: ["call"] });
});

test("the theme that an embedding page has chosen stays in the address", () => {
  assert.equal(
    addressOf(at("/embed/Ab1", "?theme=dark&view=map"), "Ab1", SET),
    "/embed/Ab1?step=3&view=ribbons&show=call&theme=dark",
  );
});

test("a question leads back to the page itself", () => {
  assert.match(addressOf(at("/t/Ab1", "?theme=dark"), null, SET), /^\/\?model=m&text=a\+%26\+b&/);
  assert.equal(addressOf(at("/"), null, DEFAULTS), "/");
});

test("a link to a saved trace shows the view of now, with the panels closed", () => {
  assert.equal(
    linkTo("https://heed.example", "Ab1", toQuery(viewOnly({ ...SET, show: [] }))),
    "https://heed.example/t/Ab1?step=3&view=ribbons",
  );
  assert.equal(
    link("https://heed.example/t/Ab1?x=1", SET, model()),
    "https://heed.example/t/Ab1?step=3&view=ribbons&show=call",
  );
});

test("nothing in a title can break out of the frame's markup", () => {
  const made = frame(
    "https://heed.example",
    "Ab1",
    toQuery(viewOnly({ ...SET, show: [] })),
    `"><script>'&`,
    500,
  );
  assert.match(
    made,
    /^<iframe src="https:\/\/heed\.example\/embed\/Ab1\?step=3&amp;view=ribbons" title="&quot;&gt;&lt;script&gt;'&amp;" [^<>]*><\/iframe>$/,
  );
});

test("what was asked can be asked again from the trace alone", () => {
  for (const search of [
    { kind: "greedy", beam: 1, seed: 0, temperature: 1, length_penalty: 1 },
    { kind: "beam", beam: 3, seed: 0, temperature: 1, length_penalty: 0.5 },
    { kind: "sample", beam: 1, seed: 9, temperature: 2, length_penalty: 1 },
  ]) {
    const asked = { text: "hm", target: null, search, detail: "steps" };
    const settings = { ...DEFAULTS, ...requestSettings(trace({ request: asked })) };
    const body = requestBody(settings, model());
    assert.equal(body.text, "hm");
    assert.equal(body.search?.kind ?? "greedy", search.kind);
    for (const [name, value] of Object.entries(body.search ?? {}))
      assert.equal(value, search[name], name);
    if (search.kind === "greedy") assert.equal(settings.beam, DEFAULTS.beam);
  }
});

test("a model that is not here is made out of its trace", async () => {
  const here = model();
  assert.equal(modelOf(trace(), [here]), here);
  const gone = modelOf(
    { ...trace(), model: { ...trace().model, id: "gone", mechanism: "dot", order: "after" } },
    [here],
  );
  assert.deepEqual(
    [gone.id, gone.name, gone.mechanism, gone.order],
    [IMPORTED_MODEL.id, "gone", "dot", "after"],
  );
  const plain = await imported(
    new TextEncoder().encode('{"source": ["a"], "target": ["b"], "weights": [[1]]}'),
  );
  assert.equal(modelOf(plain, [here]), IMPORTED_MODEL);
});

test("the address is read as it was written", () => {
  const address = new URL(addressOf(at("/t/Ab1"), "Ab1", SET), "https://heed.example");
  assert.deepEqual(fromQuery(address.search), viewOnly(SET));
});
