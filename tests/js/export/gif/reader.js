/** A reader of GIF, written from the specification and not from the writer. */

export function unpacked(bits, bytes) {
  const clear = 1 << bits;
  let width = bits + 1;
  let at = 0;
  const next = () => {
    let code = 0;
    for (let bit = 0; bit < width; bit++, at++) code |= ((bytes[at >> 3] >> (at & 7)) & 1) << bit;
    return code;
  };
  const out = [];
  let table = [];
  let last = null;
  for (;;) {
    const code = next();
    if (code === clear) {
      table = Array.from({ length: clear + 2 }, (_, i) => [i]);
      width = bits + 1;
      last = null;
      continue;
    }
    if (code === clear + 1) return Uint8Array.from(out);
    if (code > table.length || (last === null && code >= clear))
      throw new Error(`code ${code} is not known yet`);
    const string = table[code] ?? [...last, last[0]];
    for (const value of string) out.push(value);
    if (last && table.length < 4096) table.push([...last, string[0]]);
    if (table.length === 1 << width && width < 12) width++;
    last = string;
  }
}

/** Size, table, how often it is shown, and all pictures as a person sees them. */
export function read(file) {
  const short = (at) => file[at] | (file[at + 1] << 8);
  const blocks = (at) => {
    const bytes = [];
    for (; file[at]; at += file[at] + 1) bytes.push(...file.slice(at + 1, at + 1 + file[at]));
    return { bytes, end: at + 1 };
  };
  const [width, height] = [short(6), short(8)];
  const count = 2 << (file[10] & 7);
  const table = Array.from(
    { length: count },
    (_, i) => (file[13 + i * 3] << 16) | (file[14 + i * 3] << 8) | file[15 + i * 3],
  );
  let at = 13 + count * 3;
  let screen = new Array(width * height).fill(null);
  let delay = 0;
  let loops = null;
  const pictures = [];
  while (file[at] !== 0x3b) {
    if (file[at] === 0x21) {
      if (file[at + 1] === 0xf9) delay = short(at + 4);
      const { bytes, end } = blocks(at + 2);
      if (file[at + 1] === 0xff) loops = bytes[12] | (bytes[13] << 8);
      at = end;
    } else {
      const [left, top, wide, high] = [short(at + 1), short(at + 3), short(at + 5), short(at + 7)];
      const { bytes, end } = blocks(at + 11);
      const indices = unpacked(file[at + 10], bytes);
      screen = screen.slice();
      indices.forEach(
        (index, i) =>
          (screen[(top + Math.floor(i / wide)) * width + left + (i % wide)] = table[index]),
      );
      pictures.push({ delay, pixels: screen, box: [left, top, wide, high], count: indices.length });
      at = end;
    }
  }
  return { name: String.fromCharCode(...file.slice(0, 6)), width, height, loops, pictures };
}
