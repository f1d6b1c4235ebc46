/**
 * The page as one file that needs no server: our own page, style sheets and modules with what is
 * on screen inside. Loaded when one is asked for, not before.
 */

/** @import {Now} from "../../text_page/share.js" */
/** @import {Taken} from "../../text_page/standalone_app.js" */

import { html } from "./serialize.js";
import { base64, gathered, importMap, inScript, run } from "./modules.js";
import { toQuery } from "../../core/state.js";

/**
 * @typedef {object} Kind of page
 * @property {string} address of it @property {string} entry the module that starts the file
 * @property {string} painter stands in for Plotly, which is megabytes
 */

/** All that the file needs of Plotly is painted cells; the page is one that asks nothing, and so has no answer in it. @type {Kind} */
const TEXT = { address: "/?text=&view=lines", entry: "text_page/standalone_app.js", painter: "shell/canvas_heatmap.js" };
/** A file cannot be made from a file: what it would read is not beside it. */
const WITHOUT = ["export/html/html_export.js", "picture_page/html_export.js"];
/** Whatever the file holds, the browser then asks nobody for anything. */
const POLICY = "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'";
/** What needs a server, or has no sense without one. */
const SERVED = "#ask, #bring, [data-served], .top nav a, link[rel~=preload], link[rel=modulepreload], script, meta[name=description]";

/** @param {Now} now @returns {Promise<string>} */
export const standalone = (now) => filed(TEXT, takenFrom(now));

/** @param {Kind} kind @param {{models: unknown[]}} taken what the file must know @returns {Promise<string>} */
export async function filed({ address, entry, painter }, taken) {
  const modulesAt = new URL("../../", import.meta.url);
  const read = (/** @type {string} */ path) => text(new URL(path === "shell/plotly.js" ? painter : path, modulesAt));
  const [page, modules, head] = await Promise.all([template(address), gathered(entry, read, WITHOUT), read("shell/early_theme.js")]);
  for (const node of page.querySelectorAll(SERVED)) node.remove();
  if (taken.models.length < 2) page.querySelector("#view label:has([value=compare])")?.remove();
  await inline(page);
  put(page, ".noscript", "This file draws its figures with JavaScript, which is switched off here.");
  const name = page.querySelector(".foot p")?.textContent?.match(/Heed \d[\d.]*\d/)?.[0] ?? "Heed";
  put(page, ".foot p", `Saved from ${name}. This file holds everything it shows; nothing is asked of anybody.`);
  page.body.removeAttribute("data-plotly");
  page.querySelector("#stage")?.removeAttribute("hidden");
  page.title = document.title;
  page.querySelector("meta[charset]")?.after(made(page, "meta", { "http-equiv": "Content-Security-Policy", content: POLICY }));
  page.head.append(made(page, "script", {}, head), made(page, "script", { type: "importmap" }, importMap(modules)));
  page.body.append(made(page, "script", { type: "application/json", id: "taken" }, inScript(taken)), made(page, "script", { type: "module" }, run(entry)));
  return html(page);
}

/** What the file must know. @param {Now} now @returns {Taken} */
function takenFrom({ scene, settings, compared }) {
  const beside = compared?.beside?.entries.map(({ model }) => model) ?? [];
  const { row, part, parts, view } = scene;
  const step = view.rows[row]?.tokens[0] ?? 0;
  return {
    query: toQuery({ ...settings, step, part: part === parts - 1 ? null : part }),
    trace: scene.trace,
    models: [scene.model, ...beside.filter(({ id }) => id !== scene.model.id)],
    known: compared?.known ?? [],
  };
}

/** The page as the server gives it, not as it stands here. @param {string} address @returns {Promise<Document>} */
function template(address) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("GET", address);
    request.responseType = "document";
    request.onload = () => (request.status === 200 && request.responseXML ? resolve(request.responseXML) : reject(new Error(`the page answered ${request.status}`)));
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

/** Style sheets and pictures come into the document itself. @param {Document} page */
async function inline(page) {
  for (const link of page.querySelectorAll("link[rel=stylesheet]")) {
    link.replaceWith(made(page, "style", {}, await text(link.getAttribute("href") ?? "")));
  }
  for (const node of page.querySelectorAll("link[rel=icon], img")) {
    const name = node.matches("img") ? "src" : "href";
    node.setAttribute(name, `data:image/svg+xml;base64,${base64(await text(node.getAttribute(name) ?? ""))}`);
  }
  page.querySelector(".top .name")?.removeAttribute("href");
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
