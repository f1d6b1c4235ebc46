/** The patches that a glimpse saw, each as a small picture with its size. */

/** @import {Box, Palette} from "../../core/types" */

import { html, say } from "../../draw/dom.js";
import { pixels } from "../../draw/pixels.js";
import { patchName, patchRaster } from "./model.js";

export class Patches {
  node = html.div({ class: "patches" });

  /** Shows the patches of a glimpse, the finest first. @param {number[][][]} seen @param {Box[]} boxes @param {Palette} palette */
  show(seen, boxes, palette) {
    while (this.node.children.length > seen.length) this.node.lastElementChild?.remove();
    while (this.node.children.length < seen.length)
      this.node.append(
        html.figure(
          { class: "patch" },
          html.div({ class: "patch-pixels" }),
          html.figcaption({ class: "note" }),
        ),
      );
    seen.forEach((rows, scale) => {
      const [frame, caption] = /** @type {HTMLElement[]} */ ([
        ...this.node.children[scale].children,
      ]);
      frame.replaceChildren(pixels(patchRaster(rows, palette)));
      say(caption, patchName(boxes, scale, rows.length));
    });
    return this.node;
  }
}
