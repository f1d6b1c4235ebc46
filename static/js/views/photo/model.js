/** The photo under its map, as Plotly takes it. Pure: a scene in, {data, layout} out. */

/** @import {Figure, PictureScene} from "../../core/types" */

import { FINE } from "../../core/field.js";
import { topOf } from "../../core/grid_scene.js";
import { css, painterOf } from "../../core/photo_colours.js";
import { fieldAt } from "../../core/photo_map.js";

const STOPS = 32;

/**
 * The photo, the map of a row over it, and invisible cells that report the pointer.
 * @param {PictureScene} scene @param {number} row @param {{width: number, height: number}} size in pixels @returns {Figure}
 */
export function photoFigure(scene, row, size) {
  const { source, picture } = scene.trace;
  const crisp = scene.smoothing === 0;
  const fine = crisp ? 1 : FINE;
  const { values, width } = fieldAt(scene, row, fine);
  const z = Array.from({ length: values.length / width }, (_, y) =>
    Array.from(values.slice(y * width, (y + 1) * width)),
  );
  const paint = painterOf(scene);
  const top = topOf(scene, row);
  const least = scene.difference ? -1 : 0;
  const stop = (/** @type {number} */ index) => [
    index / STOPS,
    css(paint(least + ((1 - least) * index) / STOPS)),
  ];
  const along = { x0: -0.5 + 0.5 / fine, dx: 1 / fine, y0: -0.5 + 0.5 / fine, dy: 1 / fine };
  const heat = {
    type: "heatmap",
    z,
    ...along,
    zmin: least * top,
    zmax: top,
    zsmooth: crisp ? false : "fast",
    colorscale: Array.from({ length: STOPS + 1 }, (_, index) => stop(index)),
    showscale: false,
    hoverinfo: "skip",
  };
  const flat = Array.from({ length: source.rows }, (_, y) =>
    scene.weights[row].slice(y * source.columns, (y + 1) * source.columns),
  );
  const cells = {
    type: "heatmap",
    z: flat,
    opacity: 0,
    showscale: false,
    hoverinfo: "none",
    zsmooth: false,
  };
  const axis = { visible: false, fixedrange: true };
  // The position of the photo in units of cells, which need not cover all of it.
  const place = {
    x: -0.5 - (source.left / source.width) * source.columns,
    y: -0.5 - (source.top / source.height) * source.rows,
    sizex: (picture.width / source.width) * source.columns,
    sizey: (picture.height / source.height) * source.rows,
  };
  return {
    data: [heat, cells],
    layout: {
      ...size,
      margin: { l: 0, r: 0, t: 0, b: 0, pad: 0 },
      images: [
        {
          source: picture.preview,
          xref: "x",
          yref: "y",
          ...place,
          sizing: "stretch",
          layer: "below",
          xanchor: "left",
          yanchor: "top",
        },
      ],
      xaxis: { ...axis, range: [place.x, place.x + place.sizex] },
      yaxis: { ...axis, range: [place.y + place.sizey, place.y] },
      dragmode: false,
      hovermode: "closest",
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
    },
  };
}
