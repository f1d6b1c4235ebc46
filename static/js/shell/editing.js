/**
 * Edits of attention on the page: the controls of the map, the list of edits, and what they changed.
 * Loaded once attention is edited, or an edited trace is shown. The host requests what the store asks.
 */

/** @import {Store} from "../core/store.js" */
/** @import {EditedScene, Place, Scope} from "../core/edit_list.js" */
/** @import {Taught} from "../core/edit_shelf.js" */
/** @import {Edit, Item, PictureScene} from "../core/types" */
/** @import {Cell, CellEditor, EditControls, ShownRow} from "../views/types" */
/** @import {Answered, BaseScene, BaseSettings, BaseTrace, EditHost, Host} from "./types" */
/** @import {Stage} from "./stage.js" */

import {
  cellPlace,
  columnPlace,
  mapPlace,
  onlyHead,
  refusalOf,
  rowPlace,
  temperatureAt,
  withBlock,
  withRowsOf,
  withScoresOf,
  withTemperature,
  withUniform,
  withWeight,
  withoutHead,
} from "../core/edit_list.js";
import { editsField } from "../core/edit_address.js";
import {
  brushedIn,
  brushedMore,
  gateAt,
  pressedIn,
  sceneOfCells,
  withBrushed,
  withCell,
  withGate,
} from "../core/edit_photo.js";
import { SHELVES } from "../core/edit_shelf.js";
import { givenRefusal, givenWeights, withRow, withoutRows } from "../core/given_row.js";
import { ApiError } from "../core/api.js";
import { steeringOf } from "../core/edit_effect.js";
import { strongestCell, tokenName } from "../core/grid.js";
import { Newest } from "../core/newest.js";
import { named } from "../core/text.js";
import { viewNamed } from "../core/views.js";
import { box, set } from "../draw/dom.js";
import { onEdit } from "../views/loaders.js";
import { BrushTools } from "./edit_brush.js";
import { EditPanel } from "./edit_panel.js";
import { EditTexts } from "./edit_texts.js";

/** The views that show one row. */
const BY_ROW = ["step", "network"];
/** The views of a picture that have controls. */
const ON_PHOTOS = ["photo", "step", "network", "compare"];
/** The view of several models, from which rows are given and no cell is chosen. */
const BY_RUN = "compare";
/** The view in which heads are taken out, and no cell is chosen either. */
const BY_HEAD = "heads";
/** The settings that an edit of attention changes: a saved trace is left with the first edit. */
const OF_EDITS = ["edits", "saved"];

/** A scene as edits need it: that of a map, or over a photo one of its cells; null for another. @param {unknown} scene @returns {EditedScene | null} */
function editedScene(scene) {
  const shown = /** @type {any} */ (scene);
  if (isOverPhoto(shown)) return sceneOfCells(shown);
  return shown && "view" in shown ? shown : null;
}

/** True for a scene whose columns are the cells of a photo. @param {any} scene */
function isOverPhoto(scene) {
  const name = scene?.kind.name;
  return name === "grid" || (name === "patches" && ["photo", "step"].includes(scene.viewName));
}

/** An answer with rows as edits have them by now. @template {BaseTrace} T @param {T} trace @param {readonly Edit[]} edits @param {Place | null} place @returns {T} */
const moved = (trace, edits, place) =>
  place ? /** @type {T} */ (withRowsOf(/** @type {any} */ (trace), edits, place)) : trace;

/** An answer during a drag, with the scores of the rows that it moves. @template {BaseTrace} T @param {T} trace @param {T | null | undefined} before the answer before @param {Place | null} place */
const scored = (trace, before, place) =>
  place && before
    ? /** @type {T} */ (
        withScoresOf(/** @type {any} */ (trace), /** @type {any} */ (before), place)
      )
    : trace;

/** @param {unknown} trace */
const lacksScores = (trace) => /** @type {any} */ (trace)?.request.detail === "weights";

/**
 * @template {BaseSettings} S @template {BaseTrace} T @template {BaseScene<T>} C
 */
export class Editing {
  #store;
  #stage;
  #host;
  #panel;
  #texts = new EditTexts();
  /** The controls of the current view, and its name. @type {{view: string, controls: EditControls | null} | null} */
  #controls = null;
  /** @type {Cell} */
  #cell = { row: 0, column: 0 };
  /** True once a person chose the cell: until then, that of a photo is the strongest of its row. */
  #chosen = false;
  /** The key of its first column: over a photo, the marks before the cells are no columns. */
  #first = 0;
  /** The row of the page. */
  #row = -1;
  /** The state of the page that is drawn. @type {unknown} */
  #drawn = null;
  /** @type {Scope} */
  #scope = "head";
  /** The rows that are dragged. @type {Place | null} */
  #dragged = null;
  #requests = new Newest(() => this.#request());
  /** Counts the drags: the changes of one are undone together. */
  #drags = 0;
  /** The edits before a drag, or a stroke of the brush. @type {readonly Edit[]} */
  #before = [];
  #brush = new BrushTools({
    weight: (weight) => this.#weigh(weight),
    gate: (value) => this.#gate(value),
    redraw: () => this.#drawBrush(),
  });

  /** @param {Store<S, T>} store @param {Stage<S, T, C>} stage @param {Host<S, T>} host */
  constructor(store, stage, host) {
    this.#store = store;
    this.#stage = stage;
    this.#host = host;
    this.#panel = new EditPanel(
      {
        scope: (scope) => {
          this.#scope = scope;
          this.#draw();
        },
        temperature: (value, by) => this.#temper(value, by),
        onlyHead: () => this.#edit((edits, scene) => onlyHead(edits, scene)),
        withoutHead: () =>
          this.#edit((edits, scene) => withoutHead(edits, mapPlace(scene, "head"))),
        undo: () => store.undo(),
        redo: () => store.redo(),
        reset: () => this.#change([]),
        drop: (index) => this.#change(this.#edits.filter((_, place) => place !== index)),
        show: (edit) => this.#show(edit),
        teach: (taught) => this.#teach(taught),
        compare: (difference) =>
          this.#set({ editing: difference ? "difference" : this.#can ? "1" : null }),
      },
      this.#brush.node,
    );
    stage.add({
      draw: () => this.#draw(),
      at: (_scene, row, { peeking }) => void (peeking || this.#at(row)),
    });
    store.subscribe(({ changed }) => {
      if (changed.has("answer") && this.#isOther(changed)) this.#requests.stop();
      // The stage draws an answer, and with it the edits.
      const other = changed.has("editing") || changed.has("edits");
      if (other && this.#drawn !== store.state) this.#draw();
    });
  }

  /**
   * Requests the answer under other edits, while the last one stays on screen. Returns false for a
   * change of something else.
   * @param {ReadonlySet<string>} changed
   */
  asks(changed) {
    const own = changed.has("edits") && [...changed].every((name) => OF_EDITS.includes(name));
    const last = own && this.#host.edits?.last();
    if (last) this.#ask();
    else this.#requests.stop();
    return Boolean(last);
  }

  #ask() {
    if (!this.#waits) this.#requests.ask();
  }

  /** True if the answer is not one to the edits that were made here: another trace, or the one before them. @param {ReadonlySet<string>} changed */
  #isOther(changed) {
    const { answer } = this.#store;
    return changed.has("edits") || (answer?.phase === "ready" && answer.since === null);
  }

  /** @returns {Promise<number | null>} the seconds after which to try again, if the server is busy */
  async #request() {
    const { begin, answer, last } = /** @type {EditHost<S, T>} */ (this.#host.edits);
    const { signal, end } = begin();
    const place = this.#dragged;
    try {
      const { trace, show } = await answer(signal, place !== null);
      if (signal.aborted) return null;
      const known = scored(trace, this.#store.answer?.trace, place);
      show(moved(known, this.#edits, this.#dragged));
      if (place) this.#complete(); // the drag may have ended since
    } catch (error) {
      if (signal.aborted) return null;
      if (!(error instanceof ApiError)) throw error;
      if (error.retryAfter) return error.retryAfter;
      this.#refuse(error, last());
    } finally {
      end();
    }
    return null;
  }

  /** Requests the whole answer once a drag has ended. @param {boolean} [waited] true if the drag requested none */
  #complete(waited = false) {
    if (this.#dragging || !this.#host.edits?.last()) return;
    if (waited || lacksScores(this.#store.answer?.trace)) this.#requests.ask();
  }

  /** Goes back to the edits of the last answer. @param {ApiError} error @param {Answered<S, T> | null} last */
  #refuse({ message }, last) {
    this.#dragged = null;
    if (last) {
      const { answer, settings, saved } = last;
      const before = { edits: settings.edits, saved, answer: { ...answer, since: 0 } };
      this.#store.dispatch(before, { history: "none" });
    }
    this.#panel.refuse(message);
  }

  get #dragging() {
    return this.#dragged !== null;
  }

  /** True during a drag over a large trace: the server keeps few of them, so it is asked once at the end. */
  get #waits() {
    return this.#dragging && Boolean(/** @type {any} */ (this.#stage.scene)?.trace.run);
  }

  get #edits() {
    return this.#store.state.edits;
  }

  /** @returns {EditedScene | null} */
  get #scene() {
    return editedScene(this.#stage.scene);
  }

  /** The scene, if it is one of a picture about which is written. @returns {PictureScene | null} */
  get #photo() {
    const scene = /** @type {any} */ (this.#stage.scene);
    return isOverPhoto(scene) ? scene : null;
  }

  /** True where a server answers with the model on screen. */
  get #can() {
    const { scene } = this.#stage;
    return Boolean(
      this.#host.ask && scene && this.#host.models.some(({ id }) => id === scene.model.id),
    );
  }

  /** @param {Record<string, unknown>} change @param {string} [by] */
  #set(change, by) {
    this.#store.dispatch(/** @type {Partial<S>} */ (change), { by: by ?? null });
  }

  /** @param {Edit[]} edits @param {string} [by] */
  #change(edits, by) {
    this.#panel.refuse("");
    // A saved trace has the edits that it was saved with.
    this.#set({ edits, saved: null }, by);
  }

  /** @param {(edits: readonly Edit[], scene: EditedScene) => Edit[]} change @param {string} [by] */
  #edit(change, by) {
    if (this.#scene && this.#can) this.#change(change(this.#edits, this.#scene), by);
  }

  /**
   * Edits rows, which move at once; the words follow with the answer.
   * @param {(scene: EditedScene) => Place} placeOf @param {(edits: readonly Edit[], place: Place) => Edit[]} change
   * @param {string} [by]
   */
  #editRows(placeOf, change, by) {
    this.#stay();
    const { answer } = this.#store;
    if (!this.#scene || !this.#can || !answer?.trace) return;
    const place = placeOf(this.#scene);
    const edits = change(this.#edits, place);
    if (JSON.stringify(edits) === JSON.stringify(this.#edits)) return;
    const follows = this.#host.edits?.last();
    if (!follows) this.#change(edits, by); // the host requests it
    this.#panel.refuse("");
    const trace = moved(answer.trace, edits, place);
    const asked = { ...answer.asked, edits };
    const shown = { edits, saved: null, answer: { ...answer, trace, since: 0, asked } };
    this.#store.dispatch(
      /** @type {Partial<S>} */ (/** @type {unknown} */ (shown)),
      follows ? { by: by ?? null } : { history: "none" },
    );
    if (follows) this.#ask();
  }

  /** Keeps the step of a photo, which by default is that of the sharpest map. */
  #stay() {
    const { step } = this.#store.settings;
    const row = this.#photo?.rows[this.#cell.row];
    if (step !== null || !row) return;
    const change = /** @type {Partial<S>} */ (/** @type {unknown} */ ({ step: row.tokens[0] }));
    this.#store.dispatch(change, { history: "none" });
  }

  /** The row of the photo that is edited, and what is brushed in it under some edits. */
  #brushed(edits = this.#edits) {
    const scene = this.#scene;
    const { row } = this.#cell;
    if (!this.#photo || !scene?.view.rows[row]) return null;
    const place = this.#dragged ?? rowPlace(scene, this.#scope, row);
    return { place, brushed: brushedIn(edits, place, scene.trace, scene.view.columns.length) };
  }

  /** Brushes the cells of a stroke. @param {number[]} cells */
  #paint(cells) {
    if (!this.#dragging) {
      this.#drags++;
      this.#before = this.#edits;
    }
    const row = this.#brushed(this.#before);
    if (!row) return;
    this.#dragged = row.place;
    const brushed = brushedMore(row.brushed, cells, this.#brush.weight);
    this.#editRows(
      () => row.place,
      () => withBrushed(this.#before, row.place, brushed),
      `drag ${this.#drags}`,
    );
  }

  /** Gives what is brushed another weight. @param {number} weight */
  #weigh(weight) {
    const row = this.#brushed();
    if (row?.brushed.keys.length)
      this.#editRows(
        () => row.place,
        (edits, place) => withBrushed(edits, place, { ...row.brushed, weight }),
        "weight",
      );
    this.#drawBrush();
  }

  /** @param {number} value */
  #gate(value) {
    this.#stay();
    this.#edit((edits) => withGate(edits, this.#gated, value), "gate");
  }

  /** The steps whose gate is set; none: all. */
  get #gated() {
    const scene = this.#scene;
    const { row } = this.#cell;
    return scene?.view.rows[row] && !this.#brush.everywhere
      ? rowPlace(scene, this.#scope, row).queries
      : undefined;
  }

  #drawBrush() {
    const photo = this.#photo;
    const row = photo?.viewName === BY_RUN ? null : this.#brushed();
    this.#brush.draw({
      hidden: !row,
      weight: row?.brushed.weight ?? null,
      gate: photo && row && gateAt(photo, this.#edits, this.#cell.row, this.#gated),
    });
  }

  /** @param {number} value @param {string | null} by */
  #temper(value, by) {
    const place = this.#scene && mapPlace(this.#scene, this.#scope);
    if (place) this.#edit((edits) => withTemperature(edits, place, value), by ?? undefined);
  }

  /** Asks for the sentence and the edits of the shelf. @param {Taught} taught */
  #teach({ edits, ...asked }) {
    const list = editsField().read(edits);
    const { model } = asked;
    const read =
      "sample" in asked
        ? { model, sample: asked.sample, question: null, target: null }
        : "story" in asked
          ? { model, story: asked.story, question: asked.question }
          : { model, text: asked.text, target: null };
    const change = { ...read, edits: list, saved: null };
    const view =
      "sample" in asked
        ? { step: asked.step, cells: [] }
        : { step: "story" in asked ? null : 0, rows: [], columns: [] };
    this.#panel.refuse("");
    this.#store.dispatch(
      /** @type {Partial<S>} */ (/** @type {unknown} */ ({ ...change, ...view, editing: "1" })),
      { history: "push" },
    );
  }

  /** The edits to try, with the sentence of those that are shown. @returns {{offered: Taught[], shown: Taught | null}} */
  get #shelf() {
    const { scene } = this.#stage;
    const shelf = SHELVES[/** @type {any} */ (scene)?.kind.name];
    if (!scene || !this.#can || !shelf) return { offered: [], shown: null };
    const offered = shelf.filter(({ model }) => this.#host.models.some(({ id }) => id === model));
    const edits = editsField().write(this.#edits);
    const { text } = scene.trace.request;
    const { sample } = /** @type {any} */ (this.#store.drawn);
    const isShown = (/** @type {Taught} */ each) =>
      "sample" in each
        ? each.sample === sample && each.model === scene.model.id
        : ("story" in each ? each.story : each.text) === text;
    const shown = offered.find((each) => each.edits === edits && isShown(each));
    return { offered, shown: shown ?? null };
  }

  /** Shows the map and the row that an edit changes. @param {Edit} edit */
  #show({ kind, layers, heads, queries }) {
    const first = (/** @type {Edit["layers"]} */ places) =>
      typeof places === "number" ? places : Array.isArray(places) ? places[0] : null;
    const step =
      queries && typeof queries === "object" && "first" in queries ? queries.first : first(queries);
    const [layer, head] = [first(layers), first(heads)];
    this.#set({
      ...(kind !== undefined && { map: kind }),
      ...(layer !== null && { layer, pool: null }),
      ...(head !== null && { head, pool: null }),
      ...(step !== null && { step }),
    });
  }

  /** @type {CellEditor} */
  #editor = (() => {
    const editing = this;
    return {
      get cell() {
        return editing.#cell;
      },
      weightOf: ({ row, column }) => {
        const brushed = editing.#brushed()?.brushed;
        return brushed?.weight && brushed.keys.length > 1 && brushed.keys.includes(column)
          ? brushed.weight
          : (editing.#scene?.view.weights?.[row]?.[column] ?? 0);
      },
      choose: (cell) => editing.#choose(cell),
      set: (cell, weight) => editing.#drag(cell, weight),
      brush: (cells) => editing.#paint(cells),
      drop: () => {
        editing.#change([...editing.#before], `drag ${editing.#drags}`);
        editing.#settle();
      },
      settle: () => editing.#settle(),
      block: (cell) => editing.#block(cell),
      blockColumn: (column) =>
        editing.#edit((edits, scene) => withBlock(edits, columnPlace(scene, column))),
      uniform: (row) =>
        editing.#editRows((scene) => rowPlace(scene, editing.#scope, row), withUniform),
      silence: (layers, heads) =>
        editing.#edit((edits, scene) => {
          const several = scene.layers.length > 1;
          return withoutHead(edits, {
            ...mapPlace(scene, "all"),
            ...(several && { layers }),
            heads,
          });
        }),
      give: (from, to, models) => editing.#give(from, to, models),
      say: (text) => editing.#panel.sayCell(text, false),
    };
  })();

  /**
   * Gives a row of one run to another. The model that takes it comes first, as the edits are its own.
   * @param {ShownRow} from @param {ShownRow} to @param {string[]} models those on screen
   */
  #give(from, to, models) {
    const [given, scene] = [from, to].map((shown) => editedScene(shown.scene));
    if (!given || !scene) return false;
    const refusal = givenRefusal(given, scene);
    this.#panel.refuse(refusal);
    if (refusal) return false;
    const weights = givenWeights({ scene: given, row: from.row });
    const place = rowPlace(scene, this.#scope, to.row);
    const { id } = to.scene.model;
    // Photos are compared at one word, and all their models.
    const shown = this.#photo
      ? { step: scene.view.rows[to.row]?.tokens[0] ?? null }
      : { with: models.filter((model) => model !== id) };
    if (id === this.#stage.scene?.model.id) {
      if (this.#photo) this.#stage.controls.to(to.row);
      this.#editRows(
        () => place,
        (edits) => withRow(edits, place, weights),
      );
    } else {
      const edits = withRow(withoutRows(this.#edits), place, weights);
      const change = { ...shown, model: id, edits, saved: null };
      this.#store.dispatch(/** @type {Partial<S>} */ (/** @type {unknown} */ (change)), {
        history: "push",
      });
    }
    return true;
  }

  /** @param {Cell} cell */
  #block({ row, column }) {
    const own = this.#brushed();
    if (own)
      this.#editRows(
        () => own.place,
        (edits, place) => withBrushed(edits, place, pressedIn(own.brushed, column)),
      );
    else this.#editRows((scene) => cellPlace(scene, this.#scope, row, column), withBlock);
  }

  /** @param {Cell} cell */
  #choose({ row, column }) {
    const view = this.#scene?.view;
    if (!view) return;
    const within = (/** @type {number} */ place, /** @type {Item[]} */ items) =>
      Math.min(Math.max(place, 0), items.length - 1);
    this.#cell = { row: within(row, view.rows), column: within(column, view.columns) };
    this.#chosen = true;
    this.#drawControls();
    this.#sayCell();
    const { scene } = this.#stage;
    // A view of one row at a time shows that of the cell.
    if (scene && BY_ROW.includes(scene.viewName) && scene.row !== this.#cell.row)
      this.#stage.controls.to(this.#cell.row);
  }

  /** @param {Cell} cell @param {number} weight */
  #drag({ row, column }, weight) {
    if (!this.#dragging) {
      this.#drags++;
      this.#before = this.#edits;
    }
    const rounded = Math.round(weight * 100) / 100;
    const own = this.#brushed();
    this.#editRows(
      // Of the first movement: an answer since may have given the row other tokens, or none.
      (scene) => (this.#dragged ??= own?.place ?? cellPlace(scene, this.#scope, row, column)),
      (edits, place) =>
        own
          ? withCell(edits, place, own.brushed, column, rounded)
          : withWeight(edits, place, rounded),
      `drag ${this.#drags}`,
    );
    this.#sayCell();
  }

  #settle() {
    const waited = this.#waits;
    this.#dragged = null;
    this.#complete(waited);
    this.#sayCell();
    this.#panel.sayEffect(this.#texts.effect);
  }

  #sayCell() {
    const { view, viewName } = this.#scene ?? {};
    if (viewName === BY_RUN) return;
    if (viewName === BY_HEAD) return this.#panel.sayCell("", false);
    const { row, column } = this.#cell;
    if (!view?.rows[row] || !view.columns[column]) return;
    const weight = view.weights?.[row]?.[column] ?? 0;
    const { source } = /** @type {EditedScene} */ (this.#scene).trace;
    const at = this.#photo
      ? view.columns[column].text
      : source.marks
        ? `the ${tokenName(source, column)}`
        : named(view.columns[column]);
    this.#panel.sayCell(
      `${this.#rowName(row)} looks at ${at} with a weight of ${weight.toFixed(2)}.`,
      this.#dragging,
    );
  }

  /** @param {number} row */
  #rowName(row) {
    const { view, trace } = /** @type {EditedScene} */ (this.#scene);
    if (trace.target.kind === "hops") return `Hop ${row + 1}`;
    if (trace.source.marks) return `The ${tokenName(trace.source, row)}`;
    const item = view.rows[row];
    return item ? named(item) : "";
  }

  /** @param {number} row */
  #at(row) {
    // The cell follows the row of the page, but an answer leaves it where it was chosen.
    if (row !== this.#row && !this.#dragging) {
      const weights = this.#chosen ? null : this.#photo?.weights[row];
      this.#cell = { row, column: weights ? strongestCell(weights) : this.#cell.column };
    }
    this.#row = row;
    this.#drawControls();
    this.#drawBrush();
    if (this.#controls?.controls) this.#sayCell();
  }

  #draw() {
    const { scene } = this.#stage;
    if (!scene) return;
    this.#drawn = this.#store.state;
    const edited = this.#scene;
    const fits = !this.#photo || ON_PHOTOS.includes(scene.viewName);
    const { editing } = this.#store.settings;
    const refusal = edited ? refusalOf(edited) : "";
    const place = edited && !refusal ? mapPlace(edited, this.#scope) : {};
    const edit = document.getElementById("edit-attention");
    if (edit) set(edit, "aria-pressed", String(Boolean(editing)));
    set(box("stage"), "data-editing", editing ?? null);
    this.#panel.draw({
      can: this.#can,
      editing: Boolean(editing) && this.#can && fits,
      refusal: editing && !this.#can ? "Only a model of this server can be edited." : refusal,
      scene: edited,
      scope: this.#scope,
      temperature: temperatureAt(this.#edits, place),
      edits: this.#edits,
      trace: /** @type {any} */ (scene.trace),
      steering: steeringOf(/** @type {any} */ (scene).model),
      difference: editing === "difference",
      shelf: this.#shelf,
      canUndo: this.#store.canUndo,
      canRedo: this.#store.canRedo,
    });
    this.#drawBrush();
    const text = /** @type {any} */ (edited ?? scene);
    this.#texts.draw(text, this.#edits, Boolean(editing) && !refusal);
    const effect = this.#texts.effect;
    if (!this.#dragging) this.#panel.sayEffect(effect);
    if (this.#controls?.controls) this.#sayCell();
    void this.#attach(Boolean(editing) && this.#can && fits && !refusal);
  }

  /** Puts the controls on the current view, or takes them off. @param {boolean} wanted */
  async #attach(wanted) {
    const { scene } = this.#stage;
    const view = wanted && scene ? scene.viewName : "";
    if (this.#controls?.view !== view) {
      this.#controls?.controls?.end();
      const made = { view, controls: /** @type {EditControls | null} */ (null) };
      this.#controls = made;
      const { name } = /** @type {any} */ (scene)?.kind ?? {};
      // A view has its place once it is loaded.
      const loading = view ? [onEdit(view, name), this.#stage.load(view)] : [];
      const [Edit] = await Promise.all(loading).catch((error) => {
        if (this.#controls === made) this.#controls = null;
        throw error;
      });
      if (this.#controls !== made) return;
      if (Edit && scene) {
        const { place = `view-${view}` } = viewNamed(name, view);
        const own = document.querySelector(`[data-edit-place="${view}"]`);
        made.controls = new Edit(this.#editor, /** @type {HTMLElement} */ (own) ?? box(place));
        const row = this.#photo?.weights[this.#cell.row];
        const first = (this.#photo?.trace.source.marks ?? []).length;
        const column = row ? strongestCell(row) : this.#cell.column + this.#first - first;
        this.#cell = { ...this.#cell, column };
        this.#chosen = false;
        this.#first = first;
        this.#sayCell();
      }
    }
    this.#drawControls();
  }

  #drawControls() {
    const view = /** @type {any} */ (this.#scene?.view);
    if (!view?.weights) return;
    const { keys = [], blocked = [] } = this.#brushed()?.brushed ?? {};
    const photo = view.photo && { ...view.photo, keys, blocked };
    this.#controls?.controls?.draw({ ...view, photo }, this.#cell);
  }
}
