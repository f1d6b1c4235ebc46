"""A folder of tiny models, untrained; and the kernels of each kind of processor."""

import platform
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from heed.models.catalogue import Catalogue
from heed.models.config import TransformerConfig
from heed.models.generation.picture_pipeline import PicturePipeline
from heed.models.generation.translator import Translator
from heed.models.runtime.native import kernels
from heed.models.runtime.native.compiled import LEVELS
from tests.models.tiny import NETWORK, write_tiny, write_tiny_captioners

HERE = [level for level in LEVELS.get(platform.machine(), ()) if level.runs_here()]


@pytest.fixture(params=HERE, ids=[level.name for level in HERE])
def level(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Each level of this processor in its turn."""
    monkeypatch.setattr(kernels, "LEVELS", {platform.machine(): (request.param,)})
    kernels.available.cache_clear()
    yield request.param.name
    kernels.available.cache_clear()


@pytest.fixture(scope="session")
def tiny_models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("weights")
    write_tiny(root / "tiny")
    write_tiny(root / "tiny-none", replace(NETWORK, mechanism="none", order="fixed"))
    write_tiny(root / "tiny-lstm", replace(NETWORK, cell="lstm", tied=True, encoder_layers=2))
    heads = replace(NETWORK, mechanism="multihead", heads=2, order="after", input_feeding=True)
    write_tiny(root / "tiny-heads", heads, rank=1)
    layers = TransformerConfig(
        vocabulary=259, width=8, heads=2, feedforward=12, encoder_layers=2, decoder_layers=2
    )
    write_tiny(root / "tiny-transformer", layers, rank=200)
    return root


@pytest.fixture(scope="session")
def tiny(tiny_models: Path) -> Translator:
    return Catalogue(tiny_models).load("tiny")


@pytest.fixture(scope="session")
def captioners(tmp_path_factory: pytest.TempPathFactory) -> dict[str, PicturePipeline]:
    """One captioner of each kind of attention, with a shared image encoder."""
    catalogue = Catalogue(write_tiny_captioners(tmp_path_factory.mktemp("captioners")))
    kinds = {card.id: card.mechanism for card in catalogue.cards.values()} | {"ask": "ask"}
    return {kind: catalogue.load(id) for id, kind in kinds.items()}
