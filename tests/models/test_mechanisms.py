"""A mechanism of one's own, by the recipe of docs/architecture.md, in every runtime."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Self

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from heed.models import mechanisms
from heed.models.catalogue import Catalogue, RuntimeName
from heed.models.checkpoint import load_text_network
from heed.models.config import RecurrentConfig, read_step_network
from heed.models.errors import CheckpointError
from heed.models.families import FAMILIES
from heed.models.generation.translator import TextRequest
from heed.models.mechanisms import MECHANISMS, PICTURE_MECHANISMS, Mechanism, mechanism_named
from heed.models.networks import attention
from heed.models.networks.attention import CLASSES, Attention, General, Widths, register
from heed.models.networks.seq2seq import Seq2Seq
from heed.models.runtime import native
from heed.models.runtime.onnx import supported
from heed.models.runtime.onnx.graph_signature import ENCODE, STEP
from heed.models.runtime.onnx.states import STATES
from heed.models.trace import Trace
from tests.models.runtime.test_runtimes import same
from tests.models.tiny import NETWORK, SOFT, write_tiny

REQUESTS = [TextRequest("14 july 1789"), TextRequest("may")]


@pytest.fixture
def squared(monkeypatch: pytest.MonkeyPatch) -> RecurrentConfig:
    """A score whose tensors have the names of `general`, but e = (qᵀ W k)²."""
    monkeypatch.setitem(MECHANISMS, "squared", Mechanism("squared", "(qᵀ W k)²", "nobody"))
    monkeypatch.setattr(attention, "CLASSES", dict(CLASSES))

    @register("squared")
    class Squared(General):
        def score(self, query: Tensor, keys: Tensor) -> Tensor:
            return super().score(query, keys) ** 2

    return replace(NETWORK, mechanism="squared", order="after")


def run(root: Path, runtime: RuntimeName) -> list[Trace]:
    return Catalogue(root, runtime=runtime).load("model").run(REQUESTS)


def write_graphs_of_another(folder: Path, config: RecurrentConfig) -> None:
    """Write graphs of the same weights with a known mechanism into a folder."""
    write_tiny(folder, replace(config, mechanism="general"))
    Catalogue(folder.parent).export(folder.name)
    graphs = {name: (folder / name).read_bytes() for name in (ENCODE, STEP)}
    write_tiny(folder, config)
    for name, graph in graphs.items():
        (folder / name).write_bytes(graph)


@pytest.mark.parametrize("runtime", ["torch", "auto"])
def test_an_unknown_score_is_run_by_pytorch(
    runtime: RuntimeName, squared: RecurrentConfig, tmp_path: Path
) -> None:
    write_graphs_of_another(tmp_path / "model", squared)
    network = load_text_network(tmp_path / "model")
    assert isinstance(network, Seq2Seq)
    key = network.decoder.attention.get_submodule("key")
    assert isinstance(key, nn.Linear)
    for trace in run(tmp_path, runtime):
        (cross,) = trace.output.maps
        queries = np.stack([step.query for step in trace.output.steps])
        assert trace.memory is not None
        by_hand = (queries @ (trace.memory @ key.weight.numpy().T).T) ** 2
        np.testing.assert_allclose(cross.scores, by_hand, rtol=1e-3, atol=1e-6)
        assert (cross.scores >= 0).all()


def test_an_unknown_score_is_the_same_in_the_default_runtime(
    squared: RecurrentConfig, tmp_path: Path
) -> None:
    write_graphs_of_another(tmp_path / "model", squared)
    for ours, theirs in zip(run(tmp_path, "auto"), run(tmp_path, "torch"), strict=True):
        same(ours, theirs)


@pytest.mark.parametrize("runtime", ["native", "onnx"])
def test_a_runtime_refuses_an_unknown_score(
    runtime: RuntimeName, squared: RecurrentConfig, tmp_path: Path
) -> None:
    write_graphs_of_another(tmp_path / "model", squared)
    with pytest.raises(CheckpointError, match="recurrent with squared attention"):
        run(tmp_path, runtime)


def test_an_unknown_score_is_not_exported(squared: RecurrentConfig, tmp_path: Path) -> None:
    write_tiny(tmp_path / "model", squared)
    with pytest.raises(CheckpointError, match="squared attention cannot be exported"):
        Catalogue(tmp_path).export("model")
    assert not (tmp_path / "model" / STEP).exists()


def test_runtimes_list_no_unknown_score(squared: RecurrentConfig) -> None:
    assert native.runs(replace(squared, mechanism="general"))
    assert not native.runs(squared)
    assert supported.runs(replace(squared, mechanism="general"))
    assert not supported.runs(squared)


# --- the recipe ---------------------------------------------------------------------------------


@pytest.fixture
def cosine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add a mechanism as docs/architecture.md describes it."""
    monkeypatch.setattr(attention, "CLASSES", dict(CLASSES))
    # 1. models/mechanisms.py: its name, its formula and its paper.
    entry = Mechanism("cosine", "q·k / (|q| |k|)", "Graves et al. 2014, equation 6")
    monkeypatch.setitem(mechanisms.MECHANISMS, entry.name, entry)

    # 2. models/networks/attention.py: its class, registered under the name.
    @register("cosine")
    class Cosine(Attention):
        @classmethod
        def from_widths(cls, widths: Widths) -> Self:
            return cls(widths.dropout)

        def score(self, query: Tensor, keys: Tensor) -> Tensor:
            return nn.functional.normalize(query, dim=-1) @ nn.functional.normalize(
                keys, dim=-1
            ).transpose(-1, -2)

    assert attention.CLASSES[entry.name] is Cosine


# 3. tests/models/networks/test_attention.py: the formula by hand.
@pytest.mark.usefixtures("cosine")
def test_a_mechanism_by_the_recipe_is_what_its_formula_says() -> None:
    module = attention.build_attention("cosine", Widths(6, 6, 0))
    query, memory = torch.randn(1, 2, 6), torch.randn(1, 3, 6)
    scores = module(query, module.prepare(memory, None)).scores
    for q in range(2):
        for k in range(3):
            by_hand = torch.cosine_similarity(query[0, q], memory[0, k], dim=0)
            torch.testing.assert_close(scores[0, 0, q, k], by_hand)


@pytest.mark.usefixtures("cosine")
@pytest.mark.parametrize("order", ["before", "after"])
def test_a_mechanism_by_the_recipe_is_configured_trained_saved_and_run(
    order: str, tmp_path: Path
) -> None:
    values = NETWORK.to_dict() | {"mechanism": "cosine", "order": order}
    config = read_step_network(values)
    write_tiny(tmp_path / "model", config)
    network = load_text_network(tmp_path / "model").requires_grad_(requires_grad=True)
    batch = torch.tensor([[3, 4, 5]])
    network(batch, torch.tensor([3]), batch).sum().backward()
    assert all(value.grad is not None for value in network.parameters())
    card = Catalogue(tmp_path).cards["model"]
    assert (card.mechanism, mechanism_named(card.mechanism).paper[:6]) == ("cosine", "Graves")
    for trace in run(tmp_path, "auto"):
        assert (np.abs(trace.output.maps[0].scores) <= 1 + 1e-6).all()


# --- the registry -------------------------------------------------------------------------------


def test_every_listed_mechanism_has_a_class() -> None:
    assert set(CLASSES) == set(MECHANISMS)
    assert all(name == entry.name for name, entry in (MECHANISMS | PICTURE_MECHANISMS).items())


def test_every_family_that_writes_token_by_token_can_be_exported() -> None:
    written = {family.config for family in FAMILIES.values() if not family.on_numpy}
    assert set(supported.SUPPORTED) == set(STATES) == written


def test_a_class_is_registered_under_a_listed_name_only() -> None:
    with pytest.raises(ValueError, match="does not list 'unheard'"):
        register("unheard")
    with pytest.raises(ValueError, match="no mechanism 'unheard'"):
        mechanism_named("unheard")


@pytest.mark.parametrize("config", [NETWORK, SOFT], ids=["recurrent", "recurrent-captioner"])
def test_a_configuration_names_a_mechanism_of_its_family(config: RecurrentConfig) -> None:
    with pytest.raises(ValueError, match="no mechanism 'unheard' of the family"):
        read_step_network(config.to_dict() | {"mechanism": "unheard"})
