/** Taking it along: the link, the numbers, the picture, the call, the page itself. */

/** @import {Moment} from "../export/gif/frames.js" */
/** @import {Scene, Settings} from "../core/types" */
/** @import {CompareView} from "../views/compare/view.js" */

import { NOBODY } from "../core/imported_model.js";
import { requestBody } from "./request.js";
import { arrays, csv, curl, fileName, link, python } from "../export/share.js";
import { box, say } from "../shell/dom.js";
import { save } from "../shell/download.js";
import { Handing, copy, saveFilm, savePage } from "../shell/export_buttons.js";

/** @typedef {{scene: Scene, settings: Settings, compared: CompareView | null}} Now what is on screen */

/** What needs somebody who can be asked again, and what needs the server. */
const ASKING = ["copy-link", "copy-curl", "copy-python", "curl"];
const SERVED = [...ASKING, "save-html"];

export class Share {
  #served;

  /** @param {() => Now | null} now @param {{served?: boolean}} [where] whether this page came from a server that can be asked */
  constructor(now, { served = true } = {}) {
    this.#served = served;
    const hand = new Handing(now);
    hand.on("copy-link", ({ scene, settings }) => copy(link(location.href, settings, scene.model), "Link copied."));
    hand.on("copy-json", ({ scene }) => copy(JSON.stringify(scene.trace), "JSON copied."));
    hand.on("copy-curl", ({ scene, settings }) => copy(curl(location.origin, requestBody(settings, scene.model)), "curl command copied."));
    hand.on("copy-python", ({ scene, settings }) => copy(python(location.origin, requestBody(settings, scene.model)), "Python copied."));
    hand.on("save-json", ({ scene: { trace } }) => save(JSON.stringify(trace, null, 1), "application/json", fileName(trace, "json")));
    // With a mark of its encoding, or spreadsheets read accents wrong.
    hand.on("save-csv", ({ scene }) => save(`\ufeff${csv(scene.view)}`, "text/csv", fileName(scene.trace, "csv")));
    // What follows is loaded when it is asked for: most never ask.
    hand.on("save-npz", async ({ scene }) => save((await import("../export/npz.js")).writeNpz(arrays(scene)), "application/octet-stream", fileName(scene.trace, "npz")));
    hand.on("save-svg", async (now) => save((await drawer(now))().svg, "image/svg+xml", pictureName(now, "svg")));
    hand.on("save-png", async (now) => save(await (await import("../export/png.js")).png((await drawer(now))()), "image/png", pictureName(now, "png")));
    hand.on("save-gif", async (now) => {
      const [drawn, { frames }] = await Promise.all([drawer(now), import("../export/gif/frames.js")]);
      const shown = frames(now.scene).map(({ moment, ms }) => ({ sheet: () => drawn(moment), ms }));
      return saveFilm(shown, pictureName(now, "gif"));
    });
    hand.on("save-html", async (now) => savePage(await (await import("../export/html/html_export.js")).standalone(now), fileName(now.scene.trace, "html")));
  }

  /** @param {Scene} scene @param {Settings} settings */
  draw(scene, settings) {
    const asked = scene.model.id !== NOBODY.id;
    for (const id of SERVED) box(id).hidden = !this.#served || (!asked && ASKING.includes(id));
    if (asked && this.#served) say(box("curl"), curl(location.origin, requestBody(settings, scene.model)));
    for (const id of ["save-csv", "save-npz"]) box(id).hidden = !scene.view.weights;
  }
}

/** What draws the view that is on screen, whole or at a moment of it. @param {Now} now */
async function drawer({ scene, compared }) {
  const [{ draw }, { measure }] = await Promise.all([import("../export/svg/draw.js"), import("../export/png.js")]);
  return (/** @type {Moment | null} */ moment = null) => draw(scene, { measure, beside: compared?.beside ?? null, moment });
}

/** With the name of the view, so that one of each can lie in a folder. @param {Now} now @param {string} extension */
const pictureName = ({ scene }, extension) => fileName(scene.trace, scene.viewName === "map" ? extension : `${scene.viewName}.${extension}`);
