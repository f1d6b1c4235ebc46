"""Models on disk: written, read back, and refused when they are not whole."""

import hashlib
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import save_file

from heed.models import checkpoint
from heed.models.card_parser import read_ahead
from heed.models.catalogue import Catalogue
from heed.models.checkpoint import (
    CONFIG,
    TOKENIZER,
    WEIGHTS,
    digest,
    load_network,
    mapped,
    tensors,
    tokenizer_of,
)
from heed.models.errors import CheckpointError, UnknownModelError
from tests.models.tiny import NETWORK, borrow, change, write_tiny, write_tiny_captioners


def test_weights_are_written_as_16_bits_and_read_as_32(tmp_path: Path) -> None:
    model = load_network(write_tiny(tmp_path / "m"))
    parameters = sum(value.numel() for value in model.parameters())
    assert {value.dtype for value in model.parameters()} == {torch.float32}
    assert (tmp_path / "m" / WEIGHTS).stat().st_size < 2 * parameters + 4000
    assert not any(value.requires_grad for value in model.parameters())
    assert not model.training


@pytest.mark.parametrize(
    "model", ["tiny", "tiny-none", "tiny-lstm", "tiny-heads", "tiny-transformer"]
)
def test_every_shape_is_read_back(tiny_models: Path, model: str) -> None:
    load_network(tiny_models / model)


def test_the_catalogue_goes_by_rank_then_name(tiny_models: Path) -> None:
    assert list(Catalogue(tiny_models).cards) == [
        "tiny-heads",
        "tiny",
        "tiny-lstm",
        "tiny-none",
        "tiny-transformer",
    ]


@pytest.mark.parametrize("value", ["[" * 100 + "]" * 100, "[" * 10**6, '{"a":' * 10**5])
def test_a_config_that_is_nested_too_deeply_is_refused(tmp_path: Path, value: str) -> None:
    folder = write_tiny(tmp_path / "m")
    (folder / CONFIG).write_text(f'{{"format": "heed.checkpoint/1", "name": {value}}}')
    with pytest.raises(CheckpointError, match=r"config\.json cannot be read: "):
        Catalogue(tmp_path)
    with pytest.raises(CheckpointError, match=r"config\.json cannot be read: "):
        load_network(folder)


def test_a_tokenizer_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (write_tiny(tmp_path / "m") / TOKENIZER).write_text('{"a":' * 10**5)
    with pytest.raises(CheckpointError, match=r"tokenizer\.json cannot be read: "):
        Catalogue(tmp_path).load("m")


def test_cards_match_the_file(tiny_models: Path) -> None:
    card = Catalogue(tiny_models).cards["tiny"]
    assert card.bytes == (tiny_models / "tiny" / WEIGHTS).stat().st_size
    assert card.weights == digest(tiny_models / "tiny" / WEIGHTS)
    assert card.parameters == sum(
        p.numel() for p in load_network(tiny_models / "tiny").parameters()
    )
    assert Catalogue(tiny_models).cards["tiny-none"].heads == 0


def test_another_image_encoder_changes_the_digest(tmp_path: Path) -> None:
    write_tiny_captioners(tmp_path)
    before = {card.id: card.weights for card in Catalogue(tmp_path).cards.values()}
    weights = tmp_path / "image-encoder" / WEIGHTS
    content = weights.read_bytes()
    weights.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    after = {card.id: card.weights for card in Catalogue(tmp_path).cards.values()}
    assert all(before[model] != after[model] for model in before)


def test_weights_are_read_once_and_when_first_used(tiny_models: Path) -> None:
    catalogue = Catalogue(tiny_models)
    assert not catalogue.loaded("tiny")
    first = catalogue.load("tiny")
    assert catalogue.loaded("tiny")
    assert catalogue.load("tiny") is first
    with pytest.raises(UnknownModelError):
        catalogue.load("huge")


def test_a_folder_without_models_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="holds no models"):
        Catalogue(tmp_path)


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("config.json", "{"),
        ("config.json", '{"format": "other/1"}'),
        ("config.json", '{"format": "heed.checkpoint/1", "id": "m"}'),
        ("model.safetensors", "nothing"),
    ],
)
def test_a_broken_checkpoint_is_named(tmp_path: Path, file: str, content: str) -> None:
    folder = write_tiny(tmp_path / "m")
    (folder / file).write_text(content)
    with pytest.raises(CheckpointError, match="m"):
        Catalogue(tmp_path).load("m")


def test_weights_of_another_shape_are_refused(tmp_path: Path) -> None:
    folder = write_tiny(tmp_path / "m")
    config = json.loads((folder / "config.json").read_text())
    for changes in ({"embedding": 7}, {"cell": "lstm"}, {"wings": 2}):
        config["network"] = NETWORK.to_dict() | changes
        (folder / "config.json").write_text(json.dumps(config))
        with pytest.raises(CheckpointError):
            load_network(folder)


@pytest.mark.parametrize("content", [b"\x02" + 7 * b"\0" + b"[]", 8 * b"\xff", b""])
def test_a_file_that_is_none_of_tensors_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / WEIGHTS).write_bytes(content)
    with pytest.raises(CheckpointError, match=WEIGHTS):
        mapped(tmp_path / WEIGHTS)


def test_tensors_are_those_of_the_file(tmp_path: Path) -> None:
    folder = write_tiny(tmp_path / "m")
    read = tensors(folder)
    assert {each.dtype for each in read.values()} == {np.dtype(np.float16)}
    for name, value in load_network(folder).named_parameters():
        np.testing.assert_array_equal(read[name].astype(np.float32), value.numpy())
    save_file({"whole": np.zeros(3, np.float32)}, folder / WEIGHTS)
    with pytest.raises(CheckpointError, match="whole"):
        tensors(folder)


def test_a_tensor_and_a_tokenizer_may_lie_with_a_sibling(tmp_path: Path) -> None:
    keeper, borrower = write_tiny(tmp_path / "keeper"), write_tiny(tmp_path / "borrower")
    own = tensors(borrower)
    borrow(borrower, "keeper", "embedding.weight")
    assert tensors(borrower).keys() == own.keys()
    np.testing.assert_array_equal(
        tensors(borrower)["embedding.weight"], tensors(keeper)["embedding.weight"]
    )
    load_network(borrower)
    assert tokenizer_of(borrower).ids("may") == tokenizer_of(keeper).ids("may")


def test_whether_texts_are_read_as_if_spaced_is_kept(tmp_path: Path) -> None:
    folder = write_tiny(tmp_path / "model")
    assert not tokenizer_of(folder).spaced
    change(folder, spaced=True)
    assert tokenizer_of(folder).spaced


@pytest.mark.parametrize(
    "about",
    [
        {"shared": {"from": "../keeper", "tensors": []}},
        {"shared": {"from": "keeper", "tensors": ["no.such"]}},
        {"shared": {"from": "nobody", "tensors": ["embedding.weight"]}},
        {"shared": {"tensors": []}},
        {"shared": ["keeper"]},
        {"tokenizer": "/etc"},
    ],
)
def test_a_tensor_missing_from_a_sibling_is_refused(tmp_path: Path, about: dict[str, Any]) -> None:
    write_tiny(tmp_path / "keeper")
    folder = write_tiny(tmp_path / "borrower")
    change(folder, **about)
    with pytest.raises(CheckpointError):
        Catalogue(tmp_path).load("borrower")


def test_the_catalogue_is_read_without_torch(tiny_models: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from heed.models.catalogue import Catalogue;"
        f"Catalogue(Path({str(tiny_models)!r})); import heed.models.generation.translator;"
        "import heed.models.generation.search;"
        "sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_digest_is_made_anew_once_the_file_is_another(tmp_path: Path) -> None:
    path = tmp_path / WEIGHTS
    path.write_bytes(b"one")
    first = digest(path)
    assert first == hashlib.sha256(b"one").hexdigest()
    path.write_bytes(b"")
    assert digest(path) == hashlib.sha256().hexdigest()
    path.write_bytes(b"two")
    os.utime(path, ns=(1, 1))
    assert digest(path) == hashlib.sha256(b"two").hexdigest()
    path.unlink()
    with pytest.raises(CheckpointError, match="cannot be read"):
        digest(path)


def test_weights_can_be_read_ahead(tiny_models: Path, tmp_path: Path) -> None:
    read_ahead(tiny_models)
    read_ahead(tmp_path / "nowhere")
    for thread in threading.enumerate():
        if thread.name == "heed-digests":
            thread.join(10)
    made = checkpoint._digest.cache_info()
    assert digest(tiny_models / "tiny" / WEIGHTS)
    assert checkpoint._digest.cache_info().hits > made.hits
