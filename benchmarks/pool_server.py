"""`python -m benchmarks.pool_server NAME LENGTH PORT`: a model in FastAPI's thread pool.

As tutorials serve one: a plain function is the route, FastAPI calls it from its pool of threads
and encodes what it gives, and PyTorch takes as many threads as it likes.
"""

from __future__ import annotations

import sys
from typing import Any

import torch
import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel

from benchmarks.case import tokenizer_of
from benchmarks.peers import Marian, Peer, Tutorial


class Asked(BaseModel):
    """A text to be read."""

    text: str


def create(name: str, length: int) -> FastAPI:
    """The application."""
    kind, _, model = name.partition(":")
    tokenizer = tokenizer_of(model)
    network: Peer = (
        Marian(model, None) if kind == "marian" else Tutorial(model, None, precomputed=True)
    )
    app = FastAPI()

    @app.get("/readyz")
    def ready() -> dict[str, str]:
        return {"status": "ready"}

    @app.post("/api/v1/translate")
    def translate(asked: Asked) -> dict[str, Any]:
        tokens, attention = network.written(torch.tensor([tokenizer.ids(asked.text)]), length)
        known = [token for token in tokens if token < len(tokenizer)]
        return {"text": tokenizer.written(known).text, "attention": attention}

    return app


if __name__ == "__main__":
    name, length, port = sys.argv[1:]
    uvicorn.run(create(name, int(length)), port=int(port), log_level="error")
