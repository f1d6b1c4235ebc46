/** The list of the keys that work on this page. Loaded when it is asked for. */

import { EDIT_KEYS } from "../core/edit_keys.js";
import { KEYS } from "../core/keys.js";
import { KEYS as PRESENTATION } from "../core/presentation.js";
import { html } from "../draw/dom.js";

/** The names of keys on a keyboard. @type {Record<string, string>} */
const NAMES = {
  ArrowRight: "→",
  ArrowLeft: "←",
  ArrowDown: "↓",
  ArrowUp: "↑",
  PageDown: "Page Down",
  PageUp: "Page Up",
  Escape: "Esc",
  Arrows: "← ↑ → ↓",
  " ": "Space",
};

/**
 * The keys by where they work: `at` is an element of the pages that have them.
 * @type {{title: string, at: string, keys: Record<string, string>, does: Record<string, string>}[]}
 */
export const GROUPS = [
  {
    title: "The result",
    at: "#slider",
    keys: KEYS.result,
    does: {
      forward: "the next step, or the next part of a step",
      back: "the step or the part before",
      below: "the row below",
      above: "the row above",
      first: "the first step",
      last: "the last step",
      play: "play, or pause",
      choose: "go to the word that has the focus",
      clear: "clear the selection",
    },
  },
  {
    title: "Edit the attention",
    at: "#edit-attention",
    keys: EDIT_KEYS,
    does: {
      toggle: "edit, or end editing",
      right: "choose a cell",
      left: "choose a cell",
      down: "choose a cell",
      up: "choose a cell",
      more: "more weight",
      less: "less weight",
      block: "block the cell, or take the block off; with Shift in all rows",
      uniform: "make the row uniform",
    },
  },
  {
    title: "On the photo",
    at: "#photo",
    keys: { Arrows: "move", Enter: "select", Escape: "clear" },
    does: {
      move: "go from place to place; with Shift, select several",
      select: "select the place; where the photo is edited, brush it",
      clear: "clear the selection",
    },
  },
  {
    title: "On the graph",
    at: "#graph-editor",
    keys: { Arrows: "move", Enter: "press" },
    does: { move: "go from node to node; with Shift, move the node", press: "show the node" },
  },
  {
    title: "On the picture that is drawn",
    at: "#pad",
    keys: KEYS.pad,
    does: {
      right: "move the pen to the right",
      left: "to the left",
      down: "down",
      up: "up",
      pen: "put the pen down, or lift it",
      read: "lift the pen: the digit is read",
      clear: "clear the picture",
    },
  },
  {
    title: "In the form",
    at: "#ask",
    keys: { Enter: "send", Escape: "fold" },
    does: { send: "send it; in a field of several lines with Control", fold: "fold the form" },
  },
  {
    title: "In a presentation",
    at: "#present",
    keys: PRESENTATION,
    does: {
      forward: "the next part or word",
      back: "back",
      next: "the next step of the lesson",
      previous: "the step of the lesson before",
      play: "play, or pause",
      guess: "hide the next word until it is guessed",
      code: "the QR code of this page",
      laser: "the highlight that follows the pointer",
      leave: "the end",
    },
  },
  {
    title: "In the lesson",
    at: "#lesson",
    keys: KEYS.lesson,
    does: { next: "the next step", back: "the step before" },
  },
  { title: "Everywhere", at: "body", keys: { "?": "list" }, does: { list: "this list" } },
];

/** Opens the list, unless it is open. */
export function openKeys() {
  if (document.getElementById("keys-list")) return;
  const close = html.button({ type: "button" }, "Close");
  const list = html.dialog(
    { id: "keys-list", class: "key-list", "aria-labelledby": "keys-name" },
    html.div({ class: "key-list-head" }, html.h2({ id: "keys-name" }, "Keys"), close),
    html.div({ class: "key-list-groups" }, GROUPS.map(groupOf)),
  );
  close.addEventListener("click", () => list.close());
  list.addEventListener("close", () => list.remove());
  document.body.append(list);
  list.showModal();
}

/** @param {(typeof GROUPS)[number]} group */
function groupOf({ title, at, keys, does }) {
  if (!document.querySelector(at)) return null;
  /** @type {Map<string, string[]>} */
  const byAction = new Map();
  for (const [key, action] of Object.entries(keys))
    byAction.set(action, [
      ...(byAction.get(action) ?? []),
      NAMES[key] ?? (key.length > 1 ? key : key.toUpperCase()),
    ]);
  const lines = [...byAction].map(([action, names]) =>
    html.div(
      html.dt(names.flatMap((name, place) => [place ? " " : null, html.kbd(name)])),
      html.dd(does[action]),
    ),
  );
  return html.section(html.h3(title), html.dl(lines));
}
