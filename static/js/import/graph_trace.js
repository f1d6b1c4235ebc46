/** A saved trace of a graph, checked before it is drawn. Pure. */

/** @import {GraphTrace} from "../core/types" */

import { ImportError } from "../core/errors.js";
import { MOST_TOKENS, checkRows, complete } from "./checks.js";
import { traceWith } from "./json.js";

const REFUSAL =
  "This file is not the trace of a graph. Open the page of its own kind and drop it there.";

/** @param {Uint8Array<ArrayBuffer>} bytes @returns {GraphTrace} */
export function readGraphTrace(bytes) {
  const trace = /** @type {Partial<GraphTrace>} */ (traceWith(bytes, "graph", REFUSAL));
  const { source, target, maps, steps, request } = trace;
  const count = checkGraph(source);
  const found = target?.kind === "classes" && Array.isArray(target.classes) ? target : null;
  if (found?.classes.length !== count || found.nodes?.length !== count)
    throw new ImportError("The trace does not have a class for each node.");
  if (!Array.isArray(maps) || !maps.length || !Array.isArray(steps))
    throw new ImportError("The trace has no maps or no steps.");
  if (steps.length && steps.length !== count)
    throw new ImportError(`The trace has ${steps.length} steps for ${count} nodes.`);
  maps.forEach((map, index) => {
    if (map?.query !== "target" || map.key !== "source")
      throw new ImportError(`Map ${index + 1} is not one of nodes and nodes.`);
    checkRows(map.weights, count, count, `Map ${index + 1}: `);
  });
  if (typeof request?.text !== "string") throw new ImportError("The trace has no request.");
  return complete(trace);
}

/** The number of nodes. @param {Partial<GraphTrace["source"]> | undefined} source */
function checkGraph({ text, nodes, edges, classes } = {}) {
  if (typeof text !== "string" || ![nodes, edges, classes].every(Array.isArray))
    throw new ImportError("The trace has no graph with nodes, edges and classes.");
  const [all, joins, names] = /** @type {[any[], any[], any[]]} */ ([nodes, edges, classes]);
  if (!all.length || all.length > MOST_TOKENS)
    throw new ImportError(`The graph has ${all.length} nodes; 1 to ${MOST_TOKENS} can be drawn.`);
  const isClass = (/** @type {unknown} */ value) =>
    value === undefined || names[Number(value)] !== undefined;
  all.forEach((node, index) => {
    const placed = [node?.x, node?.y].every((value) => value >= 0 && value <= 1);
    if (typeof node?.text !== "string" || !placed || ![node.known, node.hint].every(isClass))
      throw new ImportError(`Node ${index + 1} has no name, place or class that exists.`);
  });
  joins.forEach((edge, index) => {
    if (!Array.isArray(edge) || edge.length !== 2 || !edge.every((end) => all[end]))
      throw new ImportError(`Edge ${index + 1} joins a node that does not exist.`);
  });
  return all.length;
}
