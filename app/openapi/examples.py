"""Example bodies of `/docs`. A test sends each of them."""

from __future__ import annotations

from fastapi.openapi.models import Example

BATCH_EXAMPLES: dict[str, Example] = {
    "one bad text among good ones": {"value": {"texts": ["3 may 1979", "", "7 march 2024"]}}
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
