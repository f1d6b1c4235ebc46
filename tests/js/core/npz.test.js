import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { NpzError } from "../../../static/js/core/npy.js";
import { readNpz, writeNpz } from "../../../static/js/core/npz.js";
import { partial } from "../traces.js";

const folder = mkdtempSync(join(tmpdir(), "heed-npz-"));
const PYTHON = process.env.HEED_PYTHON ?? ".venv/bin/python";
const python = (code, ...rest) =>
  execFileSync(PYTHON, ["-c", `import json, sys\nimport numpy as np\n${code}`, ...rest], {
    encoding: "utf8",
  });
const read = (file) => readNpz(new Uint8Array(readFileSync(file)));

test("NumPy reads what is written", () => {
  const file = join(folder, "ours.npz");
  /** @type {any} */
  const weights = { shape: [1, 2, 2, 3], data: Array.from({ length: 12 }, (_, i) => i / 8) };
  const source = { shape: [3], data: ["▁été", "🎉", ""] };
  writeFileSync(file, writeNpz({ weights, source }));
  const said = JSON.parse(
    python(
      "a = np.load(sys.argv[1])\nprint(json.dumps([a['weights'].shape, a['weights'].ravel().tolist(), a['source'].tolist()]))",
      file,
    ),
  );
  assert.deepEqual(said, [weights.shape, weights.data, source.data]);
});

test("what NumPy writes is read, compressed or not, in every usual type", async () => {
  for (const save of ["savez", "savez_compressed"]) {
    for (const type of ["f2", "f4", "f8", "i4", "i8", "u1"]) {
      const file = join(folder, `${save}-${type}.npz`);
      python(
        `np.${save}(sys.argv[1], weights=np.arange(6, dtype="${type}").reshape(2, 3), source=np.array(["a", "zwei", "🎉"]))`,
        file,
      );
      const { weights, source } = await read(file);
      assert.deepEqual(weights.shape, [2, 3], `${save} ${type}`);
      assert.deepEqual(Array.from(partial(weights.data)), [0, 1, 2, 3, 4, 5]);
      assert.deepEqual(source.data, ["a", "zwei", "🎉"]);
    }
  }
});

test("what is written is read back", async () => {
  /** @type {any} */
  const weights = { shape: [2, 2], data: [0.25, 0.75, 1, 0] };
  /** @type {any} */
  const back = await readNpz(writeNpz({ weights }));
  assert.deepEqual(
    [back.weights.shape, Array.from(back.weights.data)],
    [weights.shape, weights.data],
  );
});

test("a file that is no archive, or a damaged one, is refused with a reason", async () => {
  const whole = writeNpz({ weights: { shape: [2], data: [0.5, 0.5] } });
  for (const bytes of [
    new Uint8Array(0),
    new Uint8Array(100),
    whole.slice(0, 40),
    whole.slice(20),
  ]) {
    await assert.rejects(readNpz(bytes), NpzError);
  }
  const file = join(folder, "objects.npz");
  python("np.savez(sys.argv[1], weights=np.array([{}, 1], dtype=object))", file);
  await assert.rejects(read(file), /no objects/);
  python("np.savez(sys.argv[1], weights=np.asfortranarray(np.ones((2, 3))))", file);
  await assert.rejects(read(file), /column by column/);
});
