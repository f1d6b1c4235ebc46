"""Plain sentences of rare words: articles, elisions, what stands before them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.training.text.data.test_phrase_pairs import CHARACTERS
from training.text.data.corpora import LANGUAGES, Corpus
from training.text.data.word_lists.lexicon import (
    LEXICON,
    lexicon_pairs,
    lexicon_tests,
    sentences,
)
from training.text.datasets import short_texts

SAID = [
    ("I live in Norway.", "J'habite en Norvège.", "Ich wohne in Norwegen.", "Vivo en Noruega."),
    ("I live in Brazil.", "J'habite au Brésil.", "Ich wohne in Brasilien.", "Vivo en Brasil."),
    ("I am from Egypt.", "Je viens d'Égypte.", "Ich komme aus Ägypten.", "Soy de Egipto."),
    ("I am from Turkey.", "Je viens de Turquie.", "Ich komme aus der Türkei.", "Soy de Turquía."),
    (
        "We went to Switzerland.",
        "Nous sommes allés en Suisse.",
        "Wir sind in die Schweiz gefahren.",
        "Fuimos a Suiza.",
    ),
    (
        "The capital of Peru is beautiful.",
        "La capitale du Pérou est belle.",
        "Die Hauptstadt von Peru ist schön.",
        "La capital de Perú es hermosa.",
    ),
    ("He comes from Athens.", "Il vient d'Athènes.", "Er kommt aus Athen.", "Él viene de Atenas."),
    ("sweden", "la Suède", "Schweden", "Suecia"),
    ("an owl", "un hibou", "eine Eule", "un búho"),
    ("The owl is here.", "Le hibou est ici.", "Die Eule ist hier.", "El búho está aquí."),
    (
        "Where is the elephant?",
        "Où est l'éléphant ?",
        "Wo ist der Elefant?",
        "¿Dónde está el elefante?",
    ),
    ("My goose is here.", "Mon oie est ici.", "Meine Gans ist hier.", "Mi ganso está aquí."),
    ("a unicorn", "une licorne", "ein Einhorn", "un unicornio"),
    ("He is an astronaut.", "Il est astronaute.", "Er ist Astronaut.", "Él es astronauta."),
    ("He is Irish.", "Il est irlandais.", "Er ist Ire.", "Él es irlandés."),
    (
        "The historian reads a book.",
        "L'historien lit un livre.",
        "Der Historiker liest ein Buch.",
        "El historiador lee un libro.",
    ),
    ("I like onions.", "J'aime les oignons.", "Ich mag Zwiebeln.", "Me gustan las cebollas."),
]


@pytest.mark.parametrize("sentence", SAID, ids=[said[0] for said in SAID])
def test_a_sentence_is_said_in_all_languages(sentence: tuple[str, str, str, str]) -> None:
    assert sentence in sentences()


def test_where_somebody_is_from_is_no_profession() -> None:
    said = {english for english, *_ in sentences()}
    assert "The Irish reads a book." not in said
    assert "He is a Irish." not in said


@pytest.mark.parametrize("there", LANGUAGES[1:])
def test_a_pair_of_languages_stands_source_first(there: str) -> None:
    pairs = lexicon_pairs(("en", there))
    assert lexicon_pairs((there, "en")) == [(target, source) for source, target in pairs]
    assert ("Iceland", {"fr": "L'Islande", "de": "Island", "es": "Islandia"}[there]) in pairs


def test_a_recipe_says_how_often_they_are_gone_through(tmp_path: Path) -> None:
    pair = ("en", "de")
    assert short_texts(Corpus(pair, lexicon=3), [], CHARACTERS, tmp_path) == lexicon_pairs(pair) * 3


def test_every_word_has_all_languages_and_stands_once() -> None:
    head, *rows = (line.split("\t") for line in LEXICON.read_text("utf-8").splitlines())
    assert head == ["kind", *LANGUAGES]
    assert all(len(row) == len(head) and all(map(str.strip, row)) for row in rows)
    assert len({(kind, english) for kind, english, *_ in rows}) == len(rows)


def test_sentences_are_tidy() -> None:
    for sentence in sentences():
        for text in sentence:
            assert text == " ".join(text.split())
            assert "' " not in text


@pytest.mark.parametrize("there", LANGUAGES[1:])
def test_what_is_asked_is_not_learned(there: str) -> None:
    asked, back = lexicon_tests(("en", there)), lexicon_tests((there, "en"))
    learned = {text for sentence in sentences() for text in sentence}
    assert not learned & {text for text, _ in [*asked, *back]}
    assert all(wanted in other for (_, wanted), (other, _) in zip(asked, back, strict=True))
    assert all(wanted in other for (_, wanted), (other, _) in zip(back, asked, strict=True))


def test_a_word_is_asked_for_where_it_stands() -> None:
    asked = dict(lexicon_tests(("en", "fr")))
    assert asked["My brother works in Brazil."] == "Brésil"
    assert asked["There was an elephant in the garden."] == "éléphant"
    assert asked["There are onions in the box."] == "oignons"
    assert asked["Our neighbor is a historian."] == "historien"
    assert dict(lexicon_tests(("de", "en")))["Im Garten war eine Gans."] == "goose"
