"""The log of the operations of a run: which there are, and that they leave the run as it is."""

from __future__ import annotations

from collections import Counter

import pytest

from heed.models.catalogue import Catalogue
from heed.models.errors import InputError
from heed.models.generation.requests import TextRequest
from heed.models.generation.timed import TimedRun

REQUEST = TextRequest("The white house belongs to my old friend.")
CATALOGUE = Catalogue()


@pytest.mark.parametrize("model", ["en-fr-additive", "en-fr-dot", "en-fr-none"])
def test_a_recurrent_model_logs_every_word_and_every_part_of_a_step(model: str) -> None:
    timed, pipeline = TimedRun(), CATALOGUE.load(model)
    (trace,) = timed.through(pipeline).run([REQUEST])
    (plain,) = pipeline.run([REQUEST])
    assert trace.text == plain.text
    read, steps = len(trace.source), len(trace.output.steps)
    expected = {"forwards": read, "backwards": read, "update": steps, "output": steps}
    if model != "en-fr-none":
        expected["attention"] = steps
    operations = timed.log.operations
    assert Counter(operation.kind for operation in operations) == expected
    assert [operation.place for operation in operations if operation.kind == "backwards"] == [
        *range(read)
    ][::-1]
    assert all(operation.began <= operation.ended for operation in operations)


def test_a_transformer_logs_its_layers_and_not_its_words() -> None:
    timed = TimedRun()
    (trace,) = timed.through(CATALOGUE.load("en-fr-transformer")).run([REQUEST])
    layers, steps = 3, len(trace.output.steps)
    assert Counter(operation.kind for operation in timed.log.operations) == {
        "self": layers + layers * steps,
        "cross": layers * steps,
        "feed-forward": layers + layers * steps,
        "output": steps,
    }
    assert {operation.place for operation in timed.log.operations} == set(range(layers))


def test_a_log_that_is_full_keeps_its_first_operations() -> None:
    timed = TimedRun()
    timed.log.numbers[1] = 5
    one_thread = Catalogue().load("en-fr-additive", threads=1)  # two read both directions at once
    timed.through(one_thread).run([REQUEST])
    assert [operation.kind for operation in timed.log.operations[:5]] == ["forwards"] * 5
    assert not timed.log.numbers[2 + 5 * 4 :].any()


def test_a_model_that_writes_no_tokens_has_no_timeline() -> None:
    with pytest.raises(InputError, match="no timeline"):
        TimedRun().through(CATALOGUE.load("read-lstmn"))
