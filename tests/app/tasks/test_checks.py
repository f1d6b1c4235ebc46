from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heed.app.errors import FieldError
from heed.app.tasks.checks import INVISIBLE, check_text

BLANK = " \t\n\r\v\f\x00\x1b\x85\xa0\xad\u061c\u1680\u180e\u2003\u200b\u200d\u200e\u2028\u2060"
BLANK += "\u202f\u205f\u2800\u3000\u3164\u115f\ufe0f\ufeff\uffa0\U000e0001\U000e0020\U000e0101"


@pytest.mark.parametrize("sign", BLANK, ids=lambda sign: f"U+{ord(sign):04X}")
def test_a_text_without_visible_characters_is_blank(sign: str) -> None:
    for text in (sign, sign * 3, f" {sign} "):
        with pytest.raises(FieldError) as caught:
            check_text(text, "text")
        assert caught.value.code == "blank_text"
    assert check_text(f"{sign}a", "text") == f"{sign}a"


@pytest.mark.parametrize(
    "text", ["a", "۳", "日", "\N{GRINNING FACE}", ".", "ा", "\u0301", "\ue000"]
)
def test_a_text_with_a_visible_character_is_accepted(text: str) -> None:
    assert check_text(text, "text") == text


@given(st.text(st.characters(codec="utf-16", exclude_categories=["Cs"])))
def test_any_unicode_is_accepted_unchanged_or_blank(text: str) -> None:
    try:
        taken = check_text(text, "texts[0]")
    except FieldError as error:
        taken, code = None, error.code
    if taken is None:
        assert code == ("blank_text" if text else "empty_text")
        assert not any(sign.isalnum() for sign in text if sign not in INVISIBLE)
    else:
        assert taken == text


@pytest.mark.parametrize("value", [None, 1, 1.5, True, [], {}, ["a"]])
def test_only_a_string_is_a_text(value: object) -> None:
    with pytest.raises(FieldError) as caught:
        check_text(value, "texts[2]")
    assert caught.value.code == "wrong_type"
    assert "texts[2]" in caught.value.message


def test_an_unpaired_surrogate_is_refused() -> None:
    with pytest.raises(FieldError) as caught:
        check_text("a\ud800", "target", "target")
    assert caught.value.code == "invalid_text"
    assert caught.value.field == "target"
