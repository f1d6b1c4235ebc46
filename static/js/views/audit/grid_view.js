/** The audit of a caption: over the photo, where a word looks, and what is lost without each cell. */

/** @import {Audit} from "../../core/wire" */
/** @import {Palette, PictureScene, PictureSettings, PictureTrace} from "../../core/types" */
/** @import {RowState, ViewWiring} from "../types" */

import { shownAspect } from "../../core/photo_map.js";
import { named } from "../../core/text.js";
import { html } from "../../draw/dom.js";
import { panel } from "../photo/overlay.js";
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

  /** @param {Pick<ViewWiring<PictureSettings, PictureTrace>, "place" | "photo">} wiring */
  constructor({ place, photo }) {
    this.#photo = photo;
    this.#report = new Report(place, Boolean(photo));
  }

  /** @param {PictureScene} scene @param {{settings: PictureSettings, palette: Palette}} how */
  draw(scene, { settings, palette }) {
    const { trace } = scene;
    this.#scene = scene;
    this.#row = scene.row;
    this.#report.draw(
      {
        ...scene,
        edited: Boolean(trace.request.edits?.length),
        key: (choices) => JSON.stringify([settings.sample, auditFields(trace, choices)]),
        run: async (choices, signal, progress) => {
          const photo =
            await /** @type {NonNullable<ViewWiring<PictureSettings, any>["photo"]>} */ (
              this.#photo
            )(settings);
          return auditOfPhoto(trace, photo, choices, signal, progress);
        },
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
    const { attention, lost, gained } = cellsOf(audit, item.tokens);
    const aspect = shownAspect(scene.trace.picture);
    const most = (/** @type {number[]} */ cells) => Math.max(...cells, 0).toFixed(2);
    const drawn = (
      /** @type {number[]} */ cells,
      /** @type {string} */ name,
      /** @type {string} */ says,
    ) =>
      html.figure(
        html.figcaption(html.b(name), ` ${says}`),
        panel({ ...scene, style: "heat", weights: [cells], row: 0, cells: [] }, 0, aspect),
      );
    this.#report.maps.replaceChildren(
      drawn(attention, "Attention", `where ${named(item)} looks`),
      drawn(lost, "Effect", `bits lost without the cell, up to ${most(lost)}`),
      drawn(gained, "Likelier without it", `bits, up to ${most(gained)}`),
      ...valueMaps(audit).map(({ name, says, numbers }) => {
        const cells = meanCells(numbers, item.tokens);
        return drawn(cells, name, `${says}, up to ${most(cells)}`);
      }),
    );
  }
}
