/** Softmax by hand: a slider for each score, the weights, and a sum of values with these weights. */

import { softmax, weighted } from "../../core/softmax.js";
import { box, byId, html, say, slide } from "../../draw/dom.js";
import { query, startTool } from "./tool.js";

const MOST = 8;
const numbers = (/** @type {string} */ name) =>
  (query.get(name) ?? "").split(" ").filter(Boolean).map(Number).filter(Number.isFinite);

const given = numbers("scores").slice(0, MOST);
const scores = given.length ? given : [1, 2, 1];
const names = (query.get("labels") ?? "").split(" ").filter(Boolean);
const labels = scores.map((_, place) => names[place] ?? `word ${place + 1}`);
const values = numbers("values");
const valued = values.length === scores.length;

const rows = scores.map((score, place) => {
  const slider = html.input({
    type: "range",
    min: -5,
    max: 5,
    step: 0.1,
    value: score,
    "aria-label": `score of ${labels[place]}`,
  });
  const bar = html.span({ class: "softmax-bar" });
  const number = html.output({ class: "number" });
  const worth = html.output({ class: "number softmax-weight" });
  slider.addEventListener("input", draw);
  const value = valued && html.td({ class: "number" }, String(values[place]));
  const row = html.tr(
    html.th({ scope: "row" }, labels[place]),
    value,
    html.td({ class: "softmax-slide" }, slider, number),
    html.td({ class: "softmax-share" }, bar, worth),
  );
  return { slider, number, bar, worth, row };
});

const temperature = byId("temperature", HTMLInputElement);
const dimensions = byId("dimensions", HTMLInputElement);
const scaled = byId("scaled", HTMLInputElement);
const heat = Number(query.get("temperature"));
const size = Number(query.get("dimensions"));
temperature.value = String(Math.log2(heat > 0 ? heat : 1));
dimensions.value = String(Math.log2(size >= 1 ? size : 64));
box("temperature-row").hidden = heat <= 0;
box("dimensions-row").hidden = size < 1;
box("softmax-sum").hidden = !valued;
box("softmax-value").hidden = !valued;
for (const input of [temperature, dimensions, scaled]) input.addEventListener("input", draw);
box("softmax-rows").append(...rows.map(({ row }) => row));

function draw() {
  const now = rows.map(({ slider }) => Number(slider.value));
  const [t, d] = [2 ** Number(temperature.value), Math.round(2 ** Number(dimensions.value))];
  const weights = softmax(now, {
    temperature: t,
    dimensions: size >= 1 ? d : null,
    scaled: scaled.checked,
  });
  const growth = size >= 1 && !scaled.checked ? Math.sqrt(d) : 1;
  for (const [place, { slider, number, bar, worth }] of rows.entries()) {
    const score = (now[place] * growth).toFixed(1);
    slide(slider, now[place], score);
    say(number, score);
    say(worth, weights[place].toFixed(2));
    bar.style.setProperty("--share", String(weights[place]));
  }
  slide(temperature, Number(temperature.value), t.toFixed(2));
  slide(dimensions, Number(dimensions.value), String(d));
  say(box("temperature-now"), t.toFixed(2));
  say(box("dimensions-now"), String(d));
  if (!valued) return;
  const sum = weighted(weights, values);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const terms = weights.map((share, place) => `${share.toFixed(2)} · ${values[place]}`);
  say(box("softmax-formula"), `c = ${terms.join(" + ")} = ${sum.toFixed(2)}`);
  box("softmax-line").style.setProperty("--at", String((sum - low) / (high - low || 1)));
  say(box("softmax-low"), String(low));
  say(box("softmax-high"), String(high));
}

draw();
startTool();
