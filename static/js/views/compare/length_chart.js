/** The chart of BLEU over the length of the source on the page. */

/** @import {Model} from "../../core/types" */
/** @import {Curve, LengthChart} from "./lengths.js" */

import { html, svg } from "../../draw/dom.js";
import { described, lengthChart } from "./lengths.js";

const SIZE = { width: 520, height: 170 };
const MARGIN = { left: 34, right: 150, top: 14, bottom: 38 };
const RADIUS = 3.5;

/** The figure; null if fewer than two of the models were measured. @param {Model[]} models @param {string} main id of the model on screen @param {number} words of the sentence on screen */
export function lengthFigure(models, main, words) {
  const chart = lengthChart(models, words, SIZE);
  if (!chart) return null;
  const drawing = svg("svg", {
    viewBox: `${-MARGIN.left} ${-MARGIN.top} ${SIZE.width + MARGIN.left + MARGIN.right} ${SIZE.height + MARGIN.top + MARGIN.bottom}`,
    class: "length-chart",
    role: "img",
    "aria-label": `BLEU over the number of words in the source. ${chart.curves.map(described).join("; ")}.`,
  });
  drawing.append(
    ...axes(chart),
    ...current(chart, words),
    ...chart.curves.flatMap((each) => curve(each, main, seriesOf(each, chart, main))),
  );
  return html.figure(
    { class: "lengths" },
    html.figcaption(
      html.h3("Quality over sentence length"),
      html.p(
        { class: "note" },
        "BLEU on held-out text, by the number of words in the source: without attention, one vector has to hold the whole sentence.",
      ),
    ),
    drawing,
  );
}

/** @param {LengthChart} chart */
function axes({ width, height, lengths, scores }) {
  return [
    ...scores.flatMap(({ y, text }) => [
      svg("line", { x1: 0, x2: width, y1: y, y2: y, class: "rule" }),
      label(text, -8, y + 4, "end"),
    ]),
    ...lengths.map(({ x, text }) => label(text, x, height + 18, "middle")),
    label("words in the source", width / 2, height + 34, "middle"),
    label("BLEU", -8, -6, "end"),
  ];
}

/** A line at the length of the sentence on screen. @param {LengthChart} chart @param {number} words */
function current({ current: x, height }, words) {
  if (x === null) return [];
  const text = words === 1 ? "this sentence: 1 word" : `this sentence: ${words} words`;
  return [
    svg("line", { x1: x, x2: x, y1: 0, y2: height, class: "length-now" }),
    label(text, x + 5, height - 6, "start", "length-now-name"),
  ];
}

/** The colour of a curve among those that have none of their own. @param {Curve} curve @param {LengthChart} chart @param {string} main */
const seriesOf = (curve, { curves }, main) =>
  curves.filter(({ model }) => kindOf(model, main) === "other").indexOf(curve);

/** @param {Model} model @param {string} main */
const kindOf = (model, main) =>
  model.id === main ? "main" : model.mechanism === "none" ? "blind" : "other";

/** @param {Curve} curve @param {string} main @param {number} series */
function curve({ model, name, points, label: y }, main, series) {
  const path = points.map((point, index) => `${index ? "L" : "M"}${point.x} ${point.y.toFixed(1)}`);
  const last = points[points.length - 1];
  const dots = points.map(({ x, y: high, figure: { from, to, bleu } }) => {
    const dot = svg("circle", { cx: x, cy: high, r: RADIUS });
    const title = svg("title", {});
    title.textContent = `${name}: BLEU ${bleu.toFixed(1)} for ${from} to ${to} words`;
    dot.append(title);
    return dot;
  });
  const group = svg("g", {
    class: "length-curve",
    "data-kind": kindOf(model, main),
    "data-series": series,
  });
  group.append(
    svg("path", { d: path.join("") }),
    ...dots,
    svg("path", { class: "lead", d: `M${last.x + 4} ${last.y.toFixed(1)}L${last.x + 9} ${y}` }),
    label(`${last.figure.bleu.toFixed(0)}  ${name}`, last.x + 10, y + 4, "start"),
  );
  return [group];
}

/** @param {string} text @param {number} x @param {number} y @param {string} anchor @param {string} [name] */
function label(text, x, y, anchor, name) {
  const made = svg("text", { x, y, "text-anchor": anchor, class: name });
  made.textContent = text;
  return made;
}
