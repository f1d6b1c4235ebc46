"""Places for the nodes of a graph on a drawing: as far from each other as there are edges between.

Gansner, Koren and North 2004, "Graph Drawing by Stress Majorization". The same graph always has the
same layout. Shapes: `N` nodes.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from heed.models.graphs.graph import Graph, Places

ROUNDS: Final = 120
APART: Final = 1.5
"""The distance between two parts without a path, beyond the longest distance within one."""
DIGITS: Final = 3
NEAR: Final = 1e-9
STILL: Final = 1e-3
"""The largest move, of an edge of length 1, after which a layout is done."""

Doubles = NDArray[np.float64]


def layout(graph: Graph) -> Doubles:
    """Return the places of the nodes (N, 2), between 0 and 1 on the longer side."""
    count = len(graph)
    if count == 1:
        return np.full((1, 2), 0.5)
    wanted = _distances(graph)
    weights = 1 / np.maximum(wanted, 1) ** 2
    np.fill_diagonal(weights, 0)
    laplacian = np.diag(weights.sum(axis=1)) - weights
    solve = np.linalg.inv(laplacian + 1 / count)  # of the Laplacian, for places around the origin
    pulls, places = weights * wanted, _circle(graph)
    for _ in range(ROUNDS):
        squares = (places**2).sum(axis=1)
        lengths = np.sqrt(np.maximum(squares[:, None] + squares - 2 * places @ places.T, NEAR))
        pulled = pulls / lengths
        moved = solve @ (pulled.sum(axis=1)[:, None] * places - pulled @ places)
        still = np.abs(moved - places).max() < STILL
        places = moved
        if still:
            break
    return _fitted(places)


def _distances(graph: Graph) -> Doubles:
    """Count the edges on the shortest path between all nodes."""
    count = len(graph)
    neighbours: list[set[int]] = [set() for _ in range(count)]
    for first, other in graph.edges:
        neighbours[first].add(other)
        neighbours[other].add(first)
    distances = np.full((count, count), np.inf)
    for start in range(count):
        fresh, reached, row = {start}, set[int](), [np.inf] * count
        for steps in range(count):
            for node in fresh:
                row[node] = steps
            reached |= fresh
            fresh = set().union(*map(neighbours.__getitem__, fresh)) - reached
            if not fresh:
                break
        distances[start] = row
    longest = distances[np.isfinite(distances)].max()
    return np.where(np.isfinite(distances), distances, longest + APART)


def _circle(graph: Graph) -> Doubles:
    """Return places on a circle, where nodes that are joined tend to stand side by side."""
    neighbours: list[list[int]] = [[] for _ in range(len(graph))]
    for first, other in graph.edges:
        neighbours[first].append(other)
        neighbours[other].append(first)
    order: dict[int, None] = {}
    for start in sorted(range(len(graph)), key=lambda node: len(neighbours[node])):
        pending = [start]
        while pending:
            node = pending.pop()
            if node not in order:
                order[node] = None
                pending += reversed(neighbours[node])
    rank: Places = np.empty(len(graph), np.int64)
    rank[list(order)] = np.arange(len(graph))
    angles = 2 * np.pi * rank / len(graph)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1) * np.sqrt(len(graph))


def _fitted(places: Doubles) -> Doubles:
    """Turn the drawing to lie flat, and fit it between 0 and 1."""
    centred = places - places.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    turned = centred @ axes[:, ::-1]
    # The last of the farthest nodes lies right and below; rounding decides nothing between two.
    sizes = np.abs(turned).round(DIGITS)
    farthest = len(sizes) - 1 - sizes[::-1].argmax(axis=0)
    turned *= np.where(turned[farthest, [0, 1]] < 0, -1, 1)
    low, high = turned.min(axis=0), turned.max(axis=0)
    scale = max(float((high - low).max()), 1e-9)
    margins = (1 - (high - low) / scale) / 2
    return ((turned - low) / scale + margins).round(DIGITS)
