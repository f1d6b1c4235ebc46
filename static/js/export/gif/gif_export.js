/** An animated GIF, painted frame by frame while the page stays responsive. */

/** @import {Sheet} from "../../draw/paper/sheet.js" */

import { Nearest, chosen, count, packed } from "./colours.js";
import { Gif } from "./gif.js";
import { ExportRefused } from "../../core/errors.js";
import { box, html } from "../../draw/dom.js";
import { painted, scaleOf } from "../png.js";

/** The most pixels of one frame, and of all together: a GIF is for screens, not for print. */
const PIXELS = 1.2e6;
const ALL_PIXELS = 90e6;
const SHARP = 1.5;
/** Number of frames that determine the colours of all. */
const SAMPLES = 5;

/** A frame, drawn on demand, and its duration. @typedef {{sheet: () => Sheet, ms: number}} Shown */

/**
 * The file; `ExportRefused` where the user stopped it. The last frame has the size of all.
 * @param {Shown[]} all
 * @returns {Promise<{file: Uint8Array<ArrayBuffer>, count: number, seconds: number}>}
 */
export async function animation(all) {
  const last = all[all.length - 1].sheet();
  const scale = scaleOf(last, SHARP, Math.min(PIXELS, ALL_PIXELS / all.length));
  const size = { width: Math.round(last.width * scale), height: Math.round(last.height * scale) };
  const pixels = async (/** @type {Shown} */ { sheet }) =>
    (await painted(sheet(), scale, size)).getImageData(0, 0, size.width, size.height).data;
  const samples =
    all.length > SAMPLES
      ? Array.from(
          { length: SAMPLES },
          (_, i) => all[Math.round((i * (all.length - 1)) / (SAMPLES - 1))],
        )
      : all;
  const progress = new Progress(samples.length + all.length);
  try {
    /** @type {Map<number, number>} */
    const counts = new Map();
    for (const frame of samples) {
      count(await pixels(frame), counts);
      await progress.step();
    }
    const table = chosen(counts);
    const nearest = new Nearest(table);
    const gif = new Gif(size.width, size.height, table);
    for (const frame of all) {
      gif.add(nearest.of(packed(await pixels(frame))), frame.ms);
      await progress.step();
    }
    return {
      file: gif.end(),
      count: all.length,
      seconds: all.reduce((total, { ms }) => total + ms, 0) / 1000,
    };
  } finally {
    progress.end();
  }
}

/** A progress bar with a button that stops the export. */
class Progress {
  #bar;
  #box;
  #stopped = false;

  /** @param {number} steps */
  constructor(steps) {
    this.#bar = html.progress({ max: steps, value: 0, "aria-label": "Frames drawn" });
    const stop = html.button({ type: "button", class: "quiet" }, "Stop");
    stop.addEventListener("click", () => (this.#stopped = true));
    this.#box = html.p({ class: "film" }, this.#bar, stop);
    box("share-said").after(this.#box);
  }

  /** Counts a frame and lets the page respond. */
  async step() {
    this.#bar.value++;
    await new Promise((resolve) => setTimeout(resolve));
    if (this.#stopped) throw new ExportRefused("Stopped; nothing was saved.");
  }

  end() {
    this.#box.remove();
  }
}
