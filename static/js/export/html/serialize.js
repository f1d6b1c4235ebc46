/** A document as HTML text. Pure: it only reads nodes, so that tests can pass their own. */

const ELEMENT = 1;
const TEXT = 3;
const DOCUMENT = 9;
/** Elements without an end tag, and those whose text is not escaped. */
const VOID = new Set([
  "area",
  "base",
  "br",
  "col",
  "embed",
  "hr",
  "img",
  "input",
  "link",
  "meta",
  "source",
  "track",
  "wbr",
]);
const VERBATIM = new Set(["script", "style"]);

/** @param {string} text */
const escaped = (text) =>
  text
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/\u00a0/g, "&nbsp;");

/** Comments are left out. @param {Node} node @returns {string} */
export function html(node) {
  const children = () => [...node.childNodes].map(html).join("");
  if (node.nodeType === DOCUMENT) return `<!doctype html>\n${children()}\n`;
  if (node.nodeType === TEXT) {
    const text = node.textContent ?? "";
    const around =
      node.parentNode && "localName" in node.parentNode ? String(node.parentNode.localName) : "";
    return VERBATIM.has(around) ? text : escaped(text);
  }
  if (node.nodeType !== ELEMENT) return "";
  const { localName, attributes } = /** @type {Element} */ (node);
  const pairs = [...attributes].map(
    ({ name, value }) => ` ${name}="${escaped(value).replace(/"/g, "&quot;")}"`,
  );
  return VOID.has(localName)
    ? `<${localName}${pairs.join("")}>`
    : `<${localName}${pairs.join("")}>${children()}</${localName}>`;
}
