"""Other trainings of a model's attention, and how far their maps are from those of the model."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import load_file, save_file

from heed.models.audit.audit import Audit, AuditRun
from heed.models.audit.choices import AuditChoices
from heed.models.audit.other_trainings import divergence
from heed.models.audit.verdict import verdict
from heed.models.catalogue import DEFAULT_DIRECTORY, Catalogue
from heed.models.checkpoint import CONFIG, WEIGHTS
from heed.models.config import TransformerConfig
from heed.models.errors import CheckpointError
from heed.models.generation.requests import TextRequest
from heed.output.audit import audit_out
from tests.models.tiny import NETWORK, write_tiny

MOST_BYTES, MOST_OF_ALL = 400_000, 132_000_000
TEXT, TARGET = "14 july", "1789"
FREE = "en-fr-additive-free"
CHOICES = AuditChoices(seeds=2)


def audited(
    pipeline: Any, request: TextRequest, choices: AuditChoices = CHOICES
) -> tuple[Audit, AuditRun[Any]]:
    run = AuditRun(pipeline, pipeline.prepare(request), choices)
    return run.finished(), run


@pytest.mark.parametrize("runtime", ["native", "torch"])
def test_the_maps_are_those_of_models_with_these_tensors(runtime: Any, tmp_path: Path) -> None:
    network = replace(NETWORK, query_feeding=True)
    rng = np.random.default_rng(1)
    for name in ("model", "other"):
        write_tiny(tmp_path / name, network, other_mechanism="other" if name == "model" else None)
    whole = load_file(tmp_path / "model" / WEIGHTS)
    for seed, folder in ((3, "third"), (12, "twelfth")):
        changed = {
            name: 3 * rng.normal(size=half.shape).astype(np.float16)
            if "attention" in name
            else half
            for name, half in whole.items()
        }
        save_file(changed, tmp_path / "model" / f"seed-{seed}.safetensors")
        write_tiny(tmp_path / folder, network)
        save_file(changed, tmp_path / folder / WEIGHTS)
    catalogue = Catalogue(tmp_path, runtime)
    request = TextRequest(TEXT, TARGET)
    audit, run = audited(catalogue.load("model"), request)
    found = audit.trainings
    assert found is not None
    assert found.seeds == (3, 12)
    for one, folder in zip(found.trainings, ("third", "twelfth"), strict=True):
        (trace,) = catalogue.load(folder).run([request])
        assert np.allclose(one.attention, trace.output.maps[0].weights, atol=1e-5)
        assert np.allclose(one.distances, divergence(audit.attention, one.attention))
        assert one.distances.max() > 0.01
    assert (found.mechanism, found.baseline and found.baseline.distances.max()) == ("other", 0)
    assert audit.rows == run.rows <= run.total
    alone: Any = AuditRun(catalogue.load("other"), run._prepared, AuditChoices(seeds=2))
    assert run.total - alone.total == 3 * (len(TARGET) + 1)


LAYERS = TransformerConfig(
    vocabulary=259, width=8, heads=2, feedforward=12, encoder_layers=1, decoder_layers=2
)


def write_trainings(folder: Path, *others: str) -> None:
    """Write a model of several layers, another training, and this training as a model."""
    write_tiny(folder / "model", LAYERS, other_mechanism="other")
    write_tiny(folder / "third", LAYERS)
    for name in ("other", *others):
        write_tiny(folder / name, NETWORK)
    rng = np.random.default_rng(1)
    changed = {
        name: half + rng.normal(size=half.shape).astype(np.float16)
        for name, half in load_file(folder / "model" / WEIGHTS).items()
    }
    for file in (folder / "model" / "seed-3.safetensors", folder / "third" / WEIGHTS):
        save_file(changed, file)


@pytest.mark.parametrize("place", [(1, 0), (None, 1), (None, None)])
def test_the_heads_of_an_audit_are_compared_in_all_layers_that_it_is_about(
    place: tuple[int | None, int | None], tmp_path: Path
) -> None:
    write_trainings(tmp_path)
    catalogue = Catalogue(tmp_path)
    request = TextRequest(TEXT, TARGET)
    choices = AuditChoices(seeds=2, layer=place[0], head=place[1])
    found = audited(catalogue.load("model"), request, choices)[0].trainings
    assert found is not None
    assert found.baseline is not None
    for name, of, compared in (
        ("third", place, found.trainings[0]),
        ("other", (None, None), found.baseline),
    ):
        (trace,) = catalogue.load(name).run([request])
        maps = [
            each.weights
            for each in trace.output.maps
            if each.kind == "cross" and of[0] in (None, each.layer) and of[1] in (None, each.head)
        ]
        assert np.allclose(compared.attention, np.mean(maps, axis=0), atol=1e-5)


def test_other_trainings_are_kept_with_their_model_and_count(tmp_path: Path) -> None:
    write_trainings(tmp_path, "more")
    catalogue = Catalogue(tmp_path)
    trainings = catalogue.load("model").trainings
    assert trainings is not None
    room = catalogue.cards["model"].bytes + trainings.bytes
    catalogue.limit_memory(room - 1)
    catalogue.keep_trainings("model")
    assert trainings.kept_bytes == 0
    catalogue.load("more")
    catalogue.limit_memory(room)
    catalogue.load("model")
    catalogue.keep_trainings("model")
    assert not catalogue.loaded("more")
    assert trainings.kept_bytes == trainings.bytes
    assert [*trainings.others()] == [*trainings.others()]
    assert trainings.of_mechanism() is trainings.of_mechanism()
    catalogue.load("more")
    assert not catalogue.loaded("model")


def test_files_of_a_package_that_are_no_trainings_are_left_out_or_named(tmp_path: Path) -> None:
    write_trainings(tmp_path)
    catalogue = Catalogue(tmp_path)
    trainings = catalogue.load("model").trainings
    assert trainings is not None
    seeds = trainings.seeds
    shutil.copy(
        tmp_path / "model" / "seed-3.safetensors", tmp_path / "model" / "seed-².safetensors"
    )
    assert trainings.seeds == seeds
    config = tmp_path / "other" / CONFIG
    config.write_text(json.dumps(json.loads(config.read_text()) | {"network": {"family": "graph"}}))
    with pytest.raises(CheckpointError, match="cannot be compared"):
        trainings.of_mechanism()


def test_a_model_that_was_trained_once_is_compared_with_none(tmp_path: Path) -> None:
    write_tiny(tmp_path / "model", NETWORK)
    audit, _ = audited(Catalogue(tmp_path).load("model"), TextRequest(TEXT, TARGET))
    assert audit.trainings is None
    assert "trainings" not in audit_out(audit, "1.0")


Row = st.lists(st.floats(0, 1), min_size=4, max_size=4).filter(any)


@given(Row, Row)
def test_the_divergence_is_symmetric_and_lies_between_none_and_one_bit(
    one: list[float], other: list[float]
) -> None:
    ours, theirs = (np.array(row) / sum(row) for row in (one, other))
    distance = float(divergence(ours, theirs))
    assert 0 <= distance <= 1
    assert distance == pytest.approx(float(divergence(theirs, ours)), abs=1e-12)
    by_hand = sum(
        weight / 2 * np.log2(2 * weight / (a + b))
        for a, b in zip(ours, theirs, strict=True)
        for weight in (a, b)
        if weight > 0
    )
    assert distance == pytest.approx(by_hand, abs=1e-9)
    assert float(divergence(ours, ours)) == pytest.approx(0, abs=1e-12)
    assert float(divergence(np.array([1.0, 0]), np.array([0, 1.0]))) == 1


def test_the_free_attention_ships_with_two_other_trainings() -> None:
    files = sorted((DEFAULT_DIRECTORY / FREE).glob("seed-*"))
    assert [file.name for file in files] == ["seed-3.safetensors", "seed-4.safetensors"]
    assert max(file.stat().st_size for file in files) <= MOST_BYTES
    every = DEFAULT_DIRECTORY.rglob("*")
    assert sum(file.stat().st_size for file in every if file.is_file()) <= MOST_OF_ALL
    offered = {path.parent.name for path in DEFAULT_DIRECTORY.glob(f"*/{CONFIG}")}
    assert set(Catalogue().cards) == offered  # none of them is a model of its own


def test_two_other_trainings_look_at_the_same_words_but_for_ne() -> None:
    audit, _ = audited(Catalogue().load(FREE), TextRequest("We do not want to go there."))
    found = audit.trainings
    assert audit.trace.text == "Nous ne voulons pas y aller."
    assert found is not None
    assert (found.seeds, found.mechanism) == ((3, 4), "en-fr-dot")
    assert found.agreeing.count(False) == 1
    assert not found.agreeing[1]  # “ne”
    assert verdict(audit)[-1].startswith(
        "Two other trainings look at the same word in 7 of 8 rows (en-fr-dot, another mechanism: 8)"
    )
