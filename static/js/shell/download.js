/** Handing a person a file. */

/** @param {BlobPart} content @param {string} type @param {string} name what to tell them */
export function save(content, type, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  return `Saved ${name}.`;
}
