"""The gallery of other attentions: a card for each kind of model that has a page of its own.

The gallery shows those whose models are installed.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class OtherAttention(NamedTuple):
    """A kind of model: its page, and what attention does there."""

    page: str
    href: str
    title: str
    says: str
    paper: str


OTHER_ATTENTIONS: Final = (
    OtherAttention(
        "see",
        "/see",
        "A Vision Transformer sees a photo",
        "A photo is cut into patches, and every patch attends to all others, layer by layer. A "
        "class token collects what tells the class.",
        "Dosovitskiy et al. 2021, An Image Is Worth 16×16 Words",
    ),
    OtherAttention(
        "story",
        "/story",
        "A memory network reads a story",
        "A question attends to the sentences of a story, reads what they say, and attends again "
        "with what it has read: three hops lead to the answer.",
        "Sukhbaatar et al. 2015, End-To-End Memory Networks",
    ),
    OtherAttention(
        "graph",
        "/graph",
        "A network attends along the edges of a graph",
        "Each node attends to its neighbours, in three layers, and finds its class from the few "
        "classes that are known. Cut an edge or colour a node, and others change their class.",
        "Veličković et al. 2018, Graph Attention Networks; Brody et al. 2022",
    ),
    OtherAttention(
        "glimpse",
        "/glimpse",
        "A network reads a digit in glimpses",
        "A network sees a picture only through small windows. It learned by reinforcement where to "
        "look next, and believes in a digit more after each glimpse.",
        "Mnih et al. 2014, Recurrent Models of Visual Attention",
    ),
    OtherAttention(
        "read",
        "/read",
        "An LSTM reads a sentence word by word",
        "In place of its last state it has all states on a tape. Before each word it attends to "
        "those that help to predict it: for a verb, to its subject far back.",
        "Cheng et al. 2016, Long Short-Term Memory-Networks for Machine Reading",
    ),
)
"""In the order of the gallery."""
