import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

import { csv, curl, fileName, link, python, shellWord } from "../../../static/js/export/share.js";
import { DEFAULTS, fromQuery } from "../../../static/js/core/state.js";
import { axis, model, trace } from "../traces.js";

test("a shell reads back exactly what was typed", () => {
  for (const text of [
    "a b",
    "it's",
    "'; rm -rf ~; '",
    '$(date) `date` \\ "',
    "*?[a]",
    "line\nbreak",
    "שלום 🎉",
  ]) {
    const said = execFileSync("sh", ["-c", `printf %s ${shellWord(text)}`], { encoding: "utf8" });
    assert.equal(said, text);
  }
});

test("the curl command carries the whole request", () => {
  const body = { text: "o'clock", model: "toy" };
  const command = curl("http://localhost:8000", body);
  assert.match(command, /^curl -s 'http:\/\/localhost:8000\/api\/v1\/translate'/);
  const said = execFileSync("sh", ["-c", command.replace(/^curl/, "printf '%s\\n'")], {
    encoding: "utf8",
  });
  assert.deepEqual(JSON.parse(said.trim().split("\n").at(-1)), body);
});

test("the Python code makes the same request for every text", () => {
  for (const text of ["it's", '"quoted" \\ back', "line\nbreak", "é 🎉 \ud800", "True None null"]) {
    const body = { text, model: "toy", search: { kind: "beam", beam: 4 } };
    const code = python("http://localhost:8000", body);
    const line = code.split("\n").find((each) => each.includes("json.dumps("));
    const asked = line.slice(line.indexOf("(") + 1, line.lastIndexOf(").encode()"));
    const said = execFileSync(
      "python3",
      [
        "-c",
        `import ast, json; compile(${JSON.stringify(code)}, "x", "exec"); print(json.dumps(ast.literal_eval(${JSON.stringify(asked)})))`,
      ],
      { encoding: "utf8" },
    );
    assert.deepEqual(JSON.parse(said), body);
  }
});

test("a spreadsheet reads the map back", () => {
  /** @type {any} */
  const view = {
    columns: [{ text: 'say "no"' }, { text: "a,b" }],
    rows: [{ text: " x" }],
    weights: [[0.25, 0.75]],
  };
  assert.equal(csv(view), ',"say ""no""","a,b"\r\n" x",0.25,0.75\r\n');
});

test("a spreadsheet names the stop token as the page does", () => {
  const end = { text: "</s>", special: true };
  /** @type {any} */
  const view = { columns: [{ text: "a" }, end], rows: [end], weights: [[0.25, 0.75]] };
  assert.equal(csv(view), ",a,⟨end⟩\r\n⟨end⟩,0.25,0.75\r\n");
});

test("a file is named after the input, without characters that file systems forbid", () => {
  assert.equal(fileName(trace(), "json"), "heed-toy-the-third-of-the.json");
  assert.equal(
    fileName(trace({ source: axis([['../../etc:*?<>|"']]) }), "svg"),
    "heed-toy-etc.svg",
  );
  assert.equal(fileName(trace({ source: axis([["!!!"]]) }), "png"), "heed-toy.png");
});

test("a link names model and sentence even where they are the defaults", () => {
  const made = new URL(
    link("http://localhost:8000/?step=9#main", { ...DEFAULTS, step: 2 }, model()),
  );
  assert.equal(made.hash, "");
  assert.deepEqual(fromQuery(made.search), {
    ...DEFAULTS,
    step: 2,
    model: "toy",
    text: "the third of may",
  });
});
