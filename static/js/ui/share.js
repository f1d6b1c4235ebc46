/** Taking it along: the link, the numbers, the picture, the call, the page itself. */

/** @import {Scene, Settings} from "../types" */
/** @import {CompareView} from "./compare.js" */

import { NOBODY } from "../imports.js";
import { writeNpz } from "../npz.js";
import { requestBody } from "../request.js";
import { NotTaken, arrays, csv, curl, fileName, link, python } from "../share.js";
import { box } from "./dom.js";
import { save } from "./download.js";

/** @typedef {{scene: Scene, settings: Settings, compared: CompareView | null}} Now what is on screen */

/** What needs somebody who can be asked again, and what needs the server. */
const ASKING = ["copy-link", "copy-curl", "copy-python", "curl"];
const SERVED = [...ASKING, "save-html"];

export class Share {
  #now;
  #served;
  #busy = false;

  /** @param {() => Now | null} now @param {{served?: boolean}} [where] whether this page came from a server that can be asked */
  constructor(now, { served = true } = {}) {
    this.#now = now;
    this.#served = served;
    this.#on("copy-link", ({ scene, settings }) => copy(link(location.href, settings, scene.model), "Link copied."));
    this.#on("copy-json", ({ scene }) => copy(JSON.stringify(scene.trace), "JSON copied."));
    this.#on("copy-curl", ({ scene, settings }) => copy(curl(location.origin, requestBody(settings, scene.model)), "curl command copied."));
    this.#on("copy-python", ({ scene, settings }) => copy(python(location.origin, requestBody(settings, scene.model)), "Python copied."));
    this.#on("save-json", ({ scene: { trace } }) => save(JSON.stringify(trace, null, 1), "application/json", fileName(trace, "json")));
    // With a mark of its encoding, or spreadsheets read accents wrong.
    this.#on("save-csv", ({ scene }) => save(`\ufeff${csv(scene.view)}`, "text/csv", fileName(scene.trace, "csv")));
    this.#on("save-npz", ({ scene }) => save(writeNpz(arrays(scene)), "application/octet-stream", fileName(scene.trace, "npz")));
    // What follows is loaded when it is asked for: most never ask.
    this.#on("save-svg", async (now) => save((await sheet(now)).svg, "image/svg+xml", pictureName(now, "svg")));
    this.#on("save-png", async (now) => save(await (await import("./paper.js")).png(await sheet(now)), "image/png", pictureName(now, "png")));
    this.#on("save-gif", async (now) => {
      const { film } = await import("./film.js");
      const { file, pictures, seconds } = await film(now.scene, now.compared?.beside ?? null);
      const said = save(file, "image/gif", pictureName(now, "gif"));
      return `${said} ${pictures} pictures, ${seconds.toFixed(0)} seconds, ${Math.ceil(file.length / 1024)} kB.`;
    });
    this.#on("save-html", async (now) => {
      const { standalone } = await import("./standalone.js");
      return `${save(await standalone(now), "text/html", fileName(now.scene.trace, "html"))} It opens in any browser, without a server.`;
    });
  }

  /** @param {Scene} scene @param {Settings} settings */
  draw(scene, settings) {
    const asked = scene.model.id !== NOBODY.id;
    for (const id of SERVED) box(id).hidden = !this.#served || (!asked && ASKING.includes(id));
    if (asked && this.#served) box("curl").textContent = curl(location.origin, requestBody(settings, scene.model));
    for (const id of ["save-csv", "save-npz"]) box(id).hidden = !scene.view.weights;
  }

  /** @param {string} id @param {(now: Now) => string | Promise<string>} act returns what to say */
  #on(id, act) {
    const button = box(id);
    button.addEventListener("click", async () => {
      const now = this.#now();
      if (!now) return;
      if (this.#busy) return void (box("share-said").textContent = "One thing after the other: the last one is not done yet.");
      this.#busy = true;
      button.setAttribute("aria-busy", "true");
      box("share-said").textContent = id === "save-gif" || id === "save-html" ? "One moment…" : "";
      try {
        box("share-said").textContent = await act(now);
      } catch (error) {
        box("share-said").textContent = error instanceof NotTaken ? error.message : "That did not work in this browser.";
      }
      button.removeAttribute("aria-busy");
      this.#busy = false;
    });
  }
}

/** @param {Now} now */
async function sheet({ scene, compared }) {
  const [{ draw }, { measure }] = await Promise.all([import("../paper/draw.js"), import("./paper.js")]);
  return draw(scene, { measure, beside: compared?.beside ?? null });
}

/** With the name of the view, so that one of each can lie in a folder. @param {Now} now @param {string} extension */
const pictureName = ({ scene }, extension) => fileName(scene.trace, scene.viewName === "map" ? extension : `${scene.viewName}.${extension}`);

/** @param {string} text @param {string} said */
async function copy(text, said) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return said;
  }
  // Without a secure connection there is no clipboard API; the older way still works.
  const holder = document.createElement("textarea");
  holder.value = text;
  document.body.append(holder);
  holder.select();
  const done = document.execCommand("copy");
  holder.remove();
  if (!done) throw new Error("copying was refused");
  return said;
}
