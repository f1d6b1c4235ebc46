/** The key that lists the keys, and the keys that belong to a field. */

/** Elements in which keys are typed, or have a meaning of their own. */
const FIELDS = "input:not([type=range]), textarea, select, dialog, [contenteditable]";

/** True for a key that is typed into a field, or pressed together with another. @param {KeyboardEvent} event */
export const isTyped = ({ target, ctrlKey, metaKey, altKey, isComposing }) =>
  ctrlKey ||
  metaKey ||
  altKey ||
  isComposing ||
  (target instanceof Element && target.closest(FIELDS) !== null);

/** Opens the list of the keys at "?", and at its button. */
export function listKeys() {
  const open = async () => (await import("./keys_dialog.js")).openKeys();
  addEventListener("keydown", (event) => {
    if (event.key !== "?" || isTyped(event)) return;
    event.preventDefault();
    void open();
  });
  document.getElementById("keys")?.addEventListener("click", open);
}
