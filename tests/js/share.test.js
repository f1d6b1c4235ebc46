import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

import { curl, fileName, link, shellWord } from "../../static/js/share.js";
import { DEFAULTS, fromQuery } from "../../static/js/state.js";
import { axis, model, trace } from "./traces.js";

test("a shell reads back exactly what was typed", () => {
  for (const text of ["a b", "it's", "'; rm -rf ~; '", "$(date) `date` \\ \"", "*?[a]", "line\nbreak", "שלום 🎉"]) {
    const said = execFileSync("sh", ["-c", `printf %s ${shellWord(text)}`], { encoding: "utf8" });
    assert.equal(said, text);
  }
});

test("the curl command carries the whole request", () => {
  const body = { text: "o'clock", model: "toy" };
  const command = curl("http://localhost:8000", body);
  assert.match(command, /^curl -s 'http:\/\/localhost:8000\/api\/v1\/translate'/);
  const said = execFileSync("sh", ["-c", command.replace(/^curl/, "printf '%s\\n'")], { encoding: "utf8" });
  assert.deepEqual(JSON.parse(said.trim().split("\n").at(-1)), body);
});

test("a file is named after what was read, with nothing a file system minds", () => {
  assert.equal(fileName(trace(), "json"), "heed-toy-the-third-of-the.json");
  assert.equal(fileName(trace({ source: axis([["../../etc:*?<>|\""]]) }), "svg"), "heed-toy-etc.svg");
  assert.equal(fileName(trace({ source: axis([["!!!"]]) }), "png"), "heed-toy.png");
});

test("a link names model and sentence even where they are the defaults", () => {
  const made = new URL(link("http://localhost:8000/?step=9#main", { ...DEFAULTS, step: 2 }, model()));
  assert.equal(made.hash, "");
  assert.deepEqual(fromQuery(made.search), { ...DEFAULTS, step: 2, model: "toy", text: "the third of may" });
});
