"""A Transformer of Heed, exported to transformers, computes what it computes itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from safetensors import SafetensorError

from heed.app.commands.export import convert
from heed.app.errors import StartError
from heed.models.catalogue import DEFAULT_DIRECTORY, Catalogue
from heed.models.errors import RecordingError
from heed.models.generation.translator import TextRequest
from heed.models.recording.load import load_tracer
from heed.models.recording.search import Beam, Greedy
from heed.models.recording.tracer import Tracer
from heed.models.trace import Trace

pytest.importorskip("transformers", reason="models of Hugging Face need the extra hf")

NAME = "en-fr-transformer"
SENTENCES = ("I do not know where she lives.", "Two naïve dogs are 34 years old!")


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Tracer:
    folder = tmp_path_factory.mktemp("exported") / NAME
    assert convert([NAME], "hf", str(folder)) == 0
    return load_tracer(folder)


@pytest.fixture(scope="module")
def own() -> Catalogue:
    return Catalogue(DEFAULT_DIRECTORY, "torch")


def traces(own: Catalogue, exported: Tracer, text: str) -> tuple[Trace, Trace]:
    (expected,) = own.load(NAME).run([TextRequest(text, vectors="all")])
    return expected, exported.trace(text, search=Greedy(), vectors="all")


@pytest.mark.parametrize("text", SENTENCES)
def test_logits_and_maps_are_the_same(own: Catalogue, exported: Tracer, text: str) -> None:
    expected, found = traces(own, exported, text)
    assert found.text == expected.text
    assert [step.alternatives[0].id for step in found.output.steps] == [
        step.alternatives[0].id for step in expected.output.steps
    ]
    np.testing.assert_allclose(
        [step.log_probability for step in found.output.steps],
        [step.log_probability for step in expected.output.steps],
        atol=1e-5,
    )
    maps = {(each.kind, each.layer, each.head): each for each in expected.output.maps}
    assert len(maps) == len(found.output.maps)
    for each in found.output.maps:
        other = maps[each.kind, each.layer, each.head]
        np.testing.assert_allclose(each.weights, other.weights, atol=1e-5)
        seen = np.isfinite(other.scores)
        np.testing.assert_allclose(each.scores[seen], other.scores[seen], atol=2e-5, rtol=1e-5)
        assert each.vectors is not None
        assert other.vectors is not None
        for one, same in zip(each.vectors, other.vectors, strict=True):
            np.testing.assert_allclose(one, same, atol=2e-5, rtol=1e-5)


@pytest.mark.parametrize("text", SENTENCES)
def test_the_tokenizer_has_the_same_tokens_at_the_same_places(
    own: Catalogue, exported: Tracer, text: str
) -> None:
    expected, found = traces(own, exported, text)
    for one, other in (
        (found.source, expected.source),
        (found.output.target, expected.output.target),
    ):
        assert [token.id for token in one.tokens] == [token.id for token in other.tokens]
        assert [(token.start, token.end) for token in one.tokens if not token.special] == [
            (token.start, token.end) for token in other.tokens if not token.special
        ]


def test_a_beam_finds_the_same_hypotheses(own: Catalogue, exported: Tracer) -> None:
    search = Beam(3)
    (expected,) = own.load(NAME).run([TextRequest(SENTENCES[0], search=search.request)])
    found = exported.trace(SENTENCES[0], search=search)
    assert found.text == expected.text
    assert found.output.score == pytest.approx(expected.output.score, abs=1e-4)


def test_a_model_without_a_counterpart_is_refused(own: Catalogue, tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="has no counterpart in transformers"):
        own.convert("dates-additive", tmp_path)


def test_an_export_that_finds_no_room_is_an_error_of_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise SafetensorError("I/O error: No space left on device (os error 28)")

    monkeypatch.setattr("transformers.PreTrainedModel.save_pretrained", full)
    with pytest.raises(StartError, match=r"cannot be written: .*No space left"):
        convert([NAME], "hf", str(tmp_path / "new"))
