/** The attention of a model at moments of its training, with a slider. */

import { entropy } from "../../core/row_metrics.js";
import { byId, box, fill, html, say, slide } from "../../draw/dom.js";
import { startTool } from "./tool.js";

const PLAY_MS = 900;

/**
 * @typedef {{text: string, special: boolean}} Token
 * @typedef {{source: {text: string, tokens: Token[]}, target: {text: string, tokens: Token[]}}} Pair
 * @typedef {{update: number, maps: number[][][], loss?: number | null}} Moment
 * @typedef {{model: string, shorter?: boolean, sentences: Pair[], moments: Moment[]}} RecordOfTraining
 */

/** @param {Token} token */
const label = ({ text, special }) => (special ? "⟨end⟩" : text.trim() || text);

/** How a record was made. @param {RecordOfTraining} record */
function origin({ shorter, moments }) {
  if (!shorter) return "Recorded while the model was trained.";
  const updates = (moments.at(-1)?.update ?? 0).toLocaleString("en");
  return `Recorded in a fresh training of this network, shorter than that of the shipped model (${updates} updates).`;
}

function start() {
  /** @type {RecordOfTraining[]} */
  const records = JSON.parse(box("records").textContent ?? "[]");
  const model = byId("record", HTMLSelectElement);
  const example = byId("example", HTMLSelectElement);
  const moment = byId("moment", HTMLInputElement);
  const play = byId("moment-play", HTMLButtonElement);
  /** @type {number | undefined} */
  let timer;

  const chosen = () => /** @type {RecordOfTraining} */ (records[Number(model.value)]);
  const open = () => {
    const record = chosen();
    const options = record.sentences.map(({ source }, place) => ({
      value: String(place),
      text: source.text,
    }));
    fill(example, options, example.value || "0");
    moment.max = String(record.moments.length - 1);
    say(box("record-said"), origin(record));
    draw();
  };
  const draw = () => {
    const { sentences, moments } = chosen();
    const place = Number(example.value);
    const [pair, reached] = [sentences[place], moments[Number(moment.value)]];
    const weights = reached?.maps[place];
    if (!pair || !weights) return;
    const { update, loss } = reached;
    const bits = weights.reduce((sum, row) => sum + entropy(row), 0) / weights.length;
    const now = `${update.toLocaleString("en")} updates`;
    slide(moment, Number(moment.value), now);
    say(box("moment-now"), now);
    const lost = loss ? ` The loss on held-out sentences is ${loss.toFixed(2)} nats a token.` : "";
    say(box("moment-said"), `A row is spread over ${bits.toFixed(1)} bits on average.${lost}`);
    box("moment-map").replaceChildren(table(pair, weights));
  };
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
    say(play, "Play");
  };
  const next = () => {
    if (moment.value === moment.max) return stop();
    moment.value = String(Number(moment.value) + 1);
    draw();
  };
  model.addEventListener("change", open);
  example.addEventListener("change", draw);
  moment.addEventListener("input", () => {
    stop();
    draw();
  });
  play.addEventListener("click", () => {
    if (timer) return stop();
    if (moment.value === moment.max) moment.value = "0";
    say(play, "Pause");
    draw();
    timer = setInterval(next, PLAY_MS);
  });
  open();
}

/** @param {Pair} pair @param {number[][]} weights */
function table({ source, target }, weights) {
  return html.table(
    { class: "moments" },
    html.thead(
      html.tr(
        html.td(),
        source.tokens.map((token) => html.th({ scope: "col" }, html.span(label(token)))),
      ),
    ),
    html.tbody(
      target.tokens.map((token, place) =>
        html.tr(
          html.th({ scope: "row" }, label(token)),
          weights[place]?.map((weight) =>
            html.td(
              { "--share": weight, title: weight.toFixed(2) },
              weight >= 0.1 ? weight.toFixed(1).replace("0.", ".") : "",
            ),
          ),
        ),
      ),
    ),
  );
}

if (document.getElementById("records")) start();
startTool();
