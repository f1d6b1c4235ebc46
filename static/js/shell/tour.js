/**
 * A tour: the arrow keys turn its steps, and a sentence of your own goes along. Without this script
 * its links lead through it all the same. Loaded on a page of a tour.
 */

import { ownText, withText } from "../core/tour.js";
import { box, byId } from "./dom.js";

/** Where an arrow key has a meaning of its own. */
const TAKEN = "input, textarea, select, summary, #steps, [contenteditable]";

export function startTour() {
  const panel = box("tour");
  const authored = panel.dataset.ownText ?? "";
  const links = /** @type {HTMLAnchorElement[]} */ ([
    ...panel.querySelectorAll("#tour-back, #tour-next[rel], .tour-steps a"),
  ]).map((link) => ({ link, href: link.href }));

  /** Takes the user's sentence along, and says that the words are about another one. */
  const carry = () => {
    const own = ownText(location.search, authored);
    box("tour-own").hidden = own === null;
    for (const { link, href } of links) link.href = own === null ? href : withText(href, own);
  };

  byId("tour-yours", HTMLButtonElement).addEventListener("click", () => {
    document.body.toggleAttribute("data-own", true);
    const field = document.getElementById("text") ?? box("choose");
    field.scrollIntoView({ block: "nearest" });
    field.focus();
    if (field instanceof HTMLTextAreaElement) field.select();
  });
  addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target instanceof Element && target.closest(TAKEN)) return;
    const link = { ArrowRight: "tour-next", ArrowLeft: "tour-back" }[key];
    const turn = link ? document.getElementById(link) : null;
    if (!turn) return;
    event.preventDefault();
    turn.click();
  });
  new MutationObserver(carry).observe(box("stage"), { attributeFilter: ["data-state"] });
  addEventListener("popstate", carry);
  carry();
}
