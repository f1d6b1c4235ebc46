import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32, deflateSync } from "node:zlib";

import { withResolution } from "../../../static/js/export/png_resolution.js";

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

function chunk(name, body) {
  const made = Buffer.alloc(12 + body.length);
  made.writeUInt32BE(body.length);
  made.write(name, 4, "latin1");
  Buffer.from(body).copy(made, 8);
  made.writeUInt32BE(crc32(made.subarray(4, -4)), 8 + body.length);
  return made;
}

/** One black pixel. */
const pixel = () =>
  Uint8Array.from(
    Buffer.concat([
      Buffer.from(SIGNATURE),
      chunk("IHDR", [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]),
      chunk("IDAT", deflateSync(Buffer.from([0, 0]))),
      chunk("IEND", []),
    ]),
  );

function chunks(bytes) {
  const file = Buffer.from(bytes);
  const found = [];
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    const sum = file.readUInt32BE(at + 8 + length);
    assert.equal(sum, crc32(file.subarray(at + 4, at + 8 + length)));
    found.push({
      name: file.toString("latin1", at + 4, at + 8),
      body: file.subarray(at + 8, at + 8 + length),
    });
    at += 12 + length;
  }
  return found;
}

test("the resolution stands behind the header, and everything else stays", () => {
  const found = chunks(withResolution(pixel(), 300));
  assert.deepEqual(
    found.map(({ name }) => name),
    ["IHDR", "pHYs", "IDAT", "IEND"],
  );
  const { body } = found[1];
  assert.deepEqual([body.readUInt32BE(0), body.readUInt32BE(4), body[8]], [11811, 11811, 1]);
});
