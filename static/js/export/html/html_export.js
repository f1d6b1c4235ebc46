/**
 * A page as one file that needs no server: the shell of the page, which the server makes, filled
 * with the trace on screen. Such a file fills its own. Loaded when it is exported, not before.
 */

/** @import {Address} from "../../core/address.js" */
/** @import {BaseScene, BaseSettings, BaseTrace, Exports, Now} from "../../shell/types" */
/** @import {Contents} from "../../shell/standalone_application.js" */

import { packed } from "./packing.js";

/** The places of a shell that are filled. As in output/page/standalone.py. */
const TITLE = "<title>Heed</title>";
const CONTENTS = '<script type="text/plain" id="contents"></script>';

/**
 * @template {BaseSettings} S @template {BaseTrace} T @template {BaseScene<T>} C
 * @param {Exports<S, T, C>["standalone"]} file @param {Now<S, C>} now @param {Address<S>} state
 * @returns {Promise<string>}
 */
export async function standaloneFile({ page, pack }, now, state) {
  const contents = contentsOf(now, state, pack);
  const [shell, held] = await Promise.all([
    shellOf(contents.answers.length ? `${page}-compared` : page),
    packed(contents),
  ]);
  return filled(shell, document.title, held);
}

/**
 * The shell with a title and packed contents. Functions, because `$` has a meaning in a text that
 * replaces another one.
 * @param {string} shell @param {string} title @param {{text: string, size: number}} contents
 */
export function filled(shell, title, { text, size }) {
  const escaped = title.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  return shell
    .replace(TITLE, () => `<title>${escaped}</title>`)
    .replace(CONTENTS, () => CONTENTS.replace("></", () => ` data-size="${size}">${text}</`));
}

/** The shell that a file has kept of itself, or that of the server. @param {string} name */
async function shellOf(name) {
  const own = document.getElementById("shell")?.textContent;
  if (own) return own;
  const response = await fetch(new URL(`../../../shells/${name}.html`, import.meta.url));
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return response.text();
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
