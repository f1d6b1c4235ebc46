"""Medians, ratios and tables."""

import pytest

from benchmarks.figures import ratio, shown, table, times


def test_a_ratio_is_taken_round_by_round() -> None:
    ours, theirs = [1.0, 10.0, 1.0], [2.0, 20.0, 5.0]  # the second round met a slow machine
    assert ratio(ours, theirs) == 2


@pytest.mark.parametrize(("ours", "theirs"), [([], []), ([1.0], [1.0, 2.0])])
def test_a_ratio_needs_the_same_rounds(ours: list[float], theirs: list[float]) -> None:
    with pytest.raises(ValueError, match="rounds"):
        ratio(ours, theirs)


@pytest.mark.parametrize(
    ("value", "text"), [(0.123, "0.12"), (12.34, "12.3"), (1234.5, "1,234"), (3.456, "3.46")]
)
def test_figures_have_three_digits(value: float, text: str) -> None:
    assert shown(value) == text


def test_a_ratio_says_that_it_is_one() -> None:
    assert times(2) == "2.00×"


def test_a_table_has_names_to_the_left_and_figures_to_the_right() -> None:
    assert table(["what", "ms"], [["one", "1.00"]]) == (
        "| what | ms |\n| --- | ---: |\n| one | 1.00 |"
    )


def test_a_table_is_refused_a_row_too_short() -> None:
    with pytest.raises(ValueError, match="cell"):
        table(["what", "ms"], [["one"]])
