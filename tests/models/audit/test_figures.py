"""The figures on demand: against loops by hand, enumeration, and runs of changed photos."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heed.models.audit import orders
from heed.models.audit import rewritten as rewriting
from heed.models.audit.choices import AuditChoices, in_words
from heed.models.audit.curves import FRACTIONS, Curves, area, blurred, mean_colour
from heed.models.audit.figure_verdicts import verdict_of
from heed.models.audit.figures import run_of
from heed.models.audit.order_search import sets_of
from heed.models.audit.rewritten import changed_words
from heed.models.catalogue import Catalogue
from heed.models.edits.operations import Block
from heed.models.errors import InputError
from heed.models.generation.requests import PictureRequest, TextRequest
from heed.models.generation.search import Plan
from heed.models.text.tokenizer import END
from heed.models.trace import SearchRequest
from tests.models.audit.test_audit import (
    CLOSE,
    FAMILIES,
    PICTURE,
    ByHand,
    without,
)
from tests.models.tiny import write_tiny, write_tiny_captioners

TEXT, TARGET = "14 july", "1789"


def figure_of(pipeline: Any, request: Any, **choices: Any) -> Any:
    """Run a figure to its end."""
    run = run_of(pipeline, pipeline.prepare(request), AuditChoices(**{"seeds": 2, **choices}))
    figure = run.finished()
    assert run.rows <= run.total
    return figure


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("other", ["1812", "19", "17890"])
def test_a_contrast_is_the_difference_of_two_effects(
    family: str, other: str, tmp_path: Path
) -> None:
    write_tiny(tmp_path / "model", FAMILIES[family])
    pipeline: Any = Catalogue(tmp_path, runtime="native").load("model")
    contrast = figure_of(pipeline, TextRequest(TEXT, TARGET), figure="contrast", row=2, other=other)
    network = Catalogue(tmp_path, runtime="torch").load("model").runtime._network  # type: ignore[attr-defined]
    source = [token.id for token in contrast.trace.source.tokens]
    written, theirs = (
        [token.id for token in pipeline.tokenizer.encode(text).tokens][:-1]
        for text in (TARGET, other)
    )
    shared = next(
        (at for at, both in enumerate(zip(written, theirs, strict=False)) if both[0] != both[1]), 4
    )
    assert (contrast.word, contrast.row, contrast.parts_at) == (TARGET, 0, shared)
    assert not contrast.costs[:shared].any()  # exactly
    hands = [ByHand(network, source, tokens) for tokens in (written, theirs)]
    for row in range(shared, len(contrast.costs)):
        for key in (0, 3):
            wanted = sum(
                sign * (hand.log_probability(row) - hand.log_probability(row, without([key])))
                for sign, hand in zip((1, -1), hands, strict=True)
                if row < len(hand.target)
            )
            assert contrast.costs[row, key] == pytest.approx(wanted, abs=CLOSE)
    for logs, hand in zip(contrast.log_probabilities, hands, strict=True):
        whole = sum(hand.log_probability(row) for row in range(len(hand.target)))
        assert logs == pytest.approx(whole, abs=CLOSE)
    assert f"“{TARGET}”" in verdict_of(contrast)[0]


def test_a_contrast_of_a_word_with_itself_is_exactly_nothing(tmp_path: Path) -> None:
    write_tiny(tmp_path / "model", FAMILIES["recurrent"])
    pipeline: Any = Catalogue(tmp_path, runtime="native").load("model")
    same = figure_of(pipeline, TextRequest(TEXT, TARGET), figure="contrast", row=0, other=TARGET)
    assert not same.costs.any()
    with pytest.raises(InputError, match="another word"):
        figure_of(pipeline, TextRequest(TEXT, TARGET), figure="contrast", row=0)
    with pytest.raises(InputError, match="give `row`"):
        figure_of(pipeline, TextRequest(TEXT, TARGET), figure="contrast", other="a")


def greedily(network: Any, source: list[int], longest: int) -> list[int]:
    """Write the likeliest tokens one by one, the first of which is not the end."""
    hand = ByHand(network, source, [])
    written: list[int] = []
    while len(written) < longest and END not in written:
        hand.target = [*written, END]
        chances = hand.distribution(len(written)).clone()
        if not written:
            chances[END - 2] = -np.inf
        written.append(int(chances.argmax()) + 2)
    return written


@pytest.mark.parametrize("unit", ["edge", "word"])
def test_an_output_is_rewritten_without_each_word(unit: str, tmp_path: Path) -> None:
    write_tiny(tmp_path / "model", FAMILIES["recurrent"])
    pipeline: Any = Catalogue(tmp_path, runtime="native").load("model")
    rewritten = figure_of(pipeline, TextRequest("14 july 8"), figure="rewritten", unit=unit)
    assert [output.word for output in rewritten.outputs] == [0, 1, 2]
    network = Catalogue(tmp_path, runtime="torch").load("model").runtime._network  # type: ignore[attr-defined]
    longest, source = pipeline.card.limits.steps, rewritten.trace.source
    for output in rewritten.outputs:
        keys = [at for at, token in enumerate(source.tokens) if token.word == output.word]
        if unit == "edge":
            edited = TextRequest("14 july 8", edits=(Block(keys=keys),))
            assert output.text == pipeline.run([edited])[0].text
        else:
            left = [token.id for at, token in enumerate(source.tokens) if at not in keys]
            written = pipeline.tokenizer.written(greedily(network, left, longest))
            assert output.text == written.text
    words = in_words(rewritten.choices, 1, 1, forced=False)
    assert words.question.startswith("A key" if unit == "edge" else "A word")
    assert "rewritten" in words.words


def test_outputs_are_rewritten_some_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_tiny(tmp_path / "model", FAMILIES["recurrent"])
    pipeline: Any = Catalogue(tmp_path, runtime="native").load("model")
    request, encode, rows = TextRequest("14 july 8"), pipeline.runtime.encode, []

    def counted(sources: Any, *options: Any) -> Any:
        rows.append(len(sources))
        return encode(sources, *options)

    monkeypatch.setattr(pipeline.runtime, "encode", counted)
    searched: list[Sequence[Plan]] = []
    write = rewriting.search

    def noted(runtime: Any, state: Any, plans: Sequence[Plan], lengths: Any) -> Any:
        searched.append(plans)
        return write(runtime, state, plans, lengths)

    monkeypatch.setattr(rewriting, "search", noted)
    together = figure_of(pipeline, request, figure="rewritten")
    assert not any(plan.recorded for plans in searched for plan in plans)  # no map is kept
    most = max(sum(plan.width * plan.longest for plan in plans) for plans in searched)
    assert most <= rewriting.MOST_AT_ONCE
    monkeypatch.setattr(rewriting, "MOST_AT_ONCE", 1)
    alone = figure_of(pipeline, request, figure="rewritten")
    assert alone.outputs == together.outputs
    assert rows == [1, 1, 3, 1, 1, 1, 1, 1]  # the run, the usual output, and those without a word


def test_of_a_picture_a_cell_is_taken_from_every_row_whatever_is_asked(tmp_path: Path) -> None:
    root = write_tiny_captioners(tmp_path)
    pipeline: Any = Catalogue(root, runtime="native").load("caption-soft")
    request = PictureRequest(PICTURE, target="may")
    rewritten = figure_of(pipeline, request, figure="rewritten", unit="word")
    assert (rewritten.choices.unit, len(rewritten.outputs)) == ("edge", 196)


def test_a_short_target_makes_no_rewriting_cheaper(tmp_path: Path) -> None:
    write_tiny(tmp_path / "model", FAMILIES["recurrent"])
    pipeline: Any = Catalogue(tmp_path, runtime="native").load("model")
    beam = SearchRequest("beam", 3)
    free, forced = (
        run_of(
            pipeline,
            pipeline.prepare(TextRequest(TEXT, target, beam)),
            AuditChoices(figure="rewritten"),
        )
        for target in (None, "1")
    )
    assert free.total == forced.total


def test_changed_words_are_counted_once() -> None:
    assert changed_words(["a", "b", "c"], ["a", "c"]) == 1
    assert changed_words(["a", "b", "c"], ["x", "b", "y", "c"]) == 2
    assert changed_words([], ["a"]) == 1
    assert changed_words(["a"], ["a"]) == 0


def test_a_beam_never_finds_more_than_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_tiny(tmp_path / "model", FAMILIES["recurrent"])
    pipeline: Any = Catalogue(tmp_path, runtime="native").load("model")
    request = TextRequest("14 july 8", TARGET)
    exact = figure_of(pipeline, request, figure="orders", row=2, seeds=5)
    monkeypatch.setattr(orders, "MOST_EXACT", 4)
    beam = figure_of(pipeline, request, figure="orders", row=2, seeds=5)
    assert (exact.exact, beam.exact) == (True, False)
    room = exact.orders.bounds.greatest - exact.orders.bounds.least
    for bound, sign in (("least", 1), ("greatest", -1)):
        ours, theirs = (getattr(one.orders.bounds, bound) for one in (beam, exact))
        assert -1e-9 <= sign * (ours - theirs) < 0.1 * room
    assert beam.rows < exact.rows
    assert beam.orders.attention.taken == pytest.approx(exact.orders.attention.taken, abs=CLOSE)
    for score in (beam.orders.attention, beam.orders.effects):
        assert 0 <= score.comprehensiveness <= 1
        assert 0 <= score.sufficiency <= 1
    assert "estimated by beam search" in verdict_of(beam)[0]
    assert "estimated" not in verdict_of(exact)[0]
    assert beam.rows <= sets_of(9, 5)


def painted(pixels: Any, hidden: Any, cells: list[int]) -> Any:
    """Return pixels whose cells of 16 × 16 are those of another photo."""
    made = pixels.copy()
    for cell in cells:
        for y in range(16):
            for x in range(16):
                at = 16 * (cell // 14) + y, 16 * (cell % 14) + x
                made[at] = hidden[at]
    return made


def test_curves_are_those_of_changed_photos_and_blocked_cells(tmp_path: Path) -> None:
    root = write_tiny_captioners(tmp_path)
    pipeline: Any = Catalogue(root, runtime="native").load("caption-soft")
    request = PictureRequest(PICTURE, target="may")
    curves: Curves = figure_of(pipeline, request, figure="curves", row=1)
    assert len(pipeline.runtime.features._cached) == 2  # of its own photo, and of another one
    assert curves.fractions[0] == 0
    assert curves.fractions[-1] == 1
    assert len(curves.fractions) == FRACTIONS
    assert [areas.way for areas in curves.areas] == ["keys", "blur", "mean"]
    ranked = np.argsort(-curves.trace.output.maps[0].weights[:3].mean(axis=0), kind="stable")
    count = round(curves.fractions[4] * 196)

    def logs(**changes: Any) -> float:
        """Return the log-probability of the word, in a run of its own."""
        [trace] = pipeline.run([replace(request, **changes)])
        return sum(step.log_probability for step in trace.output.steps[:3])

    ways = {way: next(one for one in curves.curves if one.way == way) for way in ("blur", "mean")}
    for way, hidden in (("blur", blurred(PICTURE.pixels)), ("mean", mean_colour(PICTURE.pixels))):
        gone, shown = ranked[:count].tolist(), ranked[count:].tolist()
        for curve, cells in ((ways[way].deletion, gone), (ways[way].insertion, shown)):
            photo = replace(PICTURE, pixels=painted(PICTURE.pixels, hidden, cells))
            assert curve[4] == pytest.approx(logs(picture=photo), abs=1e-4)
    keys = next(one for one in curves.curves if one.way == "keys")
    assert keys.deletion[0] == keys.insertion[-1] == pytest.approx(logs(), abs=CLOSE)
    assert keys.deletion[-1] == keys.insertion[0]
    blocked = [Block(queries=row, keys=[int(cell) for cell in ranked[:count]]) for row in range(3)]
    each_row = 0.0
    for row, edit in enumerate(blocked):
        [trace] = pipeline.run([replace(request, edits=(edit,))])
        each_row += trace.output.steps[row].log_probability
    assert keys.deletion[4] == pytest.approx(each_row, abs=1e-4)


def test_the_area_is_that_of_trapezoids_over_the_fractions_as_they_are() -> None:
    fractions, chances = [0.0, 0.25, 1.0], [1.0, 0.5, 0.1]
    wanted = 0.25 * (1.0 + 0.5) / 2 + 0.75 * (0.5 + 0.1) / 2
    assert area(fractions, np.log(chances).tolist()) == pytest.approx(wanted)


def test_curves_are_of_photos_alone(tmp_path: Path) -> None:
    write_tiny(tmp_path / "model", FAMILIES["recurrent"])
    pipeline: Any = Catalogue(tmp_path, runtime="native").load("model")
    with pytest.raises(InputError, match="of a photo"):
        figure_of(pipeline, TextRequest(TEXT, TARGET), figure="curves", row=0)
