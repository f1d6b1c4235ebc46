"""Answers about stories: every number of a trace follows from those before it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from heed.models.catalogue import Catalogue
from heed.models.errors import CheckpointError
from heed.models.families.memory.pipeline import StoryPipeline, StoryRequest
from heed.models.trace import HopAxis, SentenceAxis, Trace
from tests.models.tiny import ANSWERS, change, write_tiny_memory

STORY = "Mary went to the kitchen. The zebra picked up the ball.\nJohn went to the garden."
REQUEST = StoryRequest(STORY, "Where is the ball?")


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> StoryPipeline:
    root = tmp_path_factory.mktemp("memory")
    loaded = Catalogue(write_tiny_memory(root / "memory").parent).load("memory")
    assert isinstance(loaded, StoryPipeline)
    return loaded


@pytest.fixture(scope="module")
def trace(pipeline: StoryPipeline) -> Trace:
    (found,) = pipeline.run([REQUEST])
    return found


def test_rows_are_hops_and_columns_are_sentences(trace: Trace) -> None:
    assert isinstance(trace.source, SentenceAxis)
    assert [each.special for each in trace.source.sentences] == [True, False, False, False]
    assert trace.output.target == HopAxis(trace.text, 3)
    (attention,) = trace.output.maps
    assert attention.weights.shape == (3, 4)
    assert trace.text in ANSWERS


def test_a_score_is_query_times_key_and_the_context_the_weighted_sum_of_values(
    trace: Trace,
) -> None:
    (attention,) = trace.output.maps
    for hop, step in enumerate(trace.output.steps):
        assert step.keys is not None
        assert step.values is not None
        scores = np.array([step.query @ key for key in step.keys])
        assert attention.scores[hop] == pytest.approx(scores, abs=1e-4)
        weights = np.exp(scores - scores.max())
        assert attention.weights[hop] == pytest.approx(weights / weights.sum(), abs=1e-4)
        assert step.context == pytest.approx(attention.weights[hop] @ step.values, abs=1e-4)


def test_the_state_after_a_hop_is_the_next_query(trace: Trace) -> None:
    for before, after in zip(trace.output.steps, trace.output.steps[1:], strict=False):
        assert (before.state == after.query).all()
        assert before.values is not None
        assert after.keys is not None
        assert (before.values == after.keys).all()  # adjacent weight tying


def test_a_step_has_the_answers_at_its_hop(trace: Trace) -> None:
    last = trace.output.steps[-1]
    assert last.alternatives[0].text == trace.text
    assert np.exp(last.log_probability) == pytest.approx(last.alternatives[0].probability)
    for step in trace.output.steps:
        found = {each.text: each.probability for each in step.alternatives}
        if trace.text in found:
            assert np.exp(step.log_probability) == pytest.approx(found[trace.text])


def test_words_that_are_not_known_are_named(trace: Trace) -> None:
    assert isinstance(trace.source, SentenceAxis)
    assert [each.text for each in trace.source.unknown_words] == ["zebra"]
    assert trace.question is not None
    assert trace.question.rare_words == ()


def test_a_checkpoint_without_words_is_refused(tmp_path: Path) -> None:
    folder = write_tiny_memory(tmp_path / "memory")
    change(folder, words=None)
    with pytest.raises(CheckpointError, match="no words and answers"):
        Catalogue(tmp_path).load("memory")


def test_it_has_no_graphs(tmp_path: Path) -> None:
    write_tiny_memory(tmp_path / "memory")
    with pytest.raises(CheckpointError, match="not run as graphs"):
        Catalogue(tmp_path).export("memory")
