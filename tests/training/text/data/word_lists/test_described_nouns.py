"""Phrases of a noun with an adjective: agreement, order, and what is held out."""

from __future__ import annotations

from itertools import permutations

import pytest

from training.text.data.corpora import LANGUAGES
from training.text.data.word_lists.described_nouns import described_noun_tests, described_nouns

SAID = [
    ("A black cat", "Un chat noir", "Eine schwarze Katze", "Un gato negro"),
    ("a grey cow", "une vache grise", "eine graue Kuh", "una vaca gris"),
    ("a beautiful bird", "un bel oiseau", "ein schöner Vogel", "un pájaro bonito"),
    ("the old actress", "la vieille actrice", "die alte Schauspielerin", "la actriz vieja"),
    ("the strange hotel", "l'hôtel étrange", "das seltsame Hotel", "el hotel extraño"),
    (
        "This is an expensive car.",
        "C'est une voiture chère.",
        "Das ist ein teures Auto.",
        "Esto es un coche caro.",
    ),
]


@pytest.mark.parametrize("sentence", SAID, ids=[each[0] for each in SAID])
def test_articles_and_endings_follow_the_noun(sentence: tuple[str, ...]) -> None:
    for here, there in permutations(range(4), 2):
        pairs = described_nouns((LANGUAGES[here], LANGUAGES[there]))
        assert (sentence[here], sentence[there]) in pairs


@pytest.mark.parametrize("there", LANGUAGES[1:])
def test_what_is_tested_is_not_learned(there: str) -> None:
    learned = {source.lower().rstrip(".") for source, _ in described_nouns(("en", there))}
    tests = described_noun_tests(("en", there))
    assert len(tests) > 150
    assert not {test.source.indefinite for test in tests} & learned
    assert not {test.source.definite for test in tests} & learned
    for phrase in (phrase for test in tests for phrase in test):
        assert {phrase.adjective, phrase.noun} < {*phrase.indefinite.split()}
