"""Example bodies of `/docs`. A test sends each of them."""

from __future__ import annotations

from fastapi.openapi.models import Example

TRANSLATE_EXAMPLES: dict[str, Example] = {
    "a date": {"value": {"text": "the 3rd of may 1979"}},
    "one model of several": {"value": {"text": "thursday 7 march 2024", "model": "dates-dot"}},
    "a target of your own": {"value": {"text": "may 3, 1979", "target": "1979-05-03"}},
    "beam search": {"value": {"text": "5/3/79", "search": {"kind": "beam", "beam": 3}}},
    "weights only": {"value": {"text": "3 may 79", "detail": "weights"}},
    "the vectors of every head": {
        "value": {
            "text": "I do not know where she lives.",
            "model": "en-fr-transformer",
            "vectors": "all",
        }
    },
}
BATCH_EXAMPLES: dict[str, Example] = {
    "one bad text among good ones": {"value": {"texts": ["3 may 1979", "", "7 march 2024"]}}
}
STORY_EXAMPLES: dict[str, Example] = {
    "a ball that is carried": {
        "value": {
            "story": "John picked up the ball. John went to the garden. John dropped the ball. "
            "Mary went to the kitchen.",
            "question": "Where is the ball?",
        }
    },
    "an answer that the story does not give": {
        "value": {"story": "Mary went to the kitchen.", "question": "Where is the ball?"}
    },
}
GRAPH_EXAMPLES: dict[str, Example] = {
    "an example by its title": {"value": {"graph": "Karate club"}},
    "a graph as text": {"value": {"graph": "Ann: A\nAnn - Bob - Cid - Dan\nDan: B"}},
    "nodes and edges": {
        "value": {
            "nodes": [{"name": "Ann", "known": "A"}, {"name": "Bob"}, {"name": "Cid", "hint": "B"}],
            "edges": [["Ann", "Bob"], ["Bob", "Cid"]],
        }
    },
}
READ_EXAMPLES: dict[str, Example] = {
    "a verb that agrees with a distant noun": {
        "value": {"text": "The keys to the cabinet are on the table."}
    },
    "a sentence that is not finished": {"value": {"text": "The boy who lost his shoes"}},
}
GLIMPSE_EXAMPLES: dict[str, Example] = {
    "a seven, light on dark": {
        "value": {
            "pixels": [
                [0, 0, 0, 0, 0, 0, 0, 0],
                [0, 1, 1, 1, 1, 1, 1, 0],
                [0, 0, 0, 0, 0, 1, 1, 0],
                [0, 0, 0, 0, 1, 1, 0, 0],
                [0, 0, 0, 0, 1, 0, 0, 0],
                [0, 0, 0, 1, 1, 0, 0, 0],
                [0, 0, 0, 1, 1, 0, 0, 0],
                [0, 0, 0, 0, 0, 0, 0, 0],
            ]
        }
    },
}
PLAIN_EXAMPLES: dict[str, Example] = {
    "attention of any model": {
        "value": {
            "source": ["▁the", "▁ca", "t"],
            "target": ["le", "chat"],
            "weights": [[0.9, 0.1, 0], [0.1, 0.6, 0.3]],
        }
    },
    "two heads of self-attention": {
        "value": {
            "source": "hello world",
            "kind": "encoder-self",
            "weights": [[[1, 0], [0, 1]], [[0.5, 0.5], [0.5, 0.5]]],
        }
    },
}
