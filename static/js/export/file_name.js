/** Names of saved files. Pure. */

const LONGEST = 40;

/** The parts of a text that match, joined by hyphens. @param {string} text @param {RegExp} parts */
const joined = (text, parts) =>
  Array.from((text.normalize("NFKC").match(parts) ?? []).join("-"))
    .slice(0, LONGEST)
    .join("");

/**
 * A file's name from the model and the input, safe on every system.
 * @param {{model: {id: string}, source: {text: string}}} trace @param {string} extension
 */
export function fileName({ model, source }, extension) {
  const parts = [
    "heed",
    joined(model.id, /[\p{L}\p{N}_.]+/gu),
    joined(source.text, /[\p{L}\p{N}]+/gu),
  ];
  return `${parts.filter(Boolean).join("-")}.${extension}`;
}
