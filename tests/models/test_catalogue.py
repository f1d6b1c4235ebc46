"""The models that stay in memory."""

from __future__ import annotations

import gc
import mmap
from pathlib import Path

import numpy as np
import pytest

from heed.models import checkpoint
from heed.models.catalogue import Catalogue
from heed.models.generation.translator import TextRequest


def loaded(catalogue: Catalogue) -> set[str]:
    return {model for model in catalogue.cards if catalogue.loaded(model)}


def test_the_least_recently_used_model_is_forgotten(tiny_models: Path) -> None:
    catalogue = Catalogue(tiny_models)
    cards = catalogue.cards
    catalogue.limit_memory(sum(cards[name].bytes for name in ("tiny", "tiny-none", "tiny-lstm")))
    catalogue.load("tiny")
    catalogue.load("tiny-none")
    assert loaded(catalogue) == {"tiny", "tiny-none"}
    catalogue.load("tiny")  # used again
    catalogue.load("tiny-lstm")
    catalogue.load("tiny-heads")
    assert "tiny-none" not in loaded(catalogue)
    assert "tiny-heads" in loaded(catalogue)
    assert sum(cards[name].bytes for name in loaded(catalogue)) <= catalogue.most_bytes


def test_the_last_model_stays_however_large_it_is(tiny_models: Path) -> None:
    catalogue = Catalogue(tiny_models)
    catalogue.limit_memory(0)
    catalogue.load("tiny")
    catalogue.load("tiny-none")
    assert loaded(catalogue) == {"tiny-none"}


def test_an_image_encoder_counts_as_weights() -> None:
    catalogue, models = Catalogue(), ("dates-dot", "caption-soft")
    catalogue.limit_memory(sum(catalogue.cards[model].bytes for model in models))
    for model in models:
        catalogue.load(model)
    assert loaded(catalogue) == {"caption-soft"}
    catalogue.limit_memory(catalogue.weight_bytes(models))
    catalogue.load("dates-dot")
    assert loaded(catalogue) == {*models}


def test_a_forgotten_model_is_read_again_and_gives_the_same(tiny_models: Path) -> None:
    catalogue = Catalogue(tiny_models)
    catalogue.limit_memory(0)
    (before,) = catalogue.load("tiny").run([TextRequest("3 may")])
    catalogue.load("tiny-none")
    (after,) = catalogue.load("tiny").run([TextRequest("3 may")])
    np.testing.assert_array_equal(before.output.maps[0].weights, after.output.maps[0].weights)


def test_the_memory_of_a_forgotten_model_is_free_at_once() -> None:
    catalogue = Catalogue()
    for model in catalogue.cards:  # what only the first model of a kind needs
        catalogue.load(model)
    gc.collect()
    gc.disable()  # a server seldom collects objects that refer to each other
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        for model in catalogue.cards:
            catalogue.forget(model)
        gc.collect()
        left = {
            type(one).__qualname__
            for one in gc.garbage
            if type(one).__module__.startswith("heed.models.")
        }
        assert not left
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


def test_models_share_a_tokenizer_of_one_file(tiny_models: Path) -> None:
    folder = tiny_models / "tiny"
    assert checkpoint.tokenizer_of(folder) is checkpoint.tokenizer_of(folder)


@pytest.mark.skipif(not hasattr(mmap, "MADV_DONTNEED"), reason="nothing to unload on Windows")
def test_unloaded_tensors_are_read_again(tiny_models: Path) -> None:
    tensors = checkpoint.tensors(tiny_models / "tiny")
    before = {name: each.copy() for name, each in tensors.items()}
    checkpoint.unload([*tensors.values(), np.zeros(3, np.float16)])
    for name, each in tensors.items():
        np.testing.assert_array_equal(before[name], each)
