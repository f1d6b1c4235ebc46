"""CTranslate2, 32-bit floats: the same Marian converted, attention of one head given."""

from __future__ import annotations

from typing import Any

import ctranslate2
from ctranslate2.converters.transformers import MarianMTLoader

from benchmarks.case import Call, Case, network_of, scratch, tokenizer_of
from benchmarks.marian import random_marian
from benchmarks.sentences import sentences
from heed.models.text.tokenizer import END, PAD, START

MARKS = {PAD: "<blank>", START: "<unk>", END: "</s>"}


class Converted:
    """Greedy, and held to a length by a least and a largest number of tokens."""

    def __init__(self, model: str, threads: int, *, shallow: bool) -> None:
        self._tokenizer = tokenizer_of(model)
        self._scratch = scratch()
        config = network_of(model)
        self._vocabulary = [MARKS.get(id, f"piece{id}") for id in range(config.vocabulary)]
        self._convert(random_marian(config, shallow=shallow))
        self._translator = ctranslate2.Translator(
            self._scratch.name,
            device="cpu",
            compute_type="float32",
            inter_threads=1,
            intra_threads=threads,
        )

    def call(self, case: Case) -> Call:
        """From the tokens to tokens and attention; the tokens are made before."""
        texts = sentences(self._tokenizer, case.length, case.batch)
        pieces = [[self._vocabulary[id] for id in self._tokenizer.ids(text)] for text in texts]
        for written in self._translate(pieces, case.length):
            assert len(written.hypotheses[0]) == len(written.attention[0]) == case.length
        return lambda: self._translate(pieces, case.length)

    def _translate(self, pieces: list[list[str]], length: int) -> Any:
        return self._translator.translate_batch(
            pieces,
            beam_size=1,
            return_attention=True,
            min_decoding_length=length,
            max_decoding_length=length,
        )

    def _convert(self, marian: Any) -> None:
        """Its own converter, but for the tokenizer's files, which a random model has not."""
        spec = MarianMTLoader().get_model_spec(marian)
        spec.register_source_vocabulary(self._vocabulary)
        spec.register_target_vocabulary(self._vocabulary)
        spec.config.unk_token = MARKS[START]
        spec.config.eos_token = spec.config.decoder_start_token = MARKS[END]
        spec.validate()
        spec.optimize(quantization="float32")
        spec.save(self._scratch.name)
