/** SVG as text, so that it can be made without a browser. The text of users is escaped here. Pure. */

/**
 * @typedef {object} Piece a drawing and its size
 * @property {number} width @property {number} height @property {string} marks
 */

/** Characters that are invalid in XML even if they are escaped. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const SIGNS = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
]);

/** @param {string} text */
export function escaped(text) {
  return text.replace(FORBIDDEN, "\ufffd").replace(/[&<>"]/g, (sign) => SIGNS.get(sign) ?? sign);
}

/**
 * An element; an attribute that is null or undefined is omitted.
 * @param {string} name @param {Record<string, string | number | null | undefined>} attributes
 * @param {...string} children that are markup already
 */
export function tag(name, attributes, ...children) {
  const present = Object.entries(attributes).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  const written = present.map(
    ([key, value]) =>
      ` ${key}="${escaped(typeof value === "number" ? number(value) : String(value))}"`,
  );
  const inner = children.join("");
  return `<${name}${written.join("")}${inner ? `>${inner}</${name}>` : "/>"}`;
}

/** A number with two decimals at most. @param {number} value */
export const number = (value) => String(Math.round(value * 100) / 100);

/** @param {number} x @param {number} y @param {string} marks */
export const at = (x, y, marks) =>
  marks ? tag("g", { transform: `translate(${number(x)} ${number(y)})` }, marks) : "";

/** @param {number} x @param {number} y @param {number} width @param {number} height @param {string} fill */
export const rect = (x, y, width, height, fill) => tag("rect", { x, y, width, height, fill });

/** Pieces one below the other. @param {Piece[]} pieces @param {number} gap @returns {Piece} */
export function stacked(pieces, gap) {
  let y = 0;
  const marks = pieces.map((piece) => {
    const placed = at(0, y, piece.marks);
    y += piece.height + gap;
    return placed;
  });
  return {
    width: Math.max(0, ...pieces.map(({ width }) => width)),
    height: Math.max(0, y - gap),
    marks: marks.join(""),
  };
}

/**
 * Pieces side by side, in lines of as many as fit.
 * @param {Piece[]} pieces @param {number} room @param {number} gap @returns {Piece}
 */
export function flowing(pieces, room, gap) {
  /** @type {Piece[][]} */
  const lines = [];
  let used = Infinity;
  for (const piece of pieces) {
    if (used + gap + piece.width > room + 0.01) {
      lines.push([]);
      used = -gap;
    }
    lines[lines.length - 1].push(piece);
    used += gap + piece.width;
  }
  const drawn = lines.map((line) => {
    let x = -gap;
    const marks = line.map((piece) => {
      x += gap;
      const placed = at(x, 0, piece.marks);
      x += piece.width;
      return placed;
    });
    return {
      width: x,
      height: Math.max(...line.map(({ height }) => height)),
      marks: marks.join(""),
    };
  });
  return stacked(drawn, gap);
}
