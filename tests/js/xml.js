/** What an XML parser minds, as far as our drawings go: one root, tags that match, nothing bare. */

const TAG = /<(\/?)([a-z]+)((?: [\w:-]+="[^"<]*")*)(\/?)>/gy;
const TEXT = /(?:[^<&\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|&(?:amp|lt|gt|quot);)+/gy;

/** The elements, each as [name, attributes, text inside]; throws where it is not well-formed. @returns {any} */
export function parsed(text) {
  const open = [];
  const elements = [];
  let at = 0;
  while (at < text.length) {
    TAG.lastIndex = TEXT.lastIndex = at;
    const tag = TAG.exec(text);
    const words = tag ? null : TEXT.exec(text);
    if (!tag && !words) throw new Error(`not well-formed at ${at}: ${text.slice(at, at + 60)}`);
    at = tag ? TAG.lastIndex : TEXT.lastIndex;
    if (words) {
      const plain = words[0]
        .replace(/&lt;/g, "<")
        .replace(/&gt;/g, ">")
        .replace(/&quot;/g, '"')
        .replace(/&amp;/g, "&");
      if (!open.length) throw new Error("text outside of the root");
      for (const element of open) element.text += plain;
    } else if (tag[1]) {
      if (open.pop()?.name !== tag[2]) throw new Error(`</${tag[2]}> closes nothing`);
    } else {
      const attributes = Object.fromEntries(
        [...tag[3].matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
      );
      if (!open.length && elements.length) throw new Error("a second root");
      const element = { name: tag[2], attributes, text: "" };
      elements.push(element);
      if (!tag[4]) open.push(element);
    }
  }
  if (open.length) throw new Error(`${open.at(-1).name} is never closed`);
  return elements;
}

/** The texts of a drawing, in order. @returns {any} */
export const texts = (svg) =>
  parsed(svg)
    .filter(({ name }) => name === "text")
    .map(({ text }) => text);
