/** The operations of a recurrent model and of a Transformer over time, as the server measures them. */

/** @import {Timeline} from "../../core/wire" */
/** @import {Lane, Phase} from "../../core/timeline.js" */

import { ApiError, TRANSLATE, postJson } from "../../core/api.js";
import { phasesOf } from "../../core/timeline.js";
import { box, byId, html, say, svg } from "../../draw/dom.js";
import { TAKEN, query, startTool } from "./tool.js";

/** As in app/pages/lesson_run.py. */
const MODELS = ["en-fr-additive", "en-fr-transformer"];
const LANE = 18;
/** The part of a bar that is drawn, so that one bar ends where the next begins. */
const FILLED = 0.88;

const text = byId("timed-text", HTMLInputElement);
const button = byId("timed-measure", HTMLButtonElement);
const given = query.get("text");
if (given) text.value = given.slice(0, text.maxLength);

async function measure() {
  button.disabled = true;
  say(box("timed-said"), "Measuring …");
  try {
    /** @type {Timeline[]} */
    const found = [];
    for (const model of MODELS) found.push(await timed({ text: text.value, model }));
    show(found);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    say(box("timed-said"), error.message);
  } finally {
    button.disabled = false;
  }
}

/** @param {{text: string, model: string}} body @returns {Promise<Timeline>} */
const timed = (body) => postJson(`${TRANSLATE}/timeline`, body, null);

/** Shows what the file has, which no server can measure again. @param {Timeline[]} timelines */
function recall(timelines) {
  button.hidden = true;
  text.readOnly = true;
  show(timelines);
  say(
    box("timed-said"),
    box("timed-phases").childElementCount
      ? "Measured when this file was written, on the machine that wrote it. To measure here, run Heed."
      : "This file has no measured operations. To measure here, run Heed.",
  );
}

/** @param {Timeline[]} timelines of the models, on one text */
function show(timelines) {
  const measured = timelines.length > 0 && timelines.every(({ operations }) => operations.length);
  say(
    box("timed-said"),
    measured ? "" : "This server has no compiled kernels, so it cannot time operations.",
  );
  if (!measured) return;
  const phases = timelines.map(phasesOf);
  box("timed-phases").replaceChildren(
    ...[0, 1].map((place) => {
      const both = phases.map((phase) => phase[place]);
      const most = Math.max(...both.map(({ milliseconds }) => milliseconds));
      return html.section(
        { class: "timed-phase" },
        html.h2(`${both[0].name}: ${most.toFixed(most < 10 ? 2 : 0)} ms from left to right`),
        both.map((phase, at) => figure(timelines[at], phase, most)),
      );
    }),
  );
}

/** A model in one phase. @param {Timeline} timeline @param {Phase} phase @param {number} most milliseconds of the picture */
function figure({ model, read, written }, { name, milliseconds, lanes }, most) {
  const words = name === "Reading" ? read.length : written.length;
  const count = lanes.reduce((sum, { bars }) => sum + bars.length, 0);
  const said = `${model}: ${words} pieces, ${count} operations, ${milliseconds.toFixed(2)} ms`;
  return html.figure(
    html.figcaption(said),
    html.dl(
      { class: "timed-lanes" },
      lanes.flatMap((lane) => [
        html.dt(lane.name),
        html.dd(
          bars(lane, most, name),
          html.span({ class: "number" }, `${lane.bars.length} × ${lane.median.toFixed(3)} ms`),
        ),
      ]),
    ),
  );
}

/** @param {Lane} lane @param {number} most @param {string} phase */
function bars({ bars }, most, phase) {
  const percent = (/** @type {number} */ part) => `${((100 * part) / most).toFixed(3)}%`;
  return svg(
    "svg",
    { class: "timed-bars", "data-phase": phase, height: LANE, "aria-hidden": "true" },
    bars.map(({ start, end, title }) =>
      svg(
        "rect",
        { x: percent(start), width: percent((end - start) * FILLED), height: LANE },
        svg("title", title),
      ),
    ),
  );
}

byId("timed-form", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  void measure();
});
if (TAKEN) recall(TAKEN.figures);
startTool();
