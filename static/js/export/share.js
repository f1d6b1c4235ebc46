/** Exports as text: links, calls, and comma-separated values. Pure. */

/** @import {Address} from "../core/address.js" */
/** @import {Item, Model, Scene, Settings, View} from "../core/types" */

import { TRANSLATE } from "../core/api.js";
import { table } from "../core/csv.js";
import { requestBody } from "../core/token_request.js";
import { savedAt } from "../core/saved.js";
import { STATE } from "../core/state.js";
import { heading } from "../core/text.js";
import { decoderInput } from "../core/trace.js";

/**
 * A link with the model and the text, so that it shows the same when the defaults change.
 * @param {string} page @param {Settings} settings @param {Model} model
 */
export function link(page, settings, model) {
  const { text } = requestBody(settings, model);
  return linkTo(page, STATE, settings, { model: model.id, text });
}

/**
 * A link to a page with these settings and this request, which the id of a saved trace implies.
 * @template {object} S
 * @param {string} page @param {Pick<Address<S>, "toQuery" | "viewOnly">} state @param {S} settings @param {Partial<S>} request
 */
export function linkTo(page, state, settings, request) {
  const url = new URL(page);
  url.search = state.toQuery(
    savedAt(url.pathname) ? state.viewOnly(settings) : { ...settings, ...request },
  );
  url.hash = "";
  return url.href;
}

/** The text as one word for a POSIX shell. @param {string} text */
export function shellWord(text) {
  return `'${text.replace(/'/g, `'\\''`)}'`;
}

/** @param {string} origin @param {object} body @param {string} [path] of the API */
export function curl(origin, body, path = TRANSLATE) {
  return [
    `curl -s ${shellWord(origin + path)} \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${shellWord(JSON.stringify(body))}`,
  ].join("\n");
}

/** The same call from Python, with the standard library alone. @param {string} origin @param {object} body @param {string} [path] of the API */
export function python(origin, body, path = TRANSLATE) {
  return [
    "import json",
    "import urllib.request",
    "",
    "request = urllib.request.Request(",
    `    ${JSON.stringify(origin + path)},`,
    `    data=json.dumps(${pythonLiteral(body)}).encode(),`,
    '    headers={"Content-Type": "application/json"},',
    ")",
    "with urllib.request.urlopen(request) as response:",
    "    trace = json.load(response)",
    'print(trace["text"])',
    'weights = trace["maps"][0]["weights"] if trace["maps"] else None  # rows: output, columns: input',
  ].join("\n");
}

/** A Python literal: JSON with Python's names of true, false and null, and with escaped strings. @param {unknown} value */
function pythonLiteral(value) {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return escapedJson(value);
  /** @type {string[]} */
  const parts = Object.entries(value).map(
    ([key, each]) => `${escapedJson(key)}: ${pythonLiteral(each)}`,
  );
  return `{${parts.join(", ")}}`;
}

/** @param {unknown} value */
const escapedJson = (value) =>
  JSON.stringify(value).replace(
    /[\ud800-\udfff]/g,
    (half) => `\\u${half.charCodeAt(0).toString(16)}`,
  );

/**
 * The map as comma-separated values (RFC 4180): a line for each row, under the columns' names. In
 * the corner stands what both are, such as words.
 * @param {View} view @param {string} [unit]
 */
export function csv(view, unit = "") {
  // A reader of the table knows the marks of the page, not the names of special tokens.
  const name = (/** @type {Item} */ item) => (item.special ? heading(item).text : item.text);
  const names = view.columns.map(name);
  const lines = (view.weights ? view.rows : []).map((item, index) => [
    name(item),
    ...(view.weights?.[index] ?? []).map((value) => String(Number(value.toFixed(6)))),
  ]);
  return table([[unit, ...names], ...lines]);
}

/**
 * All maps of the kind on screen as arrays for NumPy: `weights` by layer, head, row and column, and
 * the pieces of both sides, `▁` before those that begin a word.
 * @param {Scene} scene
 */
export function arrays({ trace, output, picked, layers, heads }) {
  const axes = {
    source: trace.source,
    target: output.target,
    decoder_input: decoderInput(output.target),
  };
  const pieces = (/** @type {import("../core/types").TokenAxis} */ axis) =>
    axis.tokens.map((token, index) =>
      !token.special && axis.tokens[index - 1]?.word !== token.word ? `▁${token.text}` : token.text,
    );
  const [rows, columns] = [
    pieces(axes[picked?.query ?? "target"]),
    pieces(axes[picked?.key ?? "source"]),
  ];
  const maps = layers.flatMap((layer) =>
    heads.map((head) =>
      output.maps.find(
        (map) => map.kind === picked?.kind && map.layer === layer && map.head === head,
      ),
    ),
  );
  return {
    weights: {
      shape: [layers.length, heads.length, rows.length, columns.length],
      data: maps.flatMap((map) => map?.weights.flat() ?? []),
    },
    source: { shape: [columns.length], data: columns },
    target: { shape: [rows.length], data: rows },
    unit: { shape: [], data: ["tokens"] },
  };
}
