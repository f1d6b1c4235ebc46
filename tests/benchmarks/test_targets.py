"""Targets, and whether they are met."""

from dataclasses import replace

import pytest

from benchmarks import edits, load, page, recording
from benchmarks.case import Case
from benchmarks.figures import Target, targets_table
from benchmarks.translators import Cell
from benchmarks.wrk import Load


@pytest.mark.parametrize(
    ("target", "met"),
    [
        (Target("faster", 3.5, 3.5), True),
        (Target("faster", 3.5, 3.4), False),
        (Target("slower", 1.5, 1.5, at_least=False), True),
        (Target("slower", 1.5, 1.6, at_least=False), False),
    ],
)
def test_a_target_is_met_up_to_its_bound(target: Target, met: bool) -> None:
    assert target.met is met


def test_the_table_says_which_target_is_missed() -> None:
    text = targets_table([Target("ready to serve", 1, 2.5, at_least=False, unit=" s")])
    assert text.splitlines()[-1] == "| ready to serve | ≤ 1 s | 2.50 s | no |"


def test_others_are_compared_with_heed_and_heed_with_the_limit() -> None:
    seconds = {"heed": [2e-3, 4e-3], "marian": [6e-3, 12e-3], "limit": [1e-3, 2e-3]}
    cell = Cell("a model", 1, Case(20, 1), seconds)
    assert (cell.over("marian"), cell.over_limit("limit")) == (3, 2)
    assert cell.microseconds("heed") == 3000


@pytest.mark.parametrize(("model_ms", "bound"), [(2.5, 1.35), (3.99, 1.35), (4, 1.15), (9, 1.15)])
def test_a_short_model_may_have_a_larger_overhead(model_ms: float, bound: float) -> None:
    assert load.overhead_bound(model_ms) == bound


@pytest.mark.parametrize(("model_ms", "met"), [(2.0, True), (5.0, False)])
def test_the_overhead_is_compared_with_the_bound_of_its_model(model_ms: float, met: bool) -> None:
    answer = Load(requests_per_second=100, p50=1.3 * model_ms, p99=2 * model_ms, failed=0)
    slow = {32: [replace(answer, requests_per_second=1)]}
    loads = {"heed": {1: [answer], 32: [answer]}, "eager": slow, "marian": slow}
    targets = load.targets(loads, [model_ms])
    (overhead,) = [target for target in targets if "1 client" in target.what]
    assert overhead.met is met


def test_the_table_of_loads_says_how_much_faster_heed_is_and_what_failed() -> None:
    answer = Load(requests_per_second=100, p50=10, p99=20, failed=0)
    slow = [replace(answer, requests_per_second=10, failed=3)]
    rows = load.report({"heed": {1: [answer]}, "eager": {1: slow}, "marian": {}}).splitlines()
    assert rows[2:] == [
        "| 1 | Heed | 100 | 10.0 | 20.0 |  |",
        "| 1 | eager PyTorch in the pool (3 failed) | 10.0 | 10.0 | 20.0 | 10.0× |",
    ]


def test_a_page_that_is_late_or_moves_misses_its_targets() -> None:
    kept = {what: bound - 1 for what, bound in page.BOUNDS.items()} | {"layout shift": 0.002}
    assert all(target.met for target in page.targets(kept))
    missed = {what: bound + 1 for what, bound in page.BOUNDS.items()} | {"layout shift": 0.02}
    assert not any(target.met for target in page.targets(missed))


def test_a_recorded_pass_is_bounded_by_one_of_eager() -> None:
    slow = {"eager": [1.0, 2.0, 1.0], "recorded": [1.2, 2.4, 1.3]}
    report = recording.report({"slow": slow, "quick": {"eager": [2.0], "recorded": [2.2]}})
    assert [target.met for target in report.targets] == [False, True]
    assert report.blocks["recording"].splitlines()[-1] == "| quick | 2,000 | 2,200 | 1.10× |"


def test_a_drag_has_bounds_for_its_answer_its_words_on_the_screen_and_nine_others() -> None:
    drags = {
        "en-fr-additive": {"plain": [0.01, 0.02], "edited": [0.02, 0.03]},
        "en-fr-transformer": {"plain": [0.01, 0.02], "edited": [0.03, 0.05]},
    }
    screens = {"en-fr-additive": 80.0, "en-fr-transformer": 101.0}
    first, *more = edits._targets(drags, 1.1, screens)
    assert [target.met for target in (first, *more)] == [True, False, True, False, True]
    assert first.found == pytest.approx(25)
    report = edits._report(drags, 1.1, screens)
    assert report.endswith("Nine others wait 1.10× as long while one drags.")
    assert "| recurrent | 15.0 | 25.0 | 1.75× | 80.0 |" in report
