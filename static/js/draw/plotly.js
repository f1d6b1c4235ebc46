/**
 * Plotly. The page preloads it, but it runs only after the words are on the screen: it is megabytes
 * of script, and the words can be read without it. Until it has painted, the cells are a canvas.
 */

/** @import {Figure} from "../core/types" */

import { painted } from "./dom.js";

/**
 * @typedef {object} Plotly
 * @property {(at: HTMLElement, data: unknown, layout: unknown, config: unknown) => Promise<PlotElement>} react
 * @typedef {HTMLElement & {on: (name: string, call: (event: {points: {x: number, y: number}[]}) => void) => void}} PlotElement
 */

const CONFIG = { displayModeBar: false, responsive: false, scrollZoom: false, doubleClick: false };

/** @type {Promise<Plotly> | null} */
let loading = null;

/** @returns {Promise<Plotly>} */
export async function loadPlotly() {
  await painted();
  loading ??= run();
  return loading;
}

/** @returns {Promise<Plotly>} */
function run() {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = document.body.dataset.plotly ?? "";
    script.async = true;
    script.onload = () => resolve(/** @type {any} */ (globalThis).Plotly);
    script.onerror = () => {
      loading = null;
      reject(new Error("Plotly could not be loaded"));
    };
    document.head.append(script);
  });
}

/** @param {HTMLElement} at @param {Figure} figure */
export async function paint(at, figure) {
  const plotly = await loadPlotly();
  return plotly.react(at, figure.data, figure.layout, CONFIG);
}
