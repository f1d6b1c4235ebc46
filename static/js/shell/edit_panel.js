/** The panel of edits: the rows that an action changes, the list of edits, and what came of them. */

/** @import {EditedScene, EditedTrace, Scope} from "../core/edit_list.js" */
/** @import {Taught} from "../core/edit_shelf.js" */
/** @import {Edit} from "../core/types" */

import { nameOf } from "../core/edit_list.js";
import { fill, html, say, sayAny, set, slide } from "../draw/dom.js";

/**
 * @typedef {object} Wiring
 * @property {(scope: Scope) => void} scope
 * @property {(value: number, by: string | null) => void} temperature `by`: the drag that its changes belong to
 * @property {() => void} onlyHead @property {() => void} withoutHead
 * @property {() => void} undo @property {() => void} redo @property {() => void} reset
 * @property {(index: number) => void} drop @property {(edit: Edit) => void} show
 * @property {(difference: boolean) => void} compare
 * @property {(taught: Taught) => void} teach
 *
 * @typedef {object} Now
 * @property {boolean} can true where a server answers with the model on screen
 * @property {boolean} editing @property {string} refusal the reason why the map cannot be edited
 * @property {EditedScene | null} scene @property {Scope} scope @property {number} temperature
 * @property {readonly Edit[]} edits @property {EditedTrace & {baseline?: unknown}} trace
 * @property {string} steering how often such edits worked when they were measured
 * @property {{offered: Taught[], shown: Taught | null}} shelf
 * @property {boolean} difference @property {boolean} canUndo @property {boolean} canRedo
 */

/** The slider goes from a tenth to ten, in equal factors. */
const DECADE = 20;
/** How to edit in each view. @type {Record<string, string>} */
const HELP = {
  photo:
    "Paint over the photo, with the mouse or one finger, to send the attention of this step there; press a cell to block it.",
  map: "Drag a cell up or down to set its weight; press it to block it. Press the name of a column to block it in all rows, the name of a row to make it uniform.",
  story:
    "Drag a weight up or down to set it; press it to block its sentence in this hop. Press a sentence to block it in every hop.",
  ribbons:
    "Drag a ribbon up or down to set its weight; press it to block it. Press a word of the input to block it in all rows.",
  arcs: "Drag an arc up or down to set its weight; press it to block it.",
  network: "Drag a weight up or down to set it; press it to block its key.",
  step: "Drag a weight α of the picture or the table up or down to set it; press it to block its key. The scores e are those before the edits, from which the weights follow by the edits.",
  graph: "Drag a coloured edge up or down to set its weight; press it to block it.",
  compare:
    "Drag a row of one map onto a row of another: that model then looks there at this step. Or press a row, then one of the other map. With the keys: arrows choose a row, Enter takes it and gives it, Escape lets it go.",
  patches:
    "Paint over the photo, with the mouse or one finger, to send the attention of this token in this head there; press a patch to block it. The rows above choose layer and head.",
  captions:
    "Drag a word of one caption onto a word of another: that model then looks there at this step. Or press a word, then one of the other caption. With the keys: arrows choose a word, Enter takes it and gives it, Escape lets it go.",
  heads: "Press a head to let it count nothing, and again to let it count.",
};
/** The help in a view that is edited in another way for a kind. @type {Record<string, string>} */
const OF_KIND = {
  "sentences map": "story",
  "grid compare": "captions",
  "patches photo": "patches",
};
/** The views that show the difference. */
const DIFFERS = ["map", "photo"];
const PHOTO_DIFFERENCE =
  "The photo shows what the edits changed at this word: red to yellow where a weight is higher than before, blue-green where it is lower. Words after the texts part are left out.";
const PATCH_DIFFERENCE =
  "The photo shows what the edits changed for this token: red to yellow where a weight is higher than before, blue-green where it is lower.";
/** The comparison has room for its maps, and rows are given there. */
const NOT_BY_RUN = { "data-view-except": "compare" };
const DIFFERENCE =
  "The map shows what the edits changed: blue-green where a weight is higher than before, brown where it is lower.";

export class EditPanel {
  #scope = html.select({ id: "edit-scope" });
  #scopeField = html.label({ class: "picker" }, "Edits change ", this.#scope);
  #slider = html.input({
    ...{ type: "range", id: "edit-temperature", step: 1, value: 0 },
    ...{ min: -DECADE, max: DECADE, "aria-label": "Temperature" },
  });
  #temperature = html.output({ class: "number note", for: "edit-temperature" }, "1");
  #only = button("Only this head", "All others count nothing", NOT_BY_RUN);
  #without = button("Without this head", "It counts nothing", NOT_BY_RUN);
  #chips = html.div({ class: "chips edit-chips", role: "group", "aria-label": "Edits" });
  #shelf = html.div({
    ...{ id: "edit-shelf", class: "chips edit-shelf", role: "group", ...NOT_BY_RUN },
    "aria-label": "Edits to try",
  });
  /** Those in the list. @type {readonly Edit[]} */
  #edits = [];
  /** True if each can be dropped. */
  #drops = false;
  /** The names on the shelf. */
  #offered = "";
  #undo = button("Undo");
  #redo = button("Redo");
  #reset = button("Reset", "Drop all edits");
  #compare = html.input({ type: "checkbox", id: "edit-compare" });
  #comparing = html.label({ class: "picker" }, this.#compare, " compare with before");
  #tools = html.div(
    { class: "edit-tools" },
    this.#scopeField,
    html.label(
      { class: "picker edit-temperature", ...NOT_BY_RUN },
      "Temperature ",
      this.#slider,
      this.#temperature,
    ),
    this.#only,
    this.#without,
  );
  #steps = html.div({ class: "edit-steps" }, this.#undo, this.#redo, this.#reset, this.#comparing);
  #help = html.p({ id: "edit-help", class: "note" });
  #cell = html.span({ id: "edit-cell", class: "number", role: "status" });
  #effect = html.span({ id: "edit-effect", role: "status" });
  #refusal = html.p({ id: "edit-refusal", class: "error", role: "alert", hidden: true });
  #root = html.section(
    { id: "edit-panel", class: "edit-panel", "aria-label": "Edits of the attention", hidden: true },
    html.div({ class: "edit-bar" }, this.#tools, this.#steps),
    this.#shelf,
    html.div({ class: "edit-row" }, this.#chips, this.#help),
    this.#refusal,
    html.p({ class: "edit-said" }, this.#cell, " ", this.#effect),
  );
  #wiring;

  /** @param {Wiring} wiring @param {HTMLElement} tools those of edits over a photo */
  constructor(wiring, tools) {
    this.#wiring = wiring;
    this.#tools.prepend(tools);
    // In place of the note, beside the picture where that has a side; over a photo below the views.
    const note = document.getElementById("map-note");
    if (note) note.before(this.#root);
    else document.querySelector(".picture-head")?.after(this.#root);
    this.#scope.addEventListener("change", () =>
      wiring.scope(/** @type {Scope} */ (this.#scope.value)),
    );
    const temper = (/** @type {string | null} */ by) => () =>
      wiring.temperature(temperatureOf(Number(this.#slider.value)), by);
    this.#slider.addEventListener("input", temper("temperature"));
    const actions = /** @type {const} */ ([
      [this.#only, wiring.onlyHead],
      [this.#without, wiring.withoutHead],
      [this.#undo, wiring.undo],
      [this.#redo, wiring.redo],
      [this.#reset, wiring.reset],
    ]);
    for (const [node, act] of actions)
      node.addEventListener("click", () => {
        // A disabled button would lose the focus.
        if (node.getAttribute("aria-disabled") !== "true") act();
      });
    this.#compare.addEventListener("change", () => wiring.compare(this.#compare.checked));
  }

  /** @param {Now} now */
  draw({
    can,
    shelf,
    editing,
    refusal,
    scene,
    scope,
    temperature,
    edits,
    trace,
    steering,
    difference,
    canUndo,
    canRedo,
  }) {
    this.#root.hidden = !editing && !edits.length && !refusal;
    const several = Boolean(scene && scene.heads.length * scene.layers.length > 1);
    const of = several && scene?.pool === null;
    this.#tools.hidden = !editing || Boolean(refusal);
    this.#scopeField.hidden = !several;
    this.#only.hidden = this.#without.hidden = !of;
    if (scene && several) fill(this.#scope, scopesOf(scene), scope);
    sayAny(this.#help, refusal || helpOf({ editing, edits, scene, difference, shelf, steering }));
    const offers = editing && (!edits.length || shelf.shown);
    this.#drawShelf(offers ? shelf : { offered: [], shown: null });
    const value = Math.round(Math.log10(temperature) * DECADE);
    slide(this.#slider, value, temperature.toFixed(2));
    say(this.#temperature, String(Number(temperature.toPrecision(2))));
    this.#chips.hidden = !edits.length;
    this.#undo.hidden = this.#redo.hidden = this.#reset.hidden = !can;
    this.#drawList(edits, trace, can);
    disable(this.#undo, !canUndo);
    disable(this.#redo, !canRedo);
    disable(this.#reset, !edits.length);
    this.#compare.checked = difference;
    this.#comparing.hidden = !trace.baseline || !DIFFERS.includes(scene?.viewName ?? "");
    if (!edits.length) say(this.#effect, "");
  }

  /** @param {Now["shelf"]} shelf */
  #drawShelf({ offered, shown }) {
    this.#shelf.hidden = !offered.length;
    const names = offered.map(({ name }) => name).join();
    if (names !== this.#offered)
      this.#shelf.replaceChildren(
        html.span({ class: "legend" }, "Try"),
        ...offered.map((taught) => {
          const node = html.button({ type: "button", title: taught.says }, taught.name);
          node.addEventListener("click", () => this.#wiring.teach(taught));
          return node;
        }),
      );
    this.#offered = names;
    const at = shown ? offered.indexOf(shown) : -1;
    this.#shelf
      .querySelectorAll("button")
      .forEach((node, index) => node.setAttribute("aria-pressed", String(index === at)));
  }

  /** @param {readonly Edit[]} edits @param {EditedTrace} trace @param {boolean} can */
  #drawList(edits, trace, can) {
    this.#edits = edits;
    const held = [...this.#chips.querySelectorAll("button")].indexOf(
      /** @type {HTMLButtonElement} */ (document.activeElement),
    );
    if (this.#chips.childElementCount !== edits.length || can !== this.#drops) {
      this.#drops = can;
      this.#chips.replaceChildren(...edits.map((_, index) => this.#chip(index)));
    }
    edits.forEach((edit, index) => {
      const name = nameOf(edit, trace);
      const [show, drop] = /** @type {any} */ (this.#chips.children[index]).children;
      say(show, name);
      if (drop) set(drop, "aria-label", `Drop: ${name}`);
    });
    if (held === -1 || this.#chips.contains(document.activeElement)) return;
    const buttons = this.#chips.querySelectorAll("button");
    (buttons[Math.min(held, buttons.length - 1)] ?? this.#reset).focus();
  }

  /** @param {number} index */
  #chip(index) {
    const show = html.button({ type: "button" });
    const drop = html.button({ type: "button" }, "×");
    show.addEventListener("click", () => {
      const edit = this.#edits[index];
      if (edit) this.#wiring.show(edit);
    });
    drop.addEventListener("click", () => this.#wiring.drop(index));
    return html.span({ class: "edit-chip" }, show, this.#drops && drop);
  }

  /** Says the weight of the chosen cell. @param {string} text @param {boolean} moving */
  sayCell(text, moving) {
    this.#cell.setAttribute("aria-live", moving ? "off" : "polite");
    say(this.#cell, text);
  }

  /** Says what the edits did. @param {string} text */
  sayEffect(text) {
    say(this.#effect, text);
  }

  /** Says why an edit was refused. @param {string} text */
  refuse(text) {
    sayAny(this.#refusal, text);
  }
}

/** The hint: the next thing to do, or to watch. @param {Pick<Now, "editing" | "edits" | "scene" | "difference" | "shelf" | "steering">} now */
function helpOf({ editing, edits, scene, difference, shelf, steering }) {
  const view = scene?.viewName ?? "";
  const kind = /** @type {any} */ (scene)?.kind?.name;
  const own = OF_KIND[`${kind} ${view}`] ?? view;
  if (difference && view === "photo")
    return kind === "patches" ? PATCH_DIFFERENCE : PHOTO_DIFFERENCE;
  if (difference && view === "map")
    return scene?.trace.target.kind === "tokens"
      ? `${DIFFERENCE} Rows after the texts part are left out.`
      : DIFFERENCE;
  if (shelf.shown) return shelf.shown.says;
  if (!editing || (edits.length && view !== "step")) return "";
  const help = HELP[own] ?? "";
  return help && view !== "compare" && !edits.length ? `${help} ${steering}` : help;
}

/** @param {string} text @param {string} [title] @param {Record<string, string>} [more] */
const button = (text, title, more) =>
  html.button({ type: "button", class: "quiet", title: title ?? null, ...more }, text);

/** @param {HTMLButtonElement} node @param {boolean} is */
const disable = (node, is) => node.setAttribute("aria-disabled", String(is));

/** @param {number} value of the slider */
const temperatureOf = (value) => Number((10 ** (value / DECADE)).toPrecision(2));

/** @param {EditedScene} scene */
function scopesOf({ layers, heads, pool }) {
  const [head, layer] = [pool === null && heads.length > 1, layers.length > 1];
  return [
    ...(head ? [{ value: "head", text: "this head" }] : []),
    ...(layer
      ? [{ value: "layer", text: heads.length > 1 ? "all heads of this layer" : "this layer" }]
      : []),
    { value: "all", text: layer ? "all layers" : "all heads" },
  ];
}
