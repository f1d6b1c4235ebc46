/** Edits of a graph in the drawing, as the text of another request. Pure. */

/** @import {GraphNode, GraphTrace} from "./types" */

/** @typedef {Pick<GraphNode, "text" | "known" | "hint">} Named a node without its place */
/** @typedef {{title: string, nodes: Named[], edges: number[][], classes: string[]}} Drawn a graph that is edited */

/** The title of the text of a graph, which is its first line. @param {string} text */
export const titleOf = (text) => /^#[ \t]*(.*)/.exec(text)?.[1]?.trim() ?? "";

/** The graph of a trace. @param {GraphTrace} trace @returns {Drawn} */
export const graphOf = ({ source: { nodes, edges, classes }, request }) => ({
  title: titleOf(request.text),
  nodes,
  edges,
  classes,
});

/** The text of a graph: its nodes in their order, and its edges. @param {Drawn} graph */
export function graphText({ title, nodes, edges, classes }) {
  const named = (/** @type {Named} */ { text, known, hint }) => {
    const given = [
      known === undefined ? "" : classes[known],
      hint === undefined ? "" : `~${classes[hint]}`,
    ];
    const said = given.filter(Boolean).join(" ");
    return said ? `${text}: ${said}` : text;
  };
  const plain = (/** @type {Named | undefined} */ node) =>
    node !== undefined && node.known === undefined && node.hint === undefined;
  const listed = joined(nodes, named, (one, other) => plain(one) === plain(other));
  const joins = joined(
    edges,
    ([one, other]) => `${nodes[one].text} - ${nodes[other].text}`,
    (one, other) => one[0] === other[0],
  );
  return [...(title ? [`# ${title}`] : []), ...listed, ...joins].join("\n");
}

/**
 * Lines of parts, those that belong together on one line.
 * @template T
 * @param {T[]} parts @param {(part: T) => string} said @param {(one: T, other: T) => boolean} together
 */
function joined(parts, said, together) {
  /** @type {string[][]} */
  const lines = [];
  /** @type {T | undefined} */
  let before;
  for (const part of parts) {
    if (before !== undefined && together(before, part)) lines.at(-1)?.push(said(part));
    else lines.push([said(part)]);
    before = part;
  }
  return lines.map((line) => line.join(", "));
}

/** Gives a node a class, or clears it. @param {Drawn} graph @param {number} node @param {Partial<Pick<GraphNode, "known" | "hint">>} given @returns {Drawn} */
export const withClass = (graph, node, given) => ({
  ...graph,
  nodes: graph.nodes.map((each, index) => (index === node ? { ...each, ...given } : each)),
});

/** True if two nodes are joined. @param {Pick<Drawn, "edges">} graph @param {number} one @param {number} other */
export const areJoined = ({ edges }, one, other) => edges.some(isEdge(one, other));

/** Joins two nodes, or cuts the edge between them. @param {Drawn} graph @param {number} one @param {number} other @returns {Drawn} */
export function withEdgeToggled(graph, one, other) {
  if (one === other) return graph;
  const edges = areJoined(graph, one, other)
    ? graph.edges.filter((edge) => !isEdge(one, other)(edge))
    : [...graph.edges, [Math.min(one, other), Math.max(one, other)]];
  return { ...graph, edges: edges.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]) };
}

/** Adds a node, joined to another. @param {Drawn} graph @param {number} beside @returns {Drawn} */
export function withNode(graph, beside) {
  const names = new Set(graph.nodes.map(({ text }) => text));
  let number = graph.nodes.length + 1;
  while (names.has(`n${number}`)) number += 1;
  const nodes = [...graph.nodes, { text: `n${number}`, known: undefined, hint: undefined }];
  return withEdgeToggled({ ...graph, nodes }, beside, nodes.length - 1);
}

/** Removes a node and its edges. @param {Drawn} graph @param {number} node @returns {Drawn} */
export function withoutNode(graph, node) {
  const moved = (/** @type {number} */ end) => (end > node ? end - 1 : end);
  return {
    ...graph,
    nodes: graph.nodes.filter((_, index) => index !== node),
    edges: graph.edges
      .filter((edge) => !edge.includes(node))
      .map(([one, other]) => [moved(one), moved(other)]),
  };
}

/** @param {number} one @param {number} other */
const isEdge = (one, other) => (/** @type {number[]} */ edge) =>
  edge.includes(one) && edge.includes(other);

/** Shares of the nodes that two graphs must have in common, for one to be an edit of the other. */
const ALIKE = 0.6;

/**
 * The trace of an edited graph, whose nodes stay where they were; new ones stand beside a neighbour.
 * @param {GraphTrace} trace @param {GraphTrace | null} before @returns {GraphTrace}
 */
export function keepingPlaces(trace, before) {
  if (!before || titleOf(trace.request.text) !== titleOf(before.request.text)) return trace;
  const old = new Map(before.source.nodes.map((node) => [node.text, node]));
  const { nodes, edges } = trace.source;
  const stayed = nodes.filter(({ text }) => old.has(text)).length;
  if (stayed < ALIKE * Math.max(nodes.length, old.size)) return trace;
  const kept = nodes.map((node, index) => {
    const same = old.get(node.text);
    if (same) return { ...node, x: same.x, y: same.y };
    const edge = edges.find((each) => each.includes(index));
    const end = edge?.find((each) => each !== index);
    const beside = end === undefined ? undefined : old.get(nodes[end]?.text ?? "");
    return beside ? { ...node, ...besideOf(beside, nodes.length) } : node;
  });
  return { ...trace, source: { ...trace.source, nodes: kept } };
}

/** A place beside a node, in a direction that differs from number to number. @param {GraphNode} node @param {number} number */
function besideOf({ x, y }, number) {
  const [away, turn] = [0.12, number * 2.4];
  const within = (/** @type {number} */ value) =>
    Math.round(1e3 * Math.min(1, Math.max(0, value))) / 1e3;
  return { x: within(x + away * Math.cos(turn)), y: within(y + away * Math.sin(turn)) };
}
