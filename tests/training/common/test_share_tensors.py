"""Shipped models take from a sibling what both have."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from heed.models.checkpoint import TOKENIZER, WEIGHTS, load_network, sharing, tensors, tokenizer_of
from tests.models.tiny import NETWORK, write_tiny
from training.common.share_tensors import main


@pytest.fixture
def siblings(tmp_path: Path) -> Path:
    """Two that start alike and differ in the width of their attention."""
    write_tiny(tmp_path / "keeper")
    write_tiny(tmp_path / "taker", replace(NETWORK, attention_width=7))
    return tmp_path


def test_what_both_have_lies_on_the_disk_once(
    siblings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    taker = siblings / "taker"
    before = {name: half.copy() for name, half in tensors(taker).items()}
    size, pieces = (taker / WEIGHTS).stat().st_size, tokenizer_of(taker).ids("may")
    assert main(["taker", "keeper", "--weights", str(siblings)]) == 0
    printed = capsys.readouterr().out.split()
    assert {TOKENIZER, "embedding.weight"} <= set(printed)
    assert "decoder.attention.energy.weight" not in printed
    assert (taker / WEIGHTS).stat().st_size < size
    assert not (taker / TOKENIZER).exists()
    assert tokenizer_of(taker).ids("may") == pieces
    after = tensors(taker)
    assert after.keys() == before.keys()
    assert all(np.array_equal(after[name], half) for name, half in before.items())
    assert main(["taker", "keeper", "--weights", str(siblings)]) == 0, "once more changes nothing"
    assert load_network(taker).embedding.weight.dtype == torch.float32  # type: ignore[union-attr]


def test_what_differs_stays(siblings: Path) -> None:
    config = (siblings / "taker/config.json").read_text()
    write_tiny(siblings / "stranger", replace(NETWORK, embedding=7, encoder_width=3))
    assert main(["taker", "nobody", "--weights", str(siblings)]) == 2
    assert (siblings / "taker/config.json").read_text() == config
    assert sharing(siblings / "taker") is None
