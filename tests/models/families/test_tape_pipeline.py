"""Sentences that are read word by word: every row leans on the words before."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from heed.models.catalogue import Catalogue
from heed.models.checkpoint import WEIGHTS
from heed.models.errors import CheckpointError
from heed.models.families.lstmn.pipeline import TapePipeline, TapeRequest
from heed.models.trace import TokenAxis, Trace
from tests.models.tiny import LSTMN, write_tiny_reader

SENTENCE = "The keys to the zebra's cabinet are old."
WORDS = ["The", "keys", "to", "the", "zebra", "'s", "cabinet", "are", "old", "."]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_reader(tmp_path_factory.mktemp("reader") / "reader")


@pytest.fixture(scope="module")
def pipeline(folder: Path) -> TapePipeline:
    loaded = Catalogue(folder.parent).load("reader")
    assert isinstance(loaded, TapePipeline)
    return loaded


@pytest.fixture(scope="module")
def trace(pipeline: TapePipeline) -> Trace:
    (found,) = pipeline.run([TapeRequest(SENTENCE)])
    return found


def test_rows_are_the_words_and_the_end(trace: Trace) -> None:
    assert [token.text for token in trace.output.tokens.tokens] == [*WORDS, "</s>"]
    assert isinstance(trace.source, TokenAxis)
    assert [token.text for token in trace.source.tokens] == WORDS
    assert trace.text == SENTENCE


def test_a_row_leans_on_the_start_and_the_words_before(trace: Trace) -> None:
    (attention,) = trace.output.maps
    assert (attention.kind, attention.query, attention.key) == (
        "decoder-self",
        "target",
        "decoder_input",
    )
    assert attention.weights.shape == (11, 11)
    assert attention.weights.sum(axis=1) == pytest.approx(np.ones(11), abs=1e-5)
    assert (np.triu(attention.weights, 1) == 0).all()
    assert np.isneginf(attention.scores[np.triu_indices(11, 1)]).all()


def test_a_step_has_the_probability_of_its_word_and_the_likeliest_words(trace: Trace) -> None:
    total = 0.0
    for token, step in zip(trace.output.tokens.tokens, trace.output.steps, strict=True):
        found = {each.id: each.probability for each in step.alternatives}
        assert list(found.values()) == sorted(found.values(), reverse=True)
        if token.id in found:
            assert np.exp(step.log_probability) == pytest.approx(found[token.id])
        total += step.log_probability
    assert trace.output.log_probability == pytest.approx(total, abs=1e-4)


def test_a_context_is_the_weighted_sum_of_the_states(trace: Trace) -> None:
    states = np.stack([step.state for step in trace.output.steps])
    contexts = np.stack([step.context for step in trace.output.steps])
    np.testing.assert_allclose(trace.output.maps[0].weights @ states, contexts, atol=1e-5)


def test_the_tape_has_a_key_a_state_and_a_cell_of_each_word(folder: Path, trace: Trace) -> None:
    (attention,) = trace.output.maps
    steps = trace.output.steps
    assert attention.vectors is not None
    queries, keys, values = attention.vectors
    np.testing.assert_array_equal(queries, np.stack([step.query for step in steps]))
    np.testing.assert_array_equal(values, np.stack([step.state for step in steps]))
    energy = load_file(folder / WEIGHTS)["energy.weight"].astype(np.float32)[0]
    for row in range(len(steps)):
        scores = np.tanh(keys[: row + 1] + queries[row]) @ energy
        np.testing.assert_allclose(attention.scores[row, : row + 1], scores, atol=1e-4)
    cells = np.stack([step.cell for step in steps if step.cell is not None])
    sums = np.stack([step.cell_context for step in steps if step.cell_context is not None])
    np.testing.assert_allclose(attention.weights @ cells, sums, atol=1e-5)


def test_the_gates_lead_from_the_word_before_to_its_state(trace: Trace) -> None:
    for step in trace.output.steps:
        assert step.gates is not None
        assert step.cell is not None
        shown = step.gates[2]
        assert step.gates.shape == (3, LSTMN.width)
        assert ((step.gates > 0) & (step.gates < 1)).all()
        np.testing.assert_allclose(shown * np.tanh(step.cell), step.state, atol=1e-5)


def test_unknown_words_are_named(trace: Trace) -> None:
    assert isinstance(trace.source, TokenAxis)
    assert trace.source.rare_words == (4,)


def test_a_vocabulary_of_another_size_is_refused(tmp_path: Path) -> None:
    folder = write_tiny_reader(tmp_path / "reader")
    (folder / "words.txt").write_text("the\n")
    with pytest.raises(CheckpointError, match=f"its network has {LSTMN.vocabulary}"):
        Catalogue(tmp_path).load("reader")


def test_a_short_sentence_ends_before_a_long_one(pipeline: TapePipeline) -> None:
    batch = pipeline.batch([pipeline.prepare(TapeRequest(text)) for text in (SENTENCE, "The")])
    ended = [(batch.ended(0), batch.ended(1)) for _ in batch.steps()]
    assert [one for one, _ in ended].index(True) == 10
    assert [other for _, other in ended].index(True) == 1
