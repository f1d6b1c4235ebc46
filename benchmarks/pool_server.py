"""`python -m benchmarks.pool_server NAME PORT`: a model in FastAPI's thread pool.

As tutorials serve one: a plain function is the route, FastAPI calls it from its pool of threads
and encodes what it gives, and PyTorch takes as many threads as it likes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import torch
import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel

from benchmarks.case import tokenizer_of

Generate = Callable[[torch.Tensor], tuple[list[int], Any]]


class Asked(BaseModel):
    """A text to be read."""

    text: str


def eager(model: str, length: int) -> Generate:
    """The network of the tutorials, its keys precomputed."""
    from benchmarks.tutorial import Tutorial

    network = Tutorial(model, None, precomputed=True)

    def generate(ids: torch.Tensor) -> tuple[list[int], Any]:
        tokens, attention = network.generate(ids, length)
        return tokens[0].tolist(), attention[0].tolist()

    return generate


def marian(model: str, length: int) -> Generate:
    """`transformers`; its attention is the mean of the heads of the last layer."""
    from benchmarks.marian import Marian

    network = Marian(model, None)

    def generate(ids: torch.Tensor) -> tuple[list[int], Any]:
        written = network.generate(ids, length)
        rows = [step[-1][0].mean(dim=0)[-1].tolist() for step in written.cross_attentions]
        return written.sequences[0, 1:].tolist(), rows

    return generate


def create(name: str, length: int) -> FastAPI:
    """The application."""
    kind, _, model = name.partition(":")
    tokenizer = tokenizer_of(model)
    generate = {"eager": eager, "marian": marian}[kind](model, length)
    app = FastAPI()

    @app.get("/readyz")
    def ready() -> dict[str, str]:
        return {"status": "ready"}

    @app.post("/api/v1/translate")
    def translate(asked: Asked) -> dict[str, Any]:
        tokens, attention = generate(torch.tensor([tokenizer.ids(asked.text)]))
        known = [token for token in tokens if token < len(tokenizer)]
        return {"text": tokenizer.written(known).text, "attention": attention}

    return app


if __name__ == "__main__":
    name, length, port = sys.argv[1:]
    uvicorn.run(create(name, int(length)), port=int(port), log_level="error")
