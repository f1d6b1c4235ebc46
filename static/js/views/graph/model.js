/** The drawing of a graph: places, shapes and thicknesses. Pure. */

/** @import {GraphNode, GraphScene} from "../../core/types" */

/** The radius of a node, the thickest edge and the thickest ring, of a graph with few nodes. */
const RADIUS = 15;
const THICKEST = 11;
const THINNEST = 0.75;
/** Nodes of a graph beyond which they are drawn smaller, and beyond which without names. */
const MANY = 40;
const NAMED = 80;
/** The width from which nodes are drawn large, and the layout in its own proportions. */
const ROOMY = 560;
/** How much higher than wide a narrow drawing may be, in the units of the layout. */
const STRETCH = 1.8;
/** Pixels of the longer side of the layout, at most. */
const LARGEST = 760;

/** The shapes of the classes, so that they differ without colour. */
const SHAPES = /** @type {const} */ (["circle", "square", "triangle", "diamond"]);
/** Sizes at which the shapes look equally large. */
const SCALES = { circle: 1, square: 0.9, triangle: 1.2, diamond: 1.18 };

/**
 * @typedef {object} DrawnNode
 * @property {string} name @property {string} letter of its class @property {number} colour index of its class
 * @property {number} x @property {number} y @property {string} shape a path around 0
 * @property {boolean} known @property {string} hint its hint, or nothing
 * @property {number} chance the probability of its class, 1 if unknown
 *
 * @typedef {object} DrawnEdge
 * @property {number} one @property {number} other @property {number} width of the mean of both directions
 * @property {number} weight that mean
 *
 * @typedef {object} Read an edge from the current node
 * @property {number} node @property {number} width @property {number} weight
 *
 * @typedef {object} GraphDrawing
 * @property {number} width @property {number} height @property {number} radius of a node
 * @property {DrawnNode[]} nodes @property {DrawnEdge[]} edges @property {boolean} named true if the nodes have names
 * @property {(x: number, y: number) => {x: number, y: number}} placeAt the place of a node in the layout that is drawn here
 *
 * @typedef {{x: Span, y: Span}} Frame the part of the layout that fills the drawing
 * @typedef {{low: number, size: number}} Span
 */

/**
 * @param {GraphScene} scene @param {number} room width @param {number} most height
 * @param {Frame} [frame] by default that of all nodes @returns {GraphDrawing}
 */
export function drawingOf({ trace, view }, room, most, frame = frameOf(trace.source.nodes)) {
  const { source, target, steps } = trace;
  const few = source.nodes.length <= MANY && room >= ROOMY;
  const radius = few ? RADIUS : RADIUS * 0.6;
  const { width, height, places, placeAt } = placed(source.nodes, room, most, radius * 2.4, frame);
  const nodes = source.nodes.map(({ text, known, hint }, index) => {
    const colour = Math.max(0, source.classes.indexOf(target.classes[index]));
    return {
      name: text,
      letter: target.classes[index],
      colour,
      ...places[index],
      shape: shapePath(colour, radius),
      known: known !== undefined,
      hint: hint === undefined ? "" : `~${source.classes[hint]}`,
      chance: steps[index]?.probability ?? 1,
    };
  });
  const weights = view.weights;
  const edges = source.edges.map(([one, other]) => {
    const weight = weights ? (weights[one][other] + weights[other][one]) / 2 : 0;
    return { one, other, weight, width: thickness(weight) };
  });
  return { width, height, radius, nodes, edges, named: nodes.length <= NAMED, placeAt };
}

/** The edges along which a node reads, without that to itself. @param {GraphScene} scene @param {number} row @returns {Read[]} */
export function readsOf({ view }, row) {
  return (view.weights?.[row] ?? []).flatMap((weight, node) =>
    weight > 0 && node !== row ? [{ node, weight, width: thickness(weight) }] : [],
  );
}

/** The ring of a node: how much it attends to itself. @param {GraphScene} scene @param {number} row */
export const ringOf = ({ view }, row) => thickness(view.weights?.[row]?.[row] ?? 0);

/** @param {number} weight */
const thickness = (weight) => THINNEST + weight * (THICKEST - THINNEST);

/**
 * The node nearest in a direction; the same one if there is none.
 * @param {{x: number, y: number}[]} nodes @param {number} from @param {{x: number, y: number}} way
 */
export function nearestIn(nodes, from, way) {
  let best = from;
  let nearest = Infinity;
  nodes.forEach(({ x, y }, index) => {
    const [across, down] = [x - nodes[from].x, y - nodes[from].y];
    const along = across * way.x + down * way.y;
    const beside = Math.abs(across * way.y) + Math.abs(down * way.x);
    if (index === from || along <= 1e-6 || beside > 2 * along) return;
    const far = along + 2 * beside;
    if (far < nearest) [best, nearest] = [index, far];
  });
  return best;
}

/** The frame around all nodes. @param {Pick<GraphNode, "x" | "y">[]} nodes @returns {Frame} */
export function frameOf(nodes) {
  const span = (/** @type {"x" | "y"} */ axis) => {
    const all = nodes.map((node) => node[axis]);
    return { low: Math.min(...all), size: Math.max(...all) - Math.min(...all) };
  };
  return { x: span("x"), y: span("y") };
}

/** @param {GraphNode[]} nodes @param {number} room @param {number} most @param {number} margin @param {Frame} frame */
function placed(nodes, room, most, margin, { x, y }) {
  const across = Math.min((room - 2 * margin) / Math.max(x.size, 1e-6), LARGEST);
  // A narrow drawing is higher than the layout, so that its nodes do not lie upon each other.
  const down = Math.min(
    (most - 2 * margin) / Math.max(y.size, 1e-6),
    room < ROOMY ? STRETCH * across : across,
  );
  const scale = { x: room < ROOMY ? across : Math.min(across, down), y: down };
  const height = Math.max(y.size * scale.y, 2) + 2 * margin;
  const left = (room - x.size * scale.x) / 2;
  return {
    width: room,
    height,
    places: nodes.map((node) => ({
      x: left + (node.x - x.low) * scale.x,
      y: margin + (node.y - y.low) * scale.y,
    })),
    placeAt: (/** @type {number} */ drawnX, /** @type {number} */ drawnY) => ({
      x: within(x.low + (drawnX - left) / scale.x),
      y: within(y.low + (drawnY - margin) / scale.y),
    }),
  };
}

/** A coordinate of the layout. @param {number} value */
const within = (value) => Math.round(1e3 * Math.min(1, Math.max(0, value))) / 1e3;

/** The outline of a node of this class, around 0. @param {number} index @param {number} radius */
export function shapePath(index, radius) {
  const name = SHAPES[index % SHAPES.length];
  const r = radius * SCALES[name];
  const n = (/** @type {number} */ value) => value.toFixed(2);
  switch (name) {
    case "circle":
      return `M${n(-r)} 0a${n(r)} ${n(r)} 0 1 0 ${n(2 * r)} 0a${n(r)} ${n(r)} 0 1 0 ${n(-2 * r)} 0z`;
    case "square":
      return `M${n(-r)} ${n(-r)}H${n(r)}V${n(r)}H${n(-r)}z`;
    case "triangle":
      return `M0 ${n(-r)}L${n(0.98 * r)} ${n(0.68 * r)}H${n(-0.98 * r)}z`;
    default:
      return `M0 ${n(-r)}L${n(r)} 0L0 ${n(r)}L${n(-r)} 0z`;
  }
}
