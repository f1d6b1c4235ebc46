/** The map as text for papers and notes: a drawing for LaTeX, a table for Markdown. Pure. */

/** @import {Item, MapScene, View} from "../core/types" */

import { cellNumbers } from "../core/cell_numbers.js";
import { heatmapOf } from "../core/heatmap.js";
import { inkOn } from "../core/colours.js";
import { heading, visible } from "../core/text.js";
import { paletteOf } from "../draw/ink.js";

const DIGITS = 2;
/** Characters with a meaning of their own, and others that need a command. */
const TEX = new Map([
  ["\\", "\\textbackslash{}"],
  ["^", "\\textasciicircum{}"],
  ["~", "\\textasciitilde{}"],
  ...Array.from("&%$#_{}", (sign) => /** @type {const} */ ([sign, `\\${sign}`])),
  ["⟨", "$\\langle$"],
  ["⟩", "$\\rangle$"],
  ["␣", "\\textvisiblespace{}"],
  ["α", "$\\alpha$"],
]);
const MARKDOWN = /[\\`*_{}[\]<>#|~&$]/g;

/** A text that TeX sets as it is. @param {string} text */
const tex = (text) => Array.from(text, (sign) => TEX.get(sign) ?? sign).join("");

/** @param {string} text */
const markdown = (text) => text.replace(MARKDOWN, "\\$&");

/** A text on one line: neither a comment nor a row of a table ends within it. @param {string} text */
const oneLine = (text) => visible(text.replace(/\s+/g, " "));

/** @param {Item} item */
const name = (item) => oneLine(heading(item).text);

/**
 * A document that compiles by itself: TikZ in the class `standalone`.
 * @param {MapScene} scene
 */
export function latex(scene) {
  const { view, model, scale, log } = scene;
  const weights = view.weights ?? [];
  const unit = scene.kind.unit?.(scene) ?? "";
  const how = { scale, log, palette: paletteOf(scene) };
  const { colourAt } = heatmapOf(weights, how);
  // As on the page, a cell whose number would be 0.00 has none.
  const numbers = new Map(
    (scene.paper?.numbers === false ? [] : cellNumbers(weights, how)).map(
      ({ row, column, text }) => [`${row} ${column}`, text],
    ),
  );
  const cells = weights.flatMap((row, y) =>
    row.map((_, x) => {
      const fill = colourAt(y, x);
      const ink = inkOn(fill) === "#000000" ? "black" : "white";
      return `  \\cell{${x}}{${y}}{${fill.slice(1).toUpperCase()}}{${ink}}{${numbers.get(`${y} ${x}`) ?? ""}}`;
    }),
  );
  const columns = view.columns.map(
    (item, x) => `  \\node[rotate=50, anchor=west] at (${x}.5,-0.15) {${tex(name(item))}};`,
  );
  const rows = view.rows.map(
    (item, y) => `  \\node[anchor=east] at (-0.1,${y}.5) {${tex(name(item))}};`,
  );
  return [
    `% ${tex(oneLine(model.name))}: attention weights, a row for each output, a column for each input${unit && `, in ${unit}`}.`,
    "% Compile with pdfLaTeX, or with LuaLaTeX for scripts other than Latin.",
    "\\documentclass[tikz, border=4pt]{standalone}",
    "\\usepackage[T1]{fontenc}",
    "\\newcommand{\\cell}[5]{%",
    "  \\definecolor{cell}{HTML}{#3}%",
    "  \\path[fill=cell, draw=black!10] (#1,#2) rectangle ++(1,1);%",
    "  \\node[text=#4, font=\\tiny] at (#1.5,#2.5) {#5};}",
    "\\begin{document}",
    "\\begin{tikzpicture}[x=8mm, y=-6mm, font=\\footnotesize]",
    ...cells,
    ...columns,
    ...rows,
    "\\end{tikzpicture}",
    "\\end{document}",
    "",
  ].join("\n");
}

/** A table with the largest weight of each row in bold. @param {View} view @param {string} [unit] of its rows and columns */
export function markdownTable(view, unit = "") {
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(" | ")} |`;
  const rows = (view.weights ? view.rows : []).map((item, y) => {
    const row = view.weights?.[y] ?? [];
    const most = Math.max(...row);
    const cells = row.map((weight) =>
      weight === most ? `**${weight.toFixed(DIGITS)}**` : weight.toFixed(DIGITS),
    );
    return line([markdown(name(item)), ...cells]);
  });
  return [
    line([unit, ...view.columns.map((item) => markdown(name(item)))]),
    line(["---", ...view.columns.map(() => "--:")]),
    ...rows,
    "",
  ].join("\n");
}
