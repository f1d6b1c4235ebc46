/** The costs of a recurrent layer and of self-attention: computed from n and d, and measured on the server. */

import { ApiError, translate } from "../../core/api.js";
import { box, byId, html, say, slide } from "../../draw/dom.js";
import { TAKEN, query, startTool } from "./tool.js";

const MODELS = ["en-fr-additive", "en-fr-transformer"];
const LENGTHS = [5, 10, 20, 40];
const RUNS = 3;
const WORDS = "the dog sees the man and the little girl is playing with a black cat in".split(" ");

const words = byId("words", HTMLInputElement);
const width = byId("width", HTMLInputElement);
words.value = String(Math.log2(Number(query.get("words")) || 20));
width.value = String(Math.log2(Number(query.get("width")) || 512));
box("measure-part").hidden = !query.has("measure");
if (TAKEN) {
  const said = "Measuring runs two models, which takes a running Heed. This file has none.";
  box("measure-part").replaceChildren(html.p({ class: "note" }, said));
}

/** @param {number} count */
const short = (count) =>
  Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 }).format(count);

function draw() {
  const [n, d] = [Math.round(2 ** Number(words.value)), Math.round(2 ** Number(width.value))];
  const [chain, matrix] = [n * d * d, n * n * d];
  const most = Math.max(chain, matrix);
  slide(words, Number(words.value), `${n} words`);
  slide(width, Number(width.value), `${d} numbers`);
  say(box("words-now"), n.toLocaleString("en"));
  say(box("width-now"), d.toLocaleString("en"));
  say(box("chain-cost"), short(chain));
  say(box("matrix-cost"), short(matrix));
  say(box("chain-depth"), n.toLocaleString("en"));
  box("chain-bar").style.setProperty("--share", String(chain / most));
  box("matrix-bar").style.setProperty("--share", String(matrix / most));
}

/** A text of so many words. @param {number} length */
const textOf = (length) =>
  `${Array.from({ length }, (_, place) => WORDS[place % WORDS.length]).join(" ")}.`;

async function measure() {
  const button = byId("measure", HTMLButtonElement);
  const rows = box("timing-rows");
  button.disabled = true;
  rows.replaceChildren();
  box("timings").hidden = false;
  try {
    for (const length of LENGTHS)
      for (const model of MODELS) rows.append(await timed(length, model));
    say(box("measured"), "");
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    say(box("measured"), error.message);
  } finally {
    button.disabled = false;
  }
}

/** @param {number} length @param {string} model */
async function timed(length, model) {
  say(box("measured"), `${model}, ${length} words …`);
  const found = [];
  for (let run = 0; run < RUNS; run++) {
    // Another text each time, so that no answer is one that the server has kept.
    const text = `${run + 1}${Date.now() % 1000} ${textOf(length)}`;
    const { timing, steps } = await translate(
      { text, model, detail: "weights" },
      new AbortController().signal,
    );
    found.push({ ...timing, pieces: steps.length });
  }
  const least = found.reduce((best, one) => (one.decode_ms < best.decode_ms ? one : best));
  const { encode_ms: read, decode_ms: write, pieces } = least;
  const cells = [read.toFixed(1), write.toFixed(1), pieces, (write / pieces).toFixed(2)];
  return html.tr(
    html.td({ class: "number" }, String(length)),
    html.th({ scope: "row" }, model),
    cells.map((cell) => html.td({ class: "number" }, String(cell))),
  );
}

for (const input of [words, width]) input.addEventListener("input", draw);
document.getElementById("measure")?.addEventListener("click", () => void measure());
draw();
startTool();
