"""Heed itself, from texts to traces: tokenizer, network, search, all maps, alternatives."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from benchmarks.case import Call, Case, scratch
from benchmarks.no_eos import write_no_eos
from benchmarks.sentences import sentences
from heed.models.catalogue import Catalogue, RuntimeName
from heed.models.generation.translator import TextRequest, Translator

RUNTIMES: dict[str, RuntimeName] = {"heed": "native", "heed-onnx": "onnx", "heed-torch": "torch"}


class Heed:
    """A shipped translator that writes a fixed number of tokens."""

    def __init__(self, model: str, threads: int, runtime: RuntimeName) -> None:
        self._scratch = scratch()
        folder = write_no_eos(Path(self._scratch.name), [model], 1)
        loaded = Catalogue(folder, runtime).load(model, threads)
        assert isinstance(loaded, Translator)
        self._translator = loaded

    def call(self, case: Case) -> Call:
        """From the texts to their traces."""
        translator = self._translator
        translator.card = replace(
            translator.card, limits=replace(translator.card.limits, steps=case.length)
        )
        texts = sentences(translator.tokenizer, case.length, case.batch)
        asks = [TextRequest(text) for text in texts]
        for trace in translator.run(asks):
            assert len(trace.source) == len(trace.output.target) == case.length
            assert len(trace.output.maps) >= translator.card.heads * translator.card.layers
        return lambda: translator.run(asks)
