"""Errors of a text speak of words, as the person does who typed it."""

import pytest

from heed.models.catalogue import DEFAULT_DIRECTORY, Catalogue
from heed.models.errors import InputError
from heed.models.text.checks import check_text, nothing_written, too_long

CARD = Catalogue(DEFAULT_DIRECTORY).cards["dates-additive"]


@pytest.mark.parametrize(
    ("text", "length", "over"),
    [
        ("a b c d e f g h i j", 12, "2 words"),
        ("a b c d e f g h i j", 11, "1 word"),
        ("abcdefgh", 11, "1 piece"),
        ("abcdefgh", 40, "30 pieces"),
    ],
)
def test_a_text_is_too_long_by_words_or_if_it_is_one_by_its_pieces(
    text: str, length: int, over: str
) -> None:
    error = too_long(CARD, text, "text", length, 10, "pieces")
    assert error.code == "text_too_long"
    assert error.message == f"Too long by about {over}: {CARD.name} takes at most 10 pieces."


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("text", "a sentence"),
        ("target", "an output"),
        ("question", "a question"),
        ("story", "a story"),
    ],
)
def test_an_empty_field_is_called_as_a_person_calls_it(name: str, called: str) -> None:
    assert nothing_written(name).message == f"Write {called} first."


@pytest.mark.parametrize(
    ("text", "code"),
    [("", "empty_text"), ("\ud800", "invalid_text"), ("a " * 9_999, "text_too_long")],
)
def test_a_text_is_checked_before_it_is_read(text: str, code: str) -> None:
    check_text(CARD, "3 may 1979", "text")
    with pytest.raises(InputError) as caught:
        check_text(CARD, text, "text")
    assert caught.value.code == code
