"""Tokens keep their place in the user's own string, and nothing is ever unknown."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heed.models.text.tokenizer import (
    END,
    PAD,
    PLAIN,
    START,
    BytePieces,
    _any_words,
    whole_words,
    words_of,
)
from heed.models.trace import TokenAxis

CHARACTERS = BytePieces.characters(lowercase=True)
PIECES = BytePieces.train(
    ["The cat sat on the mat, didn't it? "] * 9 + ["L'homme et l'été étaient là. "] * 9, 400
)
SPACED = BytePieces(PIECES._tokenizer, spaced=True)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


def check_places(axis: TokenAxis, text: str) -> None:
    assert axis.text == text
    for token in axis.tokens:
        assert 0 <= token.start <= token.end <= len(text)
        assert token.special or token.text == text[token.start : token.end]
    for before, after in zip(axis.words, axis.words[1:], strict=False):
        assert before.end <= after.start
    for word in axis.words:
        assert word.special or text[word.start : word.end] == word.text
    words = [token.word for token in axis.tokens]
    assert words == sorted(words)
    assert axis.tokens[-1].id == END
    assert axis.tokens[-1].special
    assert axis.words[axis.tokens[-1].word].special


@settings(max_examples=300)
@given(text=TEXTS)
@pytest.mark.parametrize(
    "tokenizer", [CHARACTERS, PIECES, SPACED], ids=["characters", "pieces", "spaced"]
)
def test_any_string_has_tokens_in_their_places(tokenizer: BytePieces, text: str) -> None:
    for merge, ids in (("sum", tokenizer.read(text)), ("mean", tokenizer.ids(text))):
        axis = tokenizer.encode(text, merge)
        check_places(axis, text)
        assert ids == [token.id for token in axis.tokens]
        assert not {PAD, START} & set(ids)


@settings(max_examples=300)
@given(ids=st.lists(st.integers(3, 258), max_size=30), ended=st.booleans())
def test_whatever_a_model_writes_can_be_shown(ids: list[int], ended: bool) -> None:
    axis = CHARACTERS.written([*ids, END] if ended else ids)
    assert [token.id for token in axis.tokens] == ([*ids, END] if ended else ids)
    axis.text.encode()
    assert CHARACTERS.text([*ids, END]) == axis.text, "without the places"
    if ended:
        check_places(axis, axis.text)


@settings(max_examples=200)
@given(text=st.text("aàbé ß日本👩‍👧مرحبا'\"-.", max_size=40))
def test_what_is_read_can_be_written_again(text: str) -> None:
    tidy = " ".join(text.split())
    assert PIECES.written(PIECES.ids(text)).text == tidy.replace("’", "'")


def words(text: str) -> list[str]:
    return [word.text for word in CHARACTERS.encode(text).words if not word.special]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the 3rd of May, 1979", ["the", "3rd", "of", "May", ",", "1979"]),
        ("l'homme n'est pas là", ["l'", "homme", "n'", "est", "pas", "là"]),
        ("1979-05-03", ["1979", "-", "05", "-", "03"]),
        ("  a   b ", ["a", "b"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("e\u0301te\u0301 👍🏽", ["e\u0301te\u0301", "👍🏽"]),
        ("مرحبا بالعالم", ["مرحبا", "بالعالم"]),
    ],
)
def test_words_are_what_a_reader_calls_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_a_space_goes_with_the_word_behind_it() -> None:
    axis = CHARACTERS.encode("a bc")
    assert [(token.text, token.word) for token in axis.tokens[:-1]] == [
        ("a", 0),
        (" ", 1),
        ("b", 1),
        ("c", 1),
    ]


@pytest.mark.parametrize("text", ["cat", "  cat", "mat sat"])
def test_what_begins_small_can_have_the_pieces_it_has_within_a_text(text: str) -> None:
    first, *_ = SPACED.encode(text).tokens
    assert (first.text, text[first.start : first.end]) == (text.split()[0],) * 2
    assert PIECES.text([first.id]) == " " + first.text
    assert PIECES.encode(text).tokens[0].id != first.id
    written = SPACED.written(SPACED.ids(text))
    check_places(written, text.strip())
    assert written.text == SPACED.text(SPACED.ids(text)[:-1])
    assert SPACED.ids("The cat") == PIECES.ids("The cat")
    assert SPACED.ids("ж") == PIECES.ids("ж"), "no piece has a space and this"


def test_a_typed_mark_is_never_a_mark() -> None:
    for tokenizer in (CHARACTERS, PIECES):
        ids = tokenizer.ids("</s><s><pad>")[:-1]
        assert not {PAD, START, END} & set(ids)


def test_case_and_curly_quotes_are_folded_but_the_text_is_the_users_own() -> None:
    assert CHARACTERS.ids("MAY ’79") == CHARACTERS.ids("may '79")
    assert CHARACTERS.encode("MAY ’79").tokens[0].text == "M"


def test_a_broken_character_is_shown_by_its_bytes() -> None:
    first, second = CHARACTERS.ids("é")[:-1]
    assert CHARACTERS.text_of(first) == "‹C3›"
    broken = CHARACTERS.written([first, first, second])
    assert broken.text == "�é"
    assert [(token.start, token.end) for token in broken.tokens] == [(0, 1), (1, 2), (1, 2)]


def test_saved_and_loaded_it_is_the_same(tmp_path: Path) -> None:
    PIECES.save(tmp_path / "tokenizer.json")
    again = BytePieces.load(tmp_path / "tokenizer.json")
    assert again.ids("The cat's été") == PIECES.ids("The cat's été")
    assert json.loads((tmp_path / "tokenizer.json").read_text())["added_tokens"] == []
    assert len(again) == len(PIECES)


def test_plain_text_is_cut_into_the_same_words_by_the_short_way() -> None:
    plain = [chr(code) for code in range(0x110000) if PLAIN.fullmatch(chr(code))]
    assert len(plain) > 600
    for sign in plain:
        for text in (f"a{sign}b", f"{sign}1'{sign}", f" {sign}{sign}’s ", f"é'{sign}''x"):
            assert list(words_of(text)) == list(_any_words(text)), text


@pytest.mark.parametrize(
    "text", ["a\N{COMBINING ACUTE ACCENT}b", "a^b", "👍🏽x", "x\N{SOFT HYPHEN}y"]
)
def test_what_clings_is_not_cut_off_by_the_short_way(text: str) -> None:
    assert not PLAIN.fullmatch(text)
    assert list(words_of(text)) == list(_any_words(text))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I don't see John’s dog", ["I", "don't", "see", "John’s", "dog"]),
        ("l'homme qu'il a vu aujourd'hui", ["l'", "homme", "qu'", "il", "a", "vu", "aujourd'hui"]),
        ("dell'arte, dogs' 'n'", ["dell'", "arte", ",", "dogs'", "'", "n'"]),
    ],
)
def test_a_word_with_an_apostrophe_is_whole_but_for_an_elision(text: str, words: list[str]) -> None:
    assert [word.text for word in whole_words(text)] == words
    assert [word.text for word in BytePieces.characters().encode(text).words[:-1]] == words
