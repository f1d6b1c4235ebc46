/** The figures of a step on the page. Each is kept from step to step, with other numbers. */

/** @import {Palette, PictureScene} from "../../core/types" */
/** @import {Look} from "../../draw/marks.js" */
/** @import {Cell, CellScale} from "./cells.js" */
/** @import {Chain, Content, StepModel} from "./model.js" */

import { rowAndColumn } from "../../core/grid.js";
import { shownAspect } from "../../core/photo_map.js";
import { othersNote } from "../../core/sentences.js";
import { Bars } from "../../draw/bars.js";
import { html, say, sayAny } from "../../draw/dom.js";
import { onScreen } from "../../draw/ink.js";
import { Drawing } from "../../draw/page.js";
import { photoOf } from "../../draw/photo_marks.js";
import { Strip } from "../../draw/vector_strip.js";
import { Patches } from "../path/patches.js";
import { cellMarks, gateNote, numbersOf } from "./cells.js";
import { KeyTable } from "./key_table.js";

/** Number of cells in the table. */
const LISTED = 10;
/** The width of a figure of cells in units of its drawing, which fills its panel. */
const WIDTH = 1000;

/** @typedef {import("./view.js").StepScene} StepScene */

/** The figures of the parts of a step. */
export class Figures {
  #table = new KeyTable();
  #bars = new Bars();
  #digits = new Digits();
  #patches = new Patches();
  /** By their keys. @type {Map<string, Strip>} */
  #strips = new Map();
  /** By their names. @type {Map<string, CellFigure>} */
  #cells = new Map();
  /** Paragraphs, by the part that they are in. @type {Map<string, HTMLElement>} */
  #texts = new Map();

  /** Forgets the vectors, for a step of other parts. */
  forget() {
    this.#strips.clear();
  }

  /** Shows the columns of the table of keys up to a part, or those of that part only. @param {string} part @param {boolean} only */
  until(part, only) {
    this.#table.until(part, only);
  }

  /** The table of the keys in a step. @param {Chain} step */
  table(step) {
    return this.#table.show(step);
  }

  /**
   * The figure of one content of a part.
   * @param {Content} content @param {{part: string, step: StepModel<any>, scene: StepScene, palette: Palette}} where @returns {Node}
   */
  show(content, { part, step, scene, palette }) {
    const { vector, note, cells, gate, alternatives, patches, after, aloud } = content;
    if (vector)
      return kept(this.#strips, vector.key, () => new Strip())
        .call(vector.symbol, vector.meaning)
        .show(vector.value);
    if (content.keys) return this.table(/** @type {Chain} */ (step));
    const photo = /** @type {PictureScene} */ (scene);
    if (cells)
      return kept(this.#cells, cells.name, () => new CellFigure()).show(
        photo,
        cells.scale,
        onScreen(palette),
      );
    if (content.digits) return this.#digits.show(/** @type {Chain} */ (step), photo);
    if (gate !== undefined) return gateOf(gate);
    if (alternatives) return this.#bars.show(alternatives.all, alternatives.written);
    if (patches !== undefined) {
      const { steps, target } = /** @type {import("../../core/types").GlimpseScene} */ (scene)
        .trace;
      return this.#patches.show(steps[patches]?.seen ?? [], target.glimpses[patches], palette);
    }
    if (after !== undefined) return html.p({ class: "note" }, "after ", html.b(after));
    const text = kept(this.#texts, `${part} ${aloud === undefined}`, () =>
      html.p({ class: aloud === undefined ? "note" : "visually-hidden" }),
    );
    say(text, note ?? aloud ?? "");
    return text;
  }
}

/** The value of a key, created the first time. @template T @param {Map<string, T>} all @param {string} key @param {() => T} create @returns {T} */
function kept(all, key, create) {
  const value = all.get(key) ?? create();
  all.set(key, value);
  return value;
}

/** Cells over the photo, with a line below. */
class CellFigure {
  #drawing = new Drawing({ preserveAspectRatio: "none", "aria-hidden": "true" });
  #grid = html.div({ class: "photo-panel grid-of" }, this.#drawing.node);
  #caption = html.figcaption({ class: "note number" });

  node = html.figure(this.#grid, this.#caption);

  /** @param {PictureScene} scene @param {CellScale} scale @param {Look} look */
  show(scene, scale, look) {
    const { picture } = scene.trace;
    const aspect = shownAspect(picture);
    const size = { width: WIDTH, height: WIDTH / aspect };
    this.#grid.style.setProperty("--aspect", String(aspect));
    this.#grid.toggleAttribute("data-bare", !scale.faded);
    this.#drawing.set({ viewBox: `0 0 ${size.width} ${size.height}` });
    this.#drawing.show(cellMarks(scene, scale, size, { look, photo: photoOf(picture.preview) }));
    sayAny(this.#caption, scale.caption);
    return this.node;
  }
}

/** The gate, with a bar. @param {number} value */
function gateOf(value) {
  return html.p(
    { class: "gate-line note" },
    html.b("β"),
    html.span({ class: "bar", "aria-hidden": "true", "--share": value }),
    html.span({ class: "number" }, gateNote(value)),
  );
}

/** The strongest cells with their numbers, in a panel that is closed at first. */
class Digits {
  #body = html.tbody();
  #note = html.p({ class: "note" });

  node = html.details(
    { class: "digits" },
    html.summary("In numbers"),
    html.div(
      { class: "digits-body", tabindex: 0, role: "region", "aria-label": "The strongest cells" },
      html.table(
        { class: "figures" },
        html.thead(
          html.tr(
            ["cell", "e", "e − max", "exp", "α"].map((title) => html.th({ scope: "col" }, title)),
          ),
        ),
        this.#body,
      ),
    ),
    this.#note,
  );

  /** @param {{cells?: Cell[], sum: number}} step @param {PictureScene} scene */
  show({ cells = [], sum }, scene) {
    const order = cells.toSorted((a, b) => b.weight - a.weight).slice(0, LISTED);
    const rest = 1 - order.reduce((total, { weight }) => total + weight, 0);
    const lines = order.map((cell) =>
      html.tr(
        html.th({ scope: "row" }, rowAndColumn(scene.trace.source, cell.cell)),
        numbersOf(cell).map(([, value]) => html.td(value)),
      ),
    );
    this.#body.replaceChildren(...lines);
    const sums = sum ? ` The exponentials sum to ${sum.toFixed(3)}.` : "";
    say(this.#note, `${othersNote(cells.length - order.length, rest)}.${sums}`);
    return this.node;
  }
}
