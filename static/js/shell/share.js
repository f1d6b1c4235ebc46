/** The exports of a page: link, call, numbers, drawings, animation and the page in one file. */

/** @import {AxisKind} from "../core/types" */
/** @import {Address} from "../core/address.js" */
/** @import {BaseScene, BaseSettings, BaseTrace, Exports, Now} from "./types" */

import { LONGEST_ADDRESS, TOO_LONG } from "../core/address.js";
import { ExportRefused } from "../core/errors.js";
import { IMPORTED_MODEL } from "../core/imported_model.js";
import { box, byId, say } from "../draw/dom.js";
import { paperChoices } from "./paper_choices.js";
import { save } from "../draw/download.js";
import { ExportButtons, copy, saveAnimation, savePage } from "./export_buttons.js";

/**
 * @template {BaseSettings} S
 * @template {BaseTrace} T
 * @template {BaseScene<T>} C
 */
export class Share {
  #exports;
  #served;
  #kind;

  /**
   * @param {AxisKind} kind @param {Address<S>} state @param {Exports<S, T, C>} exports @param {() => Now<S, C> | null} now
   * @param {{served?: boolean, whole?: (trace: T) => Promise<T>}} [where] `served`: false in a standalone file, which has no server; `whole`: adds the maps that a trace came without
   */
  constructor(kind, state, exports, now, { served = true, whole = async (trace) => trace } = {}) {
    const { link, curl, fileName, drawings, animation, standalone } = exports;
    /** The content of a drawing, in the units that are chosen for files. @param {Now<S, C>} now @returns {Now<S, C>} */
    const inUnits = (now) => (exports.inUnits ? { ...now, scene: exports.inUnits(now) } : now);
    this.#kind = kind;
    this.#exports = exports;
    this.#served = served;
    /** @type {ExportButtons<Now<S, C>>} */
    const buttons = new ExportButtons(now);
    buttons.on("copy-link", ({ settings, scene }) => {
      const { text, done } = link(settings, scene);
      if (text.length > LONGEST_ADDRESS) throw new ExportRefused(TOO_LONG);
      return copy(text, done);
    });
    buttons.on("copy-json", async ({ scene }) =>
      copy(JSON.stringify(await whole(scene.trace)), "JSON copied."),
    );
    buttons.on("copy-curl", ({ settings, scene }) =>
      copy(curl(settings, scene.model), "curl command copied."),
    );
    buttons.on("save-json", async ({ scene: { trace } }) =>
      save(
        JSON.stringify(await whole(trace), null, 1),
        "application/json",
        fileName(trace, "json"),
      ),
    );
    // The modules of these exports are loaded when one is pressed: most users never do.
    for (const { button, view, suffix } of drawings) {
      const nameOf = (/** @type {C} */ { trace, viewName }, /** @type {string} */ extension) =>
        fileName(trace, `${view ? suffix : suffixOf(state, viewName)}${extension}`);
      buttons.on(`${button}-svg`, async (shown) =>
        save(
          (await this.#drawer(inUnits(shown), view))().svg,
          "image/svg+xml",
          nameOf(shown.scene, "svg"),
        ),
      );
      buttons.on(`${button}-png`, async (shown) =>
        save(
          await (
            await import("../export/png.js")
          ).png(
            (await this.#drawer(inUnits(shown), view))(),
            byId("png-size", HTMLSelectElement).value,
          ),
          "image/png",
          nameOf(shown.scene, "png"),
        ),
      );
    }
    buttons.on("save-gif", async (shown) => {
      const { scene, view } = animation(shown.scene);
      const [drawn, { frames }] = await Promise.all([
        this.#drawer({ ...shown, scene }, view),
        import("../export/gif/frames.js"),
      ]);
      const all = frames(scene).map(({ moment, ms }) => ({ sheet: () => drawn(moment), ms }));
      return saveAnimation(
        all,
        fileName(
          scene.trace,
          `${drawings.some((each) => each.view) ? "" : suffixOf(state, view)}gif`,
        ),
      );
    });
    buttons.on("save-html", async (shown) => {
      const { standaloneFile } = await import("../export/html/html_export.js");
      const scene = { ...shown.scene, trace: await whole(shown.scene.trace) };
      const answers = /** @type {[string, T][]} */ (shown.companions?.answers ?? []);
      const companions = shown.companions && {
        ...shown.companions,
        answers: await Promise.all(
          answers.map(
            async ([key, trace]) => /** @type {[string, T]} */ ([key, await whole(trace)]),
          ),
        ),
      };
      return savePage(
        await standaloneFile(standalone, { ...shown, scene, companions }, state),
        fileName(shown.scene.trace, "html"),
      );
    });
    exports.more(buttons);
    box("share").inert = false;
  }

  /** @param {Now<S, C>} now */
  draw({ scene, settings }) {
    const { requestButtons, curl } = this.#exports;
    const requested = scene.model.id !== IMPORTED_MODEL.id;
    for (const id of requestButtons) box(id).hidden = !this.#served || !requested;
    if (this.#served) say(box("curl"), requested ? curl(settings, scene.model) : "");
    this.#exports.draw?.(scene);
  }

  /** @param {Now<S, C>} now @param {string | null} view */
  async #drawer({ scene, companions }, view) {
    const [{ drawer }, { measure }, heat] = await Promise.all([
      import("../export/drawing.js"),
      import("../export/png.js"),
      this.#exports.heat?.(),
    ]);
    /** @type {import("../export/drawing.js").Shown<C>} */
    const shown = {
      axis: this.#kind,
      scene: { ...scene, paper: paperChoices() },
      companions,
      heat,
    };
    return drawer(shown, measure, view ?? scene.viewName);
  }
}

/** The name of the view in a file's name, so that a folder can hold one of each. @template {BaseSettings} S @param {Address<S>} state @param {string} view */
const suffixOf = ({ DEFAULTS }, view) => (view === DEFAULTS.view ? "" : `${view}.`);
