/** The download of a file that a page has made. */

/** Downloads a file. @param {BlobPart} content @param {string} type @param {string} name */
export function save(content, type, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  return `Saved ${name}.`;
}
