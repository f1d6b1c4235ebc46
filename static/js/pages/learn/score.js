/** A score in one dimension: keys and a query on a line, the score of every possible key as a curve. */

import { WAYS, curve } from "../../core/score_line.js";
import { softmax } from "../../core/softmax.js";
import { box, byId, fill, html, say, set, slide, svg } from "../../draw/dom.js";
import { query, startTool } from "./tool.js";

/** The line reaches from −END to END, the scores that are drawn from −TOP to TOP. */
const END = 3;
const TOP = 9;
const HEIGHT = 160;
/** The curve is stretched to the width of the page; what has a size is placed in percent. */
const STRETCHED = 1000;
const POINTS = 97;
const MOST = 8;

const given = (query.get("keys") ?? "")
  .split(" ")
  .filter(Boolean)
  .map(Number)
  .filter(Number.isFinite)
  .slice(0, MOST);
const places = given.length ? given : [-2, 0, 1.5];
const names = (query.get("labels") ?? "").split(" ").filter(Boolean);

const way = byId("way", HTMLSelectElement);
const asked = byId("query", HTMLInputElement);

/** A place on the line as a share of its length. @param {number} at */
const across = (at) => (at + END) / (2 * END);
/** @param {number} at */
const x = (at) => `${(100 * across(at)).toFixed(2)}%`;
/** @param {number} score */
const y = (score) => Math.round(HEIGHT * 5 * (1 - Math.max(-1, Math.min(1, score / TOP)))) / 10;
/** @param {number} value */
const number = (value) => value.toFixed(1).replace("-", "−");

const path = svg("path", { class: "score-curve" });
const needle = svg("line", { class: "score-query", y1: 0, y2: HEIGHT });
const letter = svg("text", { class: "score-query", y: 14, dx: 6 }, "q");
const picture = svg(
  "svg",
  { class: "score-line", height: HEIGHT + 40, role: "img" },
  svg("line", { class: "rule", x1: 0, x2: "100%", y1: y(0), y2: y(0) }),
  svg("text", { class: "score-zero", x: 0, y: y(0) - 6 }, "score 0"),
  needle,
  letter,
  svg(
    "svg",
    { viewBox: `0 0 ${STRETCHED} ${HEIGHT}`, height: HEIGHT, preserveAspectRatio: "none" },
    path,
  ),
);

const keys = places.map((place, at) => {
  const label = names[at] ?? `key ${at + 1}`;
  const slider = html.input({
    type: "range",
    min: -END,
    max: END,
    step: 0.1,
    value: place,
    "aria-label": `key of ${label}`,
  });
  slider.addEventListener("input", draw);
  const rise = svg("line", { class: "score-rise", y1: HEIGHT });
  const point = svg("circle", { class: "score-point", r: 7 });
  // Every other name stands one line lower, so that neighbours do not overlap.
  const name = svg("text", { y: HEIGHT + (at % 2 ? 36 : 18) }, label);
  picture.append(rise, point, name);
  const [key, score, worth] = [0, 1, 2].map(() => html.output({ class: "number" }));
  worth.classList.add("softmax-weight");
  const bar = html.span({ class: "softmax-bar" });
  box("score-rows").append(
    html.tr(
      html.th({ scope: "row" }, label),
      html.td({ class: "softmax-slide" }, slider, key),
      html.td({ class: "number" }, score),
      html.td({ class: "softmax-share" }, bar, worth),
    ),
  );
  return { label, slider, rise, point, name, key, score, worth, bar };
});

function draw() {
  const chosen = WAYS[way.value];
  const q = Number(asked.value);
  const now = keys.map(({ slider }) => Number(slider.value));
  const scores = now.map((key) => chosen.score(q, key));
  const weights = softmax(scores);
  const line = curve(chosen, q, END, POINTS).map(
    ([at, score]) => `${Math.round(STRETCHED * across(at))} ${y(score)}`,
  );
  set(path, "d", `M${line.join("L")}`);
  set(needle, "x1", x(q));
  set(needle, "x2", x(q));
  set(letter, "x", x(q));
  for (const [at, { slider, rise, point, name, key, score, worth, bar }] of keys.entries()) {
    const middle = x(now[at]);
    set(rise, "x1", middle);
    set(rise, "x2", middle);
    set(rise, "y2", y(scores[at]));
    set(point, "cx", middle);
    set(point, "cy", y(scores[at]));
    set(name, "x", middle);
    slide(slider, now[at], `${number(now[at])}, score ${number(scores[at])}`);
    say(key, number(now[at]));
    say(score, number(scores[at]));
    say(worth, weights[at].toFixed(2));
    bar.style.setProperty("--share", String(weights[at]));
  }
  slide(asked, q, number(q));
  say(box("query-now"), number(q));
  say(box("score-formula"), chosen.formula);
  say(box("score-said"), chosen.said);
  const best = weights.indexOf(Math.max(...weights));
  picture.setAttribute(
    "aria-label",
    `The query is at ${number(q)}. The largest score is that of “${keys[best].label}”, ${number(scores[best])}.`,
  );
}

/** Moves the query, or the key whose point is pressed, along with a pointer. @param {PointerEvent} event */
function drag(event) {
  const { left, width } = picture.getBoundingClientRect();
  const grabbed = keys.find(({ point }) => point === event.target)?.slider ?? asked;
  const move = (/** @type {PointerEvent} */ { clientX }) => {
    const at = ((clientX - left) / width) * 2 * END - END;
    grabbed.value = String(Math.round(at * 10) / 10);
    draw();
  };
  picture.setPointerCapture(event.pointerId);
  picture.addEventListener("pointermove", move);
  const end = () => picture.removeEventListener("pointermove", move);
  picture.addEventListener("lostpointercapture", end, { once: true });
  move(event);
}

fill(
  way,
  Object.entries(WAYS).map(([value, { name }]) => ({ value, text: name })),
  WAYS[query.get("way") ?? ""] ? String(query.get("way")) : "hill",
);
asked.value = String(Number(query.get("query")) || 0);
box("score-picture").append(picture);
way.addEventListener("change", draw);
asked.addEventListener("input", draw);
picture.addEventListener("pointerdown", drag);
draw();
startTool();
