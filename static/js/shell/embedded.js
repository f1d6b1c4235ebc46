/** A frame in another page: it names its model, and says its height to the page around it. */

import { say } from "../draw/dom.js";

/** The type of the message, of which `height` is in pixels. */
const MESSAGE = "heed.height";

/** @param {() => string | undefined} model the name of the model on screen */
export function startEmbedded(model) {
  let said = 0;
  const named = document.getElementById("embedded-model");
  new ResizeObserver(() => {
    if (named) say(named, model() ?? "");
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (height === said || parent === window) return;
    said = height;
    // The page around it may have any origin, and learns nothing but a height.
    parent.postMessage({ type: MESSAGE, height }, "*");
  }).observe(document.body);
}
