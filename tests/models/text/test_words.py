"""Sentences are split into words and marks, which are looked up in lower case."""

from __future__ import annotations

from pathlib import Path

import pytest

from heed.models.errors import CheckpointError
from heed.models.text.words import UNKNOWN, WordVocabulary, build_vocabulary, split_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The keys are old.", ["The", "keys", "are", "old", "."]),
        ("Tom’s dog doesn't bark…", ["Tom", "’s", "dog", "doesn't", "bark", "…"]),
        ("a t-shirt, 3.50 or 12:30?!", ["a", "t-shirt", ",", "3.50", "or", "12:30", "?", "!"]),
        ("<b>bold</b>", ["<", "b", ">", "bold", "<", "/", "b", ">"]),
        ("I 👩‍👩‍👧 you_me", ["I", "👩‍👩‍👧", "you", "_", "me"]),
        ("Über 日本語 ...", ["Über", "日本語", "..."]),
        ("'s", ["'", "s"]),
        (" \n\t", []),
    ],
)
def test_words_and_marks_keep_their_places(text: str, words: list[str]) -> None:
    found = split_words(text)
    assert [each.text for each in found] == words
    assert [text[each.start : each.end] for each in found] == words


def test_a_word_is_known_in_any_case_and_with_any_apostrophe() -> None:
    vocabulary = WordVocabulary(("<padding>", "<unknown>", "<start>", "<end>", "Tom", "don't"))
    assert vocabulary.read("TOM don’t Mary") == [4, 5, UNKNOWN]
    assert vocabulary.ids_of(["<padding>"]) == [UNKNOWN]


def test_the_commonest_words_come_first_each_in_its_commonest_form() -> None:
    counts, forms = {"tom": 5, "the": 9, "a": 5, "rare": 1}, {"Tom": 3, "tom": 1, "the": 2}
    assert build_vocabulary(counts, forms, 7).words[4:] == ("the", "a", "Tom")


def test_a_vocabulary_is_read_as_it_was_saved(tmp_path: Path) -> None:
    vocabulary = WordVocabulary(("<padding>", "<unknown>", "<start>", "<end>", "…", "Tom"))
    vocabulary.save(tmp_path)
    assert WordVocabulary.load(tmp_path) == vocabulary
    with pytest.raises(CheckpointError, match="cannot be read"):
        WordVocabulary.load(tmp_path / "nowhere")
