"""Words that are rare in the training texts are found, and no others."""

import gzip
import tracemalloc
from pathlib import Path

import pytest

from heed.models.catalogue import DEFAULT_DIRECTORY, Catalogue
from heed.models.checkpoint import KNOWN_WORDS, TARGET_WORDS, known_words_of, target_words_of
from heed.models.errors import CheckpointError
from heed.models.generation.translator import TextRequest
from heed.models.text.tokenizer import BytePieces
from heed.models.text.vocabulary import MAX_BYTES, KnownWords, TargetWords, plain_words
from heed.models.trace import TokenAxis
from tests.models.tiny import change, write_tiny

KNOWN = KnownWords(plain_words("I don't like the café on the left. L'homme lives there."))


def read(text: str) -> TokenAxis:
    return BytePieces.characters().encode(text)


def rare_words(text: str) -> list[str]:
    axis = read(text)
    return [axis.words[place].text for place in KNOWN.rare_words(axis)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I like the café.", []),
        ("i LIKE the Cafe", []),
        ("I don’t like spinach, Spinach or kale!", ["spinach", "Spinach", "or", "kale"]),
        ("l'homme", []),
        ("the 3rd of 1992 x +", ["of"]),
    ],
    ids=["known", "as people type", "strange", "elided", "neither figures nor single letters"],
)
def test_words_are_compared_as_people_may_type_them(text: str, found: list[str]) -> None:
    assert rare_words(text) == found


def test_an_ignored_word_is_not_rare() -> None:
    axis = read("the spinach")
    unread = TokenAxis(axis.text, axis.tokens[:3], axis.words, axis.merge)
    assert KNOWN.rare_words(axis) == (1,)
    assert KNOWN.rare_words(unread) == ()


def test_the_same_words_are_the_same_file(tmp_path: Path) -> None:
    KNOWN.save(tmp_path / "one")
    KnownWords.load(tmp_path / "one").save(tmp_path / "two")
    assert KnownWords.load(tmp_path / "two").words == KNOWN.words
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_they_may_lie_with_a_sibling_or_nowhere(tmp_path: Path) -> None:
    one, other = write_tiny(tmp_path / "one"), write_tiny(tmp_path / "other")
    assert known_words_of(one) is None
    [trace] = Catalogue(tmp_path).load("one").run([TextRequest("the day")])
    assert isinstance(trace.source, TokenAxis)
    assert trace.source.rare_words is None
    KNOWN.save(other / KNOWN_WORDS)
    change(one, known_words="other")
    kept = known_words_of(one)
    assert kept is not None
    assert kept.words == KNOWN.words
    assert known_words_of(other) is kept, "in memory once"
    [trace] = Catalogue(tmp_path).load("one").run([TextRequest("the day")])
    assert isinstance(trace.source, TokenAxis)
    assert trace.source.rare_words == (1,)


PACKED = gzip.compress(b"words " * 99)


@pytest.mark.parametrize(
    "content",
    [
        b"words",
        PACKED[:3],
        PACKED[:-9],
        PACKED[:12] + b"????" + PACKED[16:],
        gzip.compress(b"\xff"),
    ],
    ids=["plain", "header alone", "cut off", "damaged", "no text"],
)
def test_a_broken_file_is_an_error(tmp_path: Path, content: bytes) -> None:
    (tmp_path / KNOWN_WORDS).write_bytes(content)
    with pytest.raises(CheckpointError, match="cannot be read"):
        KnownWords.load(tmp_path / KNOWN_WORDS)


def test_a_small_file_of_very_many_words_is_refused(tmp_path: Path) -> None:
    (tmp_path / KNOWN_WORDS).write_bytes(gzip.compress(b"a " * MAX_BYTES))
    with pytest.raises(CheckpointError, match="more than 16,777,216 bytes"):
        KnownWords.load(tmp_path / KNOWN_WORDS)


def test_every_translator_of_sentences_has_known_words() -> None:
    for card in Catalogue(DEFAULT_DIRECTORY).cards.values():
        known = known_words_of(DEFAULT_DIRECTORY / card.id)
        assert (known is not None) == (card.task == "translate"), card.id
        if known:
            common = {"en": "house", "de": "haus"}[card.source.code]
            assert common in known.words
            assert "zorblax" not in known.words


@pytest.mark.parametrize(
    ("written", "source", "found"),
    [
        ("Le chat a mangé.", "The cat ate.", []),
        ("LE CHAT L’a mangé", "The cat ate it.", []),
        ("Le chat a mange l'automie.", "The cat ate.", ["mange", "automie"]),
        ("Le zorblax a mangé le Zórblax.", "The Zorblax ate it.", []),
        ("a 3x 1992", "x", []),
    ],
    ids=["of the language", "in other letters", "made up", "copied", "no words"],
)
def test_a_written_word_is_made_up_if_neither_the_language_nor_the_input_has_it(
    written: str, source: str, found: list[str]
) -> None:
    words = TargetWords(["le", "chat", "mangé", "la"])
    axis = read(written)
    unknown = words.unknown_words(axis, read(source))
    assert [axis.words[place].text for place in unknown.made_up] == found


def test_a_written_word_of_the_input_that_the_language_has_not_is_copied() -> None:
    axis = read("Le zorblax a mangé le chat.")
    unknown = TargetWords(["le", "chat", "mangé"]).unknown_words(axis, read("The Zorblax chat"))
    assert unknown == ((), (1,))


def test_the_words_of_a_language_lie_beside_the_models(tmp_path: Path) -> None:
    model = write_tiny(tmp_path / "one")
    (tmp_path / TARGET_WORDS).mkdir()
    TargetWords(["chat"]).save(tmp_path / TARGET_WORDS / "fr.txt.gz")
    found = target_words_of(model, "fr")
    assert found is not None
    assert found.words == {"chat"}
    assert target_words_of(model, "fr") is found, "once in memory"
    for language in ("xx", "../target-words/fr", ""):
        assert target_words_of(model, language) is None


def test_an_output_says_which_of_its_words_are_made_up() -> None:
    translator = Catalogue(DEFAULT_DIRECTORY).load("en-fr-additive")
    text = "Moss covered the crumbling turquoise zorblax."
    own, forced = (
        translator.run([TextRequest(text, target=target)])[0]
        for target in (None, "Le zorblax automie.")
    )
    for trace in (own, forced):
        assert isinstance(trace.output.target, TokenAxis)
    for name in ("unknown_words", "copied_words"):
        assert getattr(own.output.tokens, name) is not None
        assert getattr(forced.output.tokens, name) is None, "the person wrote it"


def test_a_very_long_word_takes_no_memory_for_every_word_of_the_list() -> None:
    words = TargetWords(f"word{number}" for number in range(20_000))
    tracemalloc.start()
    try:
        assert "a" * 3_000 not in words
        assert tracemalloc.get_traced_memory()[1] < 100_000
    finally:
        tracemalloc.stop()
    assert "word7" in words
    assert "word70000" not in words
