"""The generator of dates: what it writes means what it says, and the links point to it."""

import re
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.dates.generator import MONTHS, Example, draw, examples, held_out
from training.dates.number_words import Pen, ordinal_word, suffix

MANY = list(islice(examples(1), 4000))


def said(example: Example, place: int) -> str:
    return "".join(example.source[i] for i in sorted(example.links[place]))


def test_every_target_is_of_the_notation() -> None:
    notation = r"\d{4}-\d\d-\d\d|\d{4}-\d\d|\d{4}|--\d\d-\d\d|0|[1-9]\d{0,5}"
    for example in MANY:
        assert re.fullmatch(notation, example.target), example


def test_every_digit_is_linked_and_no_hyphen_is() -> None:
    for example in MANY:
        assert len(example.links) == len(example.target)
        for place, character in enumerate(example.target):
            assert bool(example.links[place]) == (character != "-"), example
            assert all(0 <= i < len(example.source) for i in example.links[place])


def test_a_figure_that_is_linked_alone_is_the_digit_itself() -> None:
    alone = 0
    for example in MANY:
        for place, character in enumerate(example.target):
            linked = said(example, place)
            if len(linked) == 1 and linked.isdigit() and linked != character:
                assert character == "0", example  # the zero left out of "3 may"
            alone += linked == character
    assert alone > 4000


def test_a_month_in_letters_is_linked_to_its_name() -> None:
    for example in MANY:
        if re.fullmatch(r"\d{4}-\d\d-\d\d", example.target):
            linked = said(example, 5)
            if linked.isalpha() and len(linked) > 4 and linked in MONTHS:
                assert MONTHS.index(linked) + 1 == int(example.target[5:7])


def test_dates_in_plain_iso_are_themselves() -> None:
    plain = [e for e in MANY if re.fullmatch(r"\d{4}-\d\d-\d\d", e.source)]
    assert plain
    assert all(example.source == example.target for example in plain)


def test_the_same_seed_gives_the_same_examples() -> None:
    assert list(islice(examples(7), 50)) == list(islice(examples(7), 50))
    assert list(islice(examples(7), 50)) != list(islice(examples(8), 50))


def test_training_and_test_share_no_target() -> None:
    tested = {example.target for example in islice(examples(1, test=True), 1000)}
    assert all(map(held_out, tested))
    assert not tested & {example.target for example in MANY}


def test_day_comes_before_month_unless_it_cannot_be_the_month() -> None:
    for example in MANY:
        if match := re.fullmatch(r"(\d\d?)/(\d\d?)/(\d{4})", example.source):
            first, second, year = map(int, match.groups())
            day, month = (second, first) if second > 12 else (first, second)
            assert example.target == f"{year}-{month:02}-{day:02}"


@pytest.mark.parametrize(
    ("number", "ending"), [(1, "st"), (2, "nd"), (3, "rd"), (11, "th"), (12, "th"), (23, "rd")]
)
def test_endings(number: int, ending: str) -> None:
    assert suffix(number) == ending


def test_ordinal_words() -> None:
    words = [ordinal_word(word) for word in ("one", "five", "eight", "twelve", "twenty", "ten")]
    assert words == ["first", "fifth", "eighth", "twelfth", "twentieth", "tenth"]


@given(st.integers(0, 2**31))
def test_any_seed_draws_an_example(seed: int) -> None:
    example = draw(Random(seed))
    assert example.source == example.source.strip()
    assert len(example.target) <= 10


def test_dates_are_written_in_many_ways() -> None:
    shapes = {re.sub(r"\d", "9", re.sub(r"[a-z]+", "a", example.source)) for example in MANY}
    assert len(shapes) > 400


def test_digits_nobody_said_are_heard_between_the_words() -> None:
    pen = Pen()
    pen.write("two", ("Y", 0))
    pen.write(" thousand and ")
    pen.write("nine", ("Y", 3))
    pen.fill("Y", 4, 0)
    assert pen.links["Y", 1] == pen.links["Y", 2] == set(range(len("two thousand and nine")))
