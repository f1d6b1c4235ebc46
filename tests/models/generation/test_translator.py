"""Strings in, traces out."""

from pathlib import Path

import numpy as np
import pytest

from heed.models.catalogue import Catalogue
from heed.models.errors import InputError
from heed.models.generation.search import search
from heed.models.generation.translator import Progress, TextRequest, Translator
from heed.models.trace import SearchRequest, Trace

MODELS = ["tiny", "tiny-none", "tiny-lstm", "tiny-heads", "tiny-transformer"]
TEXTS = ["may 3", "a much longer line of text", "é"]


def one(translator: Translator, text: str, target: str | None = None, **request: object) -> Trace:
    search_request = SearchRequest(**request)  # type: ignore[arg-type]
    (trace,) = translator.run([TextRequest(text, target, search_request)])
    return trace


@pytest.mark.parametrize("model", MODELS)
def test_a_trace_has_a_map_per_head_and_a_step_per_token(tiny_models: Path, model: str) -> None:
    translator = Catalogue(tiny_models).load(model)
    trace = one(translator, "may 3")
    crossing = [m for m in trace.output.maps if m.kind == "cross"]
    assert len(crossing) == translator.card.heads * translator.card.layers
    for attention_map in crossing:
        assert attention_map.weights.shape == (len(trace.output.target), len("may 3") + 1)
    for attention_map in trace.output.maps:
        softmax = np.exp(attention_map.scores - attention_map.scores.max(axis=1, keepdims=True))
        softmax /= softmax.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(attention_map.weights, softmax, atol=1e-6)
    total = sum(step.log_probability for step in trace.output.steps)
    assert trace.output.log_probability == pytest.approx(total, abs=1e-6)
    assert trace.model.weights == translator.card.weights


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("kind", ["greedy", "beam", "sample"])
def test_a_text_gets_the_same_trace_alone_and_in_company(
    tiny_models: Path, model: str, kind: str
) -> None:
    translator = Catalogue(tiny_models).load(model)
    request = SearchRequest(kind, beam=3, seed=2)  # type: ignore[arg-type]
    together = translator.run([TextRequest(text, search=request) for text in TEXTS])
    for text, trace in zip(TEXTS, together, strict=True):
        (alone,) = translator.run([TextRequest(text, search=request)])
        assert alone.text == trace.text
        assert alone.memory is not None
        np.testing.assert_allclose(alone.memory, trace.memory, atol=1e-5)
        assert len(alone.runners_up) == len(trace.runners_up)
        for ours, theirs in zip(alone.output.maps, trace.output.maps, strict=True):
            np.testing.assert_allclose(ours.weights, theirs.weights, atol=1e-5)


def test_the_context_is_the_weighted_sum(tiny: Translator) -> None:
    trace = one(tiny, "may 3")
    memory = trace.memory
    assert memory is not None
    for row, step in zip(trace.output.maps[0].weights, trace.output.steps, strict=True):
        np.testing.assert_allclose(step.context, row @ memory, atol=1e-5)


def test_forced_decoding_writes_the_target(tiny: Translator) -> None:
    trace = one(tiny, "may 3", "05-3")
    assert trace.text == "05-3"
    assert trace.output.finish == "forced"
    assert trace.request.target == "05-3"


def test_a_beam_gives_its_other_hypotheses_with_their_own_maps(tiny: Translator) -> None:
    trace = one(tiny, "may 3", kind="beam", beam=4)
    outputs = [trace.output, *trace.runners_up]
    assert len(outputs) == 4
    assert [output.score for output in outputs] == sorted((o.score for o in outputs), reverse=True)
    for output in outputs:
        assert len(output.maps[0].weights) == len(output.target) == len(output.steps)


@pytest.mark.parametrize("kind", ["greedy", "beam"])
def test_progress_adds_up_to_the_trace(tiny: Translator, kind: str) -> None:
    reports: list[Progress] = []
    request = SearchRequest(kind, beam=3)  # type: ignore[arg-type]
    (trace,) = tiny.run([TextRequest("may 3", search=request)], on_progress=reports.append)
    ids: list[int] = []
    for progress in reports:
        fresh = [token.id for token in progress.output.target.tokens]
        assert fresh[: progress.since] == ids[: progress.since]
        ids = fresh
    if kind == "greedy":
        assert ids == [token.id for token in trace.output.target.tokens]
        assert [progress.since for progress in reports] == list(range(len(ids)))


def test_a_callback_between_steps_can_stop_the_run(tiny: Translator) -> None:
    calls = 0

    def stop() -> None:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        tiny.run([TextRequest("may 3")], between_steps=stop)
    assert calls == 2


def test_a_trace_can_be_run_again_from_itself(tiny: Translator) -> None:
    trace = one(tiny, "may 3", kind="sample", seed=9, temperature=1.3)
    request = trace.request
    (again,) = tiny.run([TextRequest(request.text, request.target, request.search)])
    assert again.text == trace.text
    assert again.output.log_probability == trace.output.log_probability


@pytest.mark.parametrize(
    ("text", "target", "code", "field"),
    [
        ("", None, "empty_text", "text"),
        (" \n\u00a0 ", None, "empty_text", "text"),
        ("a" * 30, None, "text_too_long", "text"),
        ("é" * 15, None, "text_too_long", "text"),
        ("a" * 41, None, "text_too_long", "text"),
        ("\ud800", None, "invalid_text", "text"),
        ("may", "", "empty_target", "target"),
        ("may", "12345678", "target_too_long", "target"),
        ("may", "\udfff", "invalid_text", "target"),
    ],
)
def test_an_invalid_request_is_refused(
    tiny: Translator, text: str, target: str | None, code: str, field: str
) -> None:
    with pytest.raises(InputError) as caught:
        tiny.check(TextRequest(text, target))
    assert (caught.value.code, caught.value.field) == (code, field)
    assert caught.value.message.endswith(".")


def test_the_longest_text_is_taken(tiny: Translator) -> None:
    trace = one(tiny, "a" * 29)
    assert len(trace.source) == 30
    assert len(trace.output.target) <= 8


def test_search_uses_only_the_two_calls_of_a_runtime() -> None:
    names = set(search.__code__.co_names)
    assert "torch" not in names
