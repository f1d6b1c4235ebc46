/** The audit of a caption: over the photo, where a word looks, and what is lost without each cell. */

/** @import {Audit, Contrast} from "../../core/wire" */
/** @import {Palette, PictureScene, PictureSettings, PictureTrace} from "../../core/types" */
/** @import {RowState, ViewWiring} from "../types" */

import { shownAspect } from "../../core/photo_map.js";
import { named } from "../../core/text.js";
import { html } from "../../draw/dom.js";
import { panel } from "../photo/overlay.js";
import { contrastCells } from "./contrast_model.js";
import { cellsOf, gridCsv, meanCells } from "./model.js";
import { Report } from "./report.js";
import { auditFields, auditOfPhoto } from "./request.js";
import { valueMaps } from "./values.js";

export class View {
  #report;
  #photo;
  /** @type {PictureScene | null} */
  #scene = null;
  /** @type {Audit | null} */
  #audit = null;
  #row = 0;
  #change;
  #everywhere = false;

  /** @param {Pick<ViewWiring<PictureSettings, PictureTrace>, "place" | "photo" | "change" | "audits">} wiring */
  constructor({ place, photo, change, audits = [] }) {
    this.#photo = photo;
    this.#change = change;
    this.#report = new Report(place, photo ? null : audits);
  }

  /** @param {PictureScene} scene @param {{settings: PictureSettings, palette: Palette}} how */
  draw(scene, { settings, palette }) {
    const { trace } = scene;
    this.#scene = scene;
    this.#row = scene.row;
    this.#everywhere = settings.take === "word";
    this.#report.draw(
      {
        ...scene,
        output: trace,
        settings,
        change: this.#change,
        cells: true,
        edited: Boolean(trace.request.edits?.length),
        token: scene.rows[scene.row]?.tokens[0] ?? 0,
        key: (choices) => JSON.stringify([settings.sample, auditFields(trace, choices)]),
        call: async (choices) => {
          const photo =
            await /** @type {NonNullable<ViewWiring<PictureSettings, any>["photo"]>} */ (
              this.#photo
            )(settings);
          return auditOfPhoto(trace, photo, choices);
        },
        contrast: (contrast) => this.#contrast(contrast),
        drawn: (audit) => {
          this.#audit = audit;
          this.#show();
        },
        csv: gridCsv,
      },
      palette,
    );
  }

  /** @param {number} row @param {RowState} state */
  at(row, { peeking }) {
    if (peeking || row === this.#row) return;
    this.#row = row;
    this.#show();
    this.#report.at(this.#scene?.rows[row]?.tokens[0] ?? 0);
  }

  /** Stops the audit of the trace before. */
  forget() {
    this.#audit = null;
    this.#report.forget();
  }

  get companions() {
    return { models: [], answers: [], drawn: this.#report.audit };
  }

  /** Shows the maps of the current word. */
  #show() {
    const [scene, audit] = [this.#scene, this.#audit];
    const item = scene?.rows[this.#row];
    if (!scene || !audit || !item) return;
    const { attention, lost, gained } = cellsOf(audit, item.tokens, this.#everywhere);
    const most = (/** @type {number[]} */ cells) => Math.max(...cells, 0).toFixed(2);
    const drawn = (
      /** @type {number[]} */ cells,
      /** @type {string} */ name,
      /** @type {string} */ says,
    ) => cellsFigure(scene, cells, name, says);
    const from = this.#everywhere ? "in every row" : "in its row";
    this.#report.maps.replaceChildren(
      drawn(attention, "Attention", `where ${named(item)} looks`),
      drawn(lost, "Effect", `bits lost without the cell ${from}, up to ${most(lost)}`),
      drawn(gained, "Likelier without it", `bits, up to ${most(gained)}`),
      ...valueMaps(audit).map(({ name, symbol, numbers }) => {
        const cells = meanCells(numbers, item.tokens);
        return drawn(cells, name, `${symbol}, up to ${most(cells)}`);
      }),
    );
  }

  /** The contrast of each cell, for both words. @param {Contrast} contrast */
  #contrast(contrast) {
    const scene = this.#scene;
    if (!scene) return [];
    const { own, other } = contrastCells(contrast);
    const most = (/** @type {number[]} */ cells) => `bits, up to ${Math.max(...cells).toFixed(2)}`;
    return [
      html.div(
        { class: "audit-maps" },
        cellsFigure(scene, own, `For “${contrast.word}”`, most(own)),
        cellsFigure(scene, other, `For “${contrast.other}”`, most(other)),
      ),
    ];
  }
}

/** Numbers of cells over the photo. @param {PictureScene} scene @param {number[]} cells @param {string} name @param {string} says */
const cellsFigure = (scene, cells, name, says) =>
  html.figure(
    html.figcaption(html.b(name), ` ${says}`),
    panel(
      { ...scene, style: "heat", weights: [cells], row: 0, cells: [] },
      0,
      shownAspect(scene.trace.picture),
    ),
  );
