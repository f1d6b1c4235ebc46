/**
 * A page as one file that needs no server: the page, its style sheets and modules, with the trace on
 * screen inside, all of it compressed. Loaded when it is exported, not before.
 */

/** @import {Address} from "../../core/address.js" */
/** @import {AxisKind} from "../../core/types" */
/** @import {BaseScene, BaseSettings, BaseTrace, Exports, Now} from "../../shell/types" */
/** @import {Contents} from "../../shell/standalone_application.js" */

import { base64, gathered, named } from "./modules.js";
import { packed } from "./packing.js";
import { html } from "./serialize.js";

/** Plotly is megabytes: this module is replaced by a stand-in that paints the same cells. */
const PLOTLY = "draw/plotly.js";
/** The loader of each kind of axis in each view. */
const LOADERS = "views/loaders.js";
const LOADER = /\b(\w+): \(\) => import\("\.\/([^"]+)"\)/g;
/** Unpacks the file, and starts its first module. */
const UNPACK = "shell/unpack.js";
const NO_SCRIPT =
  "This file draws its figures with JavaScript, which is turned off in this browser.";
/** A standalone file cannot export another one, nor save its trace. */
const WITHOUT = ["export/html/html_export.js"];
/** The browser makes no request, whatever the file contains. */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'";
/** Parts that need a server, or have no meaning without one. */
const SERVED =
  "#ask, #bring, [data-served], .top nav a, link[rel~=preload], link[rel=modulepreload], script, meta[name=description]";

/**
 * @template {BaseSettings} S @template {BaseTrace} T @template {BaseScene<T>} C
 * @param {AxisKind} kind @param {Exports<S, T, C>["standalone"]} page @param {Now<S, C>} now @param {Address<S>} state
 * @returns {Promise<string>}
 */
export async function standaloneFile(kind, { address, entry, standIn, pack }, now, state) {
  const modulesAt = new URL("../../", import.meta.url);
  const read = (/** @type {string} */ path) =>
    text(new URL(path === PLOTLY ? standIn : path, modulesAt));
  const [page, modules, theme, unpack] = await Promise.all([
    template(address),
    gathered(entry, read, leftOut(kind, await read(LOADERS))),
    read("shell/early_theme.js"),
    read(UNPACK),
  ]);
  const contents = contentsOf(now, state, pack);
  for (const node of page.querySelectorAll(SERVED)) node.remove();
  const styles = await inline(page);
  put(page, ".noscript", NO_SCRIPT);
  const name = page.querySelector(".foot p")?.textContent?.match(/Heed \d[\d.]*\d/)?.[0] ?? "Heed";
  put(
    page,
    ".foot p",
    `Saved from ${name}. This file contains everything it shows and makes no requests.`,
  );
  page.body.removeAttribute("data-plotly");
  page.querySelector("#stage")?.removeAttribute("hidden");
  page.title = document.title;
  page
    .querySelector("meta[charset]")
    ?.after(made(page, "meta", { "http-equiv": "Content-Security-Policy", content: POLICY }));
  page.head.append(made(page, "script", {}, theme));
  await compress(page, { ...named(modules, entry), styles, contents }, unpack);
  return html(page);
}

/** Replaces the body by all that the file consists of, compressed, and what unpacks it. @param {Document} page @param {object} parts @param {string} unpack */
async function compress(page, parts, unpack) {
  const body = [...page.body.childNodes].map(html).join("");
  const { text, size } = await packed({ ...parts, body });
  const noScript = page.createElement("noscript");
  noScript.append(made(page, "p", {}, NO_SCRIPT));
  const held = { type: "text/plain", id: "packed", "data-size": String(size) };
  page.body.replaceChildren(
    noScript,
    made(page, "script", held, text),
    made(page, "script", {}, unpack),
  );
}

/**
 * True for a module that such a file lacks: the export of one, and what draws other kinds of axes.
 * @param {AxisKind} kind @param {string} loaders the text of the module with the loaders of all kinds
 * @returns {(path: string) => boolean}
 */
export function leftOut(kind, loaders) {
  const all = [...loaders.matchAll(LOADER)].map(([, of, path]) => ({ of, path: `views/${path}` }));
  const own = new Set(all.flatMap(({ of, path }) => (of === kind ? path : [])));
  const others = new Set(all.flatMap(({ path }) => (own.has(path) ? [] : path)));
  return (path) => WITHOUT.includes(path) || others.has(path);
}

/**
 * @template {BaseSettings} S @template {BaseTrace} T @template {BaseScene<T>} C
 * @param {Now<S, C>} now @param {Address<S>} state @param {(trace: T) => T} pack @returns {Contents<T>}
 */
function contentsOf({ scene, settings, companions }, state, pack) {
  const { row, part, parts, rows, trace, model } = scene;
  const step = rows[row]?.tokens[0] ?? 0;
  const answers = /** @type {[string, T][]} */ (companions?.answers ?? []);
  return {
    query: state.toQuery({ ...settings, step, part: part === parts - 1 ? null : part }),
    trace,
    models: [model, ...(companions?.models ?? []).filter(({ id }) => id !== model.id)],
    answers: answers.map(([key, answer]) => [key, pack(answer)]),
  };
}

/** The page as the server sends it, not the current document. @param {string} address @returns {Promise<Document>} */
function template(address) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("GET", address);
    request.responseType = "document";
    request.onload = () =>
      request.status === 200 && request.responseXML
        ? resolve(request.responseXML)
        : reject(new Error(`the page answered ${request.status}`));
    request.onerror = () => reject(new Error("the server does not answer"));
    request.send();
  });
}

/** @param {URL | string} address */
async function text(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  return response.text();
}

/** Inlines images; removes the style sheets, and returns them. @param {Document} page */
async function inline(page) {
  const sheets = [...page.querySelectorAll("link[rel=stylesheet]")];
  const styles = await Promise.all(sheets.map((link) => text(link.getAttribute("href") ?? "")));
  for (const link of sheets) link.remove();
  for (const node of page.querySelectorAll("link[rel=icon], img")) {
    const name = node.matches("img") ? "src" : "href";
    node.setAttribute(
      name,
      `data:image/svg+xml;base64,${base64(await text(node.getAttribute(name) ?? ""))}`,
    );
  }
  page.querySelector(".top .name")?.removeAttribute("href");
  return styles.join("\n");
}

/** @param {Document} page @param {string} selector @param {string} content */
function put(page, selector, content) {
  const node = page.querySelector(selector);
  if (node) node.textContent = content;
}

/** @param {Document} page @param {string} name @param {Record<string, string>} attributes @param {string} [content] */
function made(page, name, attributes, content = "") {
  const node = page.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.textContent = content;
  return node;
}
