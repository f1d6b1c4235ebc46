/**
 * Plotly. The page preloads it, but it runs only after the words are on the screen: it is megabytes
 * of script, and the words can be read without it. Until it has painted, the cells are a canvas.
 */

/** @import {CellSize, Figure} from "../core/types" */
/** @import {Heatmap} from "../core/heatmap.js" */

import { painted } from "./dom.js";

/**
 * @typedef {object} Plotly
 * @property {(at: HTMLElement, data: unknown, layout: unknown, config: unknown) => Promise<PlotElement>} react
 * @typedef {HTMLElement & {on: (name: string, call: (event: {points: {x: number, y: number}[]}) => void) => void}} PlotElement
 */

/** @typedef {Heatmap & {cell: CellSize, rtl: boolean}} CellMap a map of cells of one size, `rtl` if its columns run from right to left */

/** Steps of a scale of colours. */
const STEPS = 32;
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

/** @param {HTMLElement} at @param {CellMap} map */
export const paintMap = (at, map) => paint(at, mapFigure(map));

/**
 * The map as Plotly takes it, edge to edge: its headings are HTML, which can stick, wrap and be read
 * aloud. Integer axes keep words with the same spelling apart; rows run from the top down, and the
 * columns of a right-to-left text from the right. No gaps between the cells, for which Plotly would
 * paint every pixel: the page draws a grid over them.
 * @param {CellMap} map @returns {Figure}
 */
export function mapFigure({ positions, colourOf, cell, rtl }) {
  const axis = { visible: false, fixedrange: true };
  const [rows, columns] = [positions.length, positions[0]?.length ?? 0];
  const heat = {
    type: "heatmap",
    z: positions,
    x: Array.from({ length: columns }, (_, index) => index),
    y: positions.map((_, index) => index),
    zmin: 0,
    zmax: 1,
    zsmooth: false,
    colorscale: Array.from({ length: STEPS + 1 }, (_, i) => [i / STEPS, colourOf(i / STEPS)]),
    showscale: false,
    hoverinfo: "none",
  };
  return {
    data: [heat],
    layout: {
      width: columns * cell.width,
      height: rows * cell.height,
      margin: { l: 0, r: 0, t: 0, b: 0, pad: 0 },
      xaxis: { ...axis, range: rtl ? [columns - 0.5, -0.5] : [-0.5, columns - 0.5] },
      yaxis: { ...axis, range: [rows - 0.5, -0.5] },
      dragmode: false,
      hovermode: "closest",
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
    },
  };
}
