"""Examples: graphs whose nodes have classes, of which few are known. As many as one likes.

Most are of a block model in the manner of citations: papers of a class cite each other, some are
cited far more often than others, and the words of a paper hint at its class. The others are trees.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from heed.models.graphs.graph import CLASSES, NONE, Edge, Graph, Places

Kind = Literal["citations", "plain", "tree"]
KINDS: Final[tuple[Kind, ...]] = ("citations", "plain", "tree")
"""Block models with hints, those without, and trees."""
SHARES: Final = (0.5, 0.35, 0.15)
SMALLEST, LARGEST = 8, 100  # nodes


@dataclass(frozen=True, slots=True)
class Example:
    """A graph, and the classes of all its nodes."""

    graph: Graph
    classes: tuple[int, ...]

    @property
    def unknown(self) -> tuple[int, ...]:
        """The nodes whose class the network has to find."""
        return tuple(node for node, known in enumerate(self.graph.known) if known == NONE)


def examples(seed: int, kind: Kind | None = None) -> Iterator[Example]:
    """Yield endless examples, the same for the same seed; of one kind if given."""
    rng = np.random.default_rng(seed)
    while True:
        chosen = KINDS[int(rng.choice(len(KINDS), p=SHARES))] if kind is None else kind
        yield draw(rng, chosen)


def draw(rng: np.random.Generator, kind: Kind) -> Example:
    """Draw a graph of this kind."""
    nodes = round(float(np.exp(rng.uniform(np.log(SMALLEST), np.log(LARGEST)))))
    used = rng.permutation(len(CLASSES))[: rng.integers(2, len(CLASSES) + 1)]
    if kind == "tree":
        classes, edges = _tree(rng, nodes, used)
    else:
        classes = rng.choice(used, nodes, p=rng.dirichlet(np.full(len(used), 5.0)))
        edges = _blocks(rng, classes)
    graph = Graph(_reveal(rng, classes), (NONE,) * nodes, edges)
    if kind == "citations":
        graph = replace(graph, hints=_hint(rng, classes, used))
    return Example(graph, tuple(classes.tolist()))


def _blocks(rng: np.random.Generator, classes: Places) -> tuple[Edge, ...]:
    """Draw edges of a block model, whose degrees differ; no node stays alone."""
    nodes, within = len(classes), rng.uniform(0.65, 0.95)
    appeal = rng.lognormal(0.0, rng.uniform(0.0, 1.0), nodes)
    firsts = rng.choice(nodes, round(nodes * rng.uniform(2.5, 8) / 2), p=appeal / appeal.sum())
    edges = _join(rng, classes, appeal, within, firsts)
    alone = np.setdiff1d(np.arange(nodes), np.array([*edges], np.int64))
    return tuple(dict.fromkeys((*edges, *_join(rng, classes, appeal, within, alone))))


def _join(
    rng: np.random.Generator,
    classes: Places,
    appeal: NDArray[np.float64],
    within: float,
    firsts: Places,
) -> dict[Edge, None]:
    """Join each of these nodes to another, of the same class or not, by the appeal of the other."""
    wanted = rng.random(len(firsts)) < within
    fits = (classes[firsts, None] == classes[None]) == wanted[:, None]
    fits[np.arange(len(firsts)), firsts] = False
    heaped = np.cumsum(fits * appeal, axis=1)
    draws = rng.random(len(firsts)) * heaped[:, -1]
    seconds = (heaped > draws[:, None]).argmax(axis=1)
    matched = fits.any(axis=1)
    pairs = np.sort(np.stack([firsts, seconds], axis=1)[matched], axis=1)
    return dict.fromkeys((first, second) for first, second in pairs.tolist())


def _tree(rng: np.random.Generator, nodes: int, used: Places) -> tuple[Places, tuple[Edge, ...]]:
    """Draw a tree: every node hangs on an earlier one, and mostly shares its class."""
    alike, latest = rng.uniform(0.75, 0.95), rng.random()
    classes, edges = [int(rng.choice(used))], []
    for node in range(1, nodes):
        parent = node - 1 if rng.random() < latest else int(rng.integers(node))
        inherits = rng.random() < alike
        classes.append(classes[parent] if inherits else int(rng.choice(used)))
        edges.append((parent, node))
    return np.array(classes), tuple(edges)


def _reveal(rng: np.random.Generator, classes: Places) -> tuple[int, ...]:
    """Draw the nodes whose class is known: mostly at least one of each class."""
    known = rng.random(len(classes)) < rng.uniform(0.0, 0.35)
    for label in np.unique(classes):
        if rng.random() < 0.95:
            known[rng.choice(np.flatnonzero(classes == label))] = True
    if not known.any():
        known[rng.integers(len(classes))] = True
    if known.all():
        known[rng.integers(len(classes))] = False
    return tuple(np.where(known, classes, NONE).tolist())


def _hint(rng: np.random.Generator, classes: Places, used: Places) -> tuple[int, ...]:
    """Draw hints for some of the nodes, which are right more often than not."""
    places = np.argmax(classes[:, None] == used, axis=1)
    others = used[(places + rng.integers(1, len(used), len(classes))) % len(used)]
    right = rng.random(len(classes)) < rng.uniform(0.45, 0.8)
    given = rng.random(len(classes)) < rng.uniform(0.3, 1.0)
    return tuple(np.where(given, np.where(right, classes, others), NONE).tolist())
