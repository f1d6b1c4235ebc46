/** Taking a picture's trace along: the link, the numbers, the sheet and one word's map as drawings, the call, the page itself. */

/** @import {Moment} from "../export/gif/frames.js" */
/** @import {Model, PictureScene, PictureSettings, PictureTrace} from "../core/types" */

import { NOBODY } from "../core/imported_model.js";
import { box } from "../shell/dom.js";
import { save } from "../shell/download.js";
import { Handing, copy, saveFilm, savePage } from "../shell/export_buttons.js";
import { curl } from "./request.js";
import { YOURS, toQuery } from "./state.js";

/** @typedef {{scene: PictureScene, settings: PictureSettings, file: string, beside: {model: Model, trace: PictureTrace}[]}} Now what is on screen; `beside` it the other models, where they are */

/** What needs somebody who can be asked again, and what needs the server. */
const ASKING = ["copy-link", "copy-curl", "curl"];
const SERVED = [...ASKING, "save-html"];

export class PictureShare {
  #served;

  /** @param {() => Now | null} now @param {{served?: boolean}} [where] whether this page came from a server that can be asked */
  constructor(now, { served = true } = {}) {
    this.#served = served;
    const hand = new Handing(now);
    hand.on("copy-link", ({ settings }) => copy(`${location.origin}/picture${toQuery(settings)}`, settings.sample === YOURS ? "Link copied. Your photo is not in it: save the trace for a link that shows it." : "Link copied."));
    hand.on("copy-json", ({ scene }) => copy(JSON.stringify(scene.trace), "JSON copied."));
    hand.on("copy-curl", ({ scene, settings, file }) => copy(curl(location.origin, settings, scene.model, file), "curl command copied."));
    hand.on("save-json", ({ scene }) => save(JSON.stringify(scene.trace, null, 1), "application/json", nameOf(scene, "json")));
    // What follows is loaded when it is asked for: most never ask.
    for (const what of /** @type {const} */ (["sheet", "word"])) {
      hand.on(`save-${what}-svg`, async ({ scene }) => save((await drawer(scene, what))().svg, "image/svg+xml", nameOf(scene, `${what}.svg`)));
      hand.on(`save-${what}-png`, async ({ scene }) => save(await (await import("../export/png.js")).png((await drawer(scene, what))()), "image/png", nameOf(scene, `${what}.png`)));
    }
    hand.on("save-gif", async ({ scene }) => {
      const [drawn, { frames }] = await Promise.all([drawer(scene, "word"), import("../export/gif/frames.js")]);
      const shown = frames({ ...scene, view: scene, parts: 1, viewName: "photo" }).map(({ moment, ms }) => ({ sheet: () => drawn(moment), ms }));
      return saveFilm(shown, nameOf(scene, "gif"));
    });
    hand.on("save-html", async (now) => savePage(await (await import("./html_export.js")).standalone(now), nameOf(now.scene, "html")));
  }

  /** @param {Pick<Now, "scene" | "settings" | "file">} now */
  draw({ scene, settings, file }) {
    const asked = scene.model.id !== NOBODY.id;
    for (const id of SERVED) box(id).hidden = !this.#served || (!asked && ASKING.includes(id));
    box("curl").textContent = asked ? curl(location.origin, settings, scene.model, file) : "";
  }
}

/** What draws it on paper, whole or at a moment of a film. @param {PictureScene} scene @param {"sheet" | "word"} what */
async function drawer(scene, what) {
  const [{ onPaper }, { measure }, { heatAddress }] = await Promise.all([import("../views/photo/svg.js"), import("../export/png.js"), import("../views/photo/heat_image.js")]);
  return (/** @type {Moment | null} */ moment = null) => onPaper(scene, what, { measure, heat: (row) => heatAddress(scene, row), moment });
}

/** A file's name from what was written, safe on every system. @param {PictureScene} scene @param {string} extension */
function nameOf({ trace }, extension) {
  const words = trace.text.normalize("NFKC").match(/[\p{L}\p{N}]+/gu) ?? [];
  const stem = Array.from(words.join("-")).slice(0, 40).join("");
  return `heed-${trace.model.id}${stem && `-${stem}`}.${extension}`;
}
