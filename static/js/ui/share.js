/** Taking it along: the link, the numbers, the picture, the call. */

/** @import {Palette, Scene} from "../types" */

import { NOBODY } from "../imports.js";
import { writeNpz } from "../npz.js";
import { heading } from "../text.js";
import { labelled } from "../labelled.js";
import { arrays, csv, curl, fileName, link, python } from "../share.js";
import { direction, visible } from "../text.js";
import { requestBody } from "../request.js";
import { box } from "./dom.js";
import { picture } from "./plotly.js";

export class Share {
  /** @param {() => {scene: Scene, settings: import("../types").Settings, palette: Palette} | null} now */
  constructor(now) {
    /** @param {string} id @param {(at: NonNullable<ReturnType<typeof now>>) => Promise<string>} act */
    const on = (id, act) =>
      box(id).addEventListener("click", async () => {
        const at = now();
        if (at) box("share-said").textContent = await act(at).catch(() => "That did not work in this browser.");
      });
    on("copy-link", ({ scene, settings }) => copy(link(location.href, settings, scene.model), "Link copied."));
    on("copy-json", ({ scene }) => copy(JSON.stringify(scene.trace), "JSON copied."));
    on("copy-curl", async ({ scene, settings }) => copy(curl(location.origin, requestBody(settings, scene.model)), "curl command copied."));
    on("copy-python", async ({ scene, settings }) => copy(python(location.origin, requestBody(settings, scene.model)), "Python copied."));
    on("save-json", async ({ scene: { trace } }) => saveText(JSON.stringify(trace, null, 1), "application/json", fileName(trace, "json")));
    // With a mark of its encoding, or spreadsheets read accents wrong.
    on("save-csv", async ({ scene }) => saveText(`\ufeff${csv(scene.view)}`, "text/csv", fileName(scene.trace, "csv")));
    on("save-npz", async ({ scene }) => save(URL.createObjectURL(new Blob([writeNpz(arrays(scene))])), fileName(scene.trace, "npz")));
    for (const format of /** @type {const} */ (["svg", "png"])) {
      on(`save-${format}`, async ({ scene, palette }) => save(await picture(figureOf(scene, palette), format), fileName(scene.trace, format)));
    }
  }

  /** @param {Scene} scene @param {import("../types").Settings} settings */
  draw(scene, settings) {
    const asked = scene.model.id !== NOBODY.id;
    for (const id of ["copy-link", "copy-curl", "copy-python", "curl"]) box(id).hidden = !asked;
    if (asked) box("curl").textContent = curl(location.origin, requestBody(settings, scene.model));
    for (const id of ["save-svg", "save-png", "save-csv", "save-npz"]) box(id).hidden = !scene.view.weights;
  }
}

/** @param {Scene} scene @param {Palette} palette */
function figureOf({ view, scale, log, trace, output }, palette) {
  const widest = Math.max(...view.columns.map((item) => heading(item).text.length));
  return labelled(view, {
    scale,
    log,
    palette,
    cell: { width: widest > 3 ? 44 : 28, height: 28 },
    rtl: direction(view.columnText) === "rtl",
    title: `\u2068${visible(trace.source.text)}\u2069 → \u2068${visible(output.text)}\u2069`,
  });
}

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

/** @param {string} text @param {string} type @param {string} name */
const saveText = (text, type, name) => save(URL.createObjectURL(new Blob([text], { type })), name);

/** @param {string} url @param {string} name */
function save(url, name) {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  if (url.startsWith("blob:")) setTimeout(() => URL.revokeObjectURL(url), 60_000);
  return `Saved ${name}.`;
}
