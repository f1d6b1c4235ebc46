import assert from "node:assert/strict";
import { test } from "node:test";

import { received } from "../../../static/js/shell/host.js";

test("a position that is sent while the views are loaded is the one to begin with", async () => {
  /** @type {(event: any) => void} */
  let listen = () => {};
  const parent = { postMessage: () => {} };
  Object.assign(globalThis, {
    parent,
    addEventListener: (_, call) => (listen = call),
    removeEventListener: (_, call) => listen === call && (listen = () => {}),
  });
  const waiting = received();
  const send = (data) => listen({ source: parent, data });
  const position = { row: 0, kind: null, layer: null, head: null };
  send({ heed: "contents", json: "{}", bytes: new ArrayBuffer(0), position, theme: null });
  const given = await waiting;
  send({ heed: "position", position: { ...position, row: 3 } });
  assert.equal(given.position.row, 3);
  given.end();
  send({ heed: "position", position: { ...position, row: 5 } });
  assert.equal(given.position.row, 3);
});
