import assert from "node:assert/strict";
import { test } from "node:test";

import { arranged } from "../../../../static/js/views/sheet/model.js";

const GAP = { column: 16, row: 20 };
const NAME = 50;

test("the panels of all words are whole in their room, however tall or wide the photo", () => {
  for (const aspect of [0.2, 0.5, 1, 1.5, 4, 10])
    for (const count of [1, 3, 11, 20])
      for (const room of [
        { width: 1217, height: 410 },
        { width: 358, height: 600 },
      ]) {
        const { columns, width } = arranged(count, room, { aspect, name: NAME }, GAP);
        const lines = Math.ceil(count / columns);
        const high = lines * (width / aspect + NAME) + (lines - 1) * GAP.row;
        const name = `${count} of ${aspect} in ${room.width}`;
        assert.ok(width > 0 && width * columns + GAP.column * (columns - 1) <= room.width, name);
        assert.ok(high <= room.height + 1, name);
      }
});

test("no other number of columns has larger panels", () => {
  const room = { width: 1217, height: 410 };
  const { columns, width } = arranged(11, room, { aspect: 0.2, name: NAME }, GAP);
  assert.deepEqual([columns, width], [11, 72]);
});
