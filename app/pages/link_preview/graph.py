"""A graph on the preview picture of a link: its edges, and its nodes in the colours of classes."""

from __future__ import annotations

from typing import Final

from PIL import ImageDraw

from heed.app.pages.link_preview.typeface import INK, SOFT, Room, drawable, font
from heed.app.schemas import ClassAxisOut, GraphAxisOut

COLOURS: Final = ("#1f6fb4", "#b9480a", "#0b7d5b", "#93408f")
"""Of the classes; colour-blind readers tell them apart, and every node has its letter, too."""
NODE: Final = 15
"""Radius of a node of a small graph."""
NAMED: Final = 60
"""Nodes of the largest graph whose nodes have their names."""
MOST_EDGES: Final = 4_000
"""Edges that are drawn; more would be one dark patch."""
MOST_CLASSES: Final = 64
"""Classes with a colour of their own turn; further ones have the first colour."""


def draw_graph(
    brush: ImageDraw.ImageDraw, source: GraphAxisOut, target: ClassAxisOut, room: Room
) -> None:
    """Draw the graph into the room, with the class of each node as its colour and letter."""
    left, top, right, bottom = room
    size = min(right - left, bottom - top) - 2 * NODE
    places = [(left + NODE + node.x * size, top + NODE + node.y * size) for node in source.nodes]
    for one, other in source.edges[:MOST_EDGES]:
        brush.line((places[one], places[other]), SOFT, 2)
    radius = NODE if len(places) <= NAMED else NODE // 2
    turns: dict[str, int] = {}
    for turn, name in enumerate(source.classes[:MOST_CLASSES]):
        turns.setdefault(name, turn)
    for (x, y), name in zip(places, target.classes, strict=True):
        colour = COLOURS[turns.get(name, 0) % len(COLOURS)]
        brush.circle((x, y), radius, fill=colour, outline=INK, width=1)
        if len(places) <= NAMED:
            brush.text((x, y), drawable(name[:1]), "white", font("Sans", 18), anchor="mm")
