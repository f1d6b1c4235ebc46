/**
 * The modules that draw each view, on the page and as SVG, by the kind of axis: `others` draw all kinds
 * that a view fits and that are not named. Where several kinds are drawn by the same modules, each has
 * a model of its own. They are loaded when a view is first shown or exported, and nowhere else. Pure.
 */

/** @import {BesideModules, DrawingModule, DrawingModules, EditModules, ModelModules, SvgModule, SvgModules} from "./types" */
/** @import {AxisKind} from "../core/types" */

/**
 * `beside`: what a view shows beside it; `edit`: the controls with which its map is edited.
 * @type {Record<string, {dom: DrawingModules, svg: SvgModules, model?: ModelModules, beside?: BesideModules, edit?: EditModules}>}
 */
export const LOADERS = {
  graph: {
    dom: { graph: () => import("./graph/view.js") },
    svg: { graph: () => import("./graph/svg.js") },
    edit: { others: () => import("./mark_edit.js") },
  },
  path: {
    dom: { glimpses: () => import("./path/view.js") },
    svg: { glimpses: () => import("./path/svg.js") },
  },
  photo: {
    dom: { grid: () => import("./photo/view.js"), patches: () => import("./photo/patch_view.js") },
    svg: { grid: () => import("./photo/svg.js"), patches: () => import("./photo/patch_svg.js") },
    edit: { grid: () => import("./photo/edit.js"), patches: () => import("./photo/edit.js") },
  },
  map: {
    dom: { others: () => import("./map/view.js") },
    svg: {
      patches: () => import("./map/patch_svg.js"),
      others: () => import("./map/svg.js"),
    },
    // The sentences of a story with their weights are its map.
    edit: {
      sentences: () => import("./mark_edit.js"),
      others: () => import("./map/edit.js"),
    },
  },
  ribbons: {
    dom: { tokens: () => import("./ribbons/view.js") },
    svg: { tokens: () => import("./ribbons/svg.js") },
    edit: { others: () => import("./mark_edit.js") },
  },
  arcs: {
    dom: { others: () => import("./arcs/view.js") },
    svg: { others: () => import("./arcs/svg.js") },
    edit: { others: () => import("./mark_edit.js") },
  },
  patches: {
    dom: { tokens: () => import("./patches/view.js") },
    svg: { tokens: () => import("./patches/svg.js") },
  },
  sheet: {
    dom: { grid: () => import("./sheet/view.js") },
    svg: { grid: () => import("./sheet/svg.js") },
  },
  network: {
    dom: { others: () => import("./network/view.js") },
    svg: { others: () => import("./network/svg.js") },
    model: {
      tokens: () => import("./step/token_step.js"),
      grid: () => import("./step/grid_step.js"),
    },
    edit: { others: () => import("./mark_edit.js") },
  },
  step: {
    dom: { others: () => import("./step/view.js") },
    svg: { others: () => import("./step/svg.js") },
    model: {
      tokens: () => import("./step/token_step.js"),
      grid: () => import("./step/grid_step.js"),
      sentences: () => import("./step/hop_step.js"),
      glimpses: () => import("./step/glimpse_step.js"),
      patches: () => import("./step/patch_step.js"),
      graph: () => import("./step/node_step.js"),
      reading: () => import("./step/tape_step.js"),
    },
    beside: {
      tokens: () => import("./network/fold.js"),
      grid: () => import("./network/fold.js"),
    },
    edit: { others: () => import("./mark_edit.js") },
  },
  heads: {
    dom: {
      tokens: () => import("./heads/view.js"),
      others: () => import("./heads/grid_view.js"),
    },
    svg: {
      tokens: () => import("./heads/svg.js"),
      others: () => import("./heads/grid_svg.js"),
    },
    edit: { others: () => import("./mark_edit.js") },
  },
  audit: {
    dom: {
      tokens: () => import("./audit/view.js"),
      grid: () => import("./audit/grid_view.js"),
    },
    svg: { tokens: () => import("./audit/svg.js"), grid: () => import("./audit/grid_svg.js") },
  },
  positions: {
    dom: { patches: () => import("./positions/view.js") },
    svg: { patches: () => import("./positions/svg.js") },
  },
  compare: {
    dom: {
      tokens: () => import("./compare/view.js"),
      grid: () => import("./compare/grid_view.js"),
    },
    svg: { tokens: () => import("./compare/svg.js"), grid: () => import("./compare/grid_svg.js") },
    edit: {
      tokens: () => import("./compare/edit.js"),
      grid: () => import("./compare/grid_edit.js"),
    },
  },
};

/**
 * The modules that show a view on the page.
 * @param {string} name @param {AxisKind} kind
 */
export async function onPage(name, kind) {
  const { dom, model, beside } = LOADERS[name];
  const [drawing, facts, other] = await Promise.all([
    /** @type {() => Promise<DrawingModule<any, any, any>>} */ (dom[kind] ?? dom.others)(),
    model?.[kind]?.(),
    beside?.[kind]?.(),
  ]);
  return { View: drawing.View, model: facts, beside: other?.NetworkFold };
}

/** The modules that draw a view as SVG. @param {string} name @param {AxisKind} kind */
export async function onPaper(name, kind) {
  const { svg, model } = LOADERS[name];
  const [drawing, facts] = await Promise.all([
    /** @type {() => Promise<SvgModule<any>>} */ (svg[kind] ?? svg.others)(),
    model?.[kind]?.(),
  ]);
  return { draw: drawing.draw, model: facts };
}

/** The class with which the map of a view is edited; undefined where there is none. @param {string} name @param {AxisKind} kind */
export async function onEdit(name, kind) {
  const { edit } = LOADERS[name];
  return (await (edit?.[kind] ?? edit?.others)?.())?.Edit;
}
