"""Goals, and whether they are met."""

import pytest

from benchmarks.reach import Goal, report
from benchmarks.translators import Case, Cell


@pytest.mark.parametrize(
    ("goal", "met"),
    [
        (Goal("faster", 3.5, 3.5), True),
        (Goal("faster", 3.5, 3.4), False),
        (Goal("slower", 1.5, 1.5, at_least=False), True),
        (Goal("slower", 1.5, 1.6, at_least=False), False),
    ],
)
def test_a_goal_keeps_its_bound(goal: Goal, met: bool) -> None:
    assert goal.met is met


def test_the_report_says_what_is_not_met() -> None:
    text = report([Goal("ready to serve", 1, 2.5, at_least=False, unit=" s")])
    assert text.splitlines()[-1] == "| ready to serve | ≤ 1 s | 2.50 s | no |"


def test_others_are_held_against_ours_and_ours_against_the_limit() -> None:
    seconds = {"heed": [2e-3, 4e-3], "marian": [6e-3, 12e-3], "limit": [1e-3, 2e-3]}
    cell = Cell("a model", 1, Case(20, 1), seconds)
    assert (cell.over("marian"), cell.over_limit()) == (3, 2)
    assert cell.microseconds("heed") == 3000
