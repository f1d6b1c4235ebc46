"""Words and phrases, cut out of translated sentences."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from heed.models.text.tokenizer import BytePieces
from tests.training.text.test_task import own_sentences, translator  # noqa: F401 - a fixture
from training.text.data.corpora import Corpus, SourceNoise, phrasebook
from training.text.data.phrase_pairs import Sentence, cut, load_phrase_pairs, phrases_of
from training.text.data.word_lists.names import contains_name
from training.text.datasets import SentenceDataset, build_dataset, named_pairs, short_texts

CHARACTERS = BytePieces.characters(lowercase=False)
NOUNS = {"cat": "chat", "dog": "chien", "bird": "canard", "house": "toit", "Tom": "Tom"}
COLOURS = {"black": "noir", "white": "blanc", "green": "vert"}


@pytest.fixture(scope="module")
def pairs() -> list[tuple[str, str]]:
    """Sentences of a small language, in which adjectives stand behind what they belong to."""
    random, made = Random(1), []
    for _ in range(400):
        one, other = random.sample(sorted(NOUNS), 2)
        shade = random.choice(sorted(COLOURS))
        source = f"The {one} sees the {shade} {other}."
        made.append((source, f"Le {NOUNS[one]} voit le {NOUNS[other]} {COLOURS[shade]}."))
    return made


def test_words_and_phrases_are_found_with_their_translations(pairs: list[tuple[str, str]]) -> None:
    phrases = dict(phrases_of(pairs, CHARACTERS))
    assert phrases.items() >= {"cat": "chat", "dog": "chien", "sees": "voit", "Tom": "Tom"}.items()
    assert phrases["white cat"] == "chat blanc"
    assert phrases["the white cat"] == "le chat blanc"
    assert not [text for text in phrases if "." in text]
    assert not [text for text in phrases if text.endswith((" the", " white"))], "these go on"


def sentence(text: str) -> Sentence:
    words = [word for word in CHARACTERS.encode(text, "sum").words if not word.special]
    return Sentence(text, words, [word.text.lower() for word in words])


def test_a_phrase_is_linked_to_no_word_outside() -> None:
    links = np.array([[1, 0, 0], [0, 0, 1], [0, 1, 0]], np.float32)  # two change places
    phrases = set(cut(links, sentence("a b c"), sentence("x z y")))
    assert phrases == {("a", "x"), ("b", "y"), ("c", "z"), ("b c", "z y"), ("a b c", "x z y")}


def test_parts_of_words_are_no_words() -> None:
    phrases = set(cut(np.eye(3, dtype=np.float32), sentence("it's red"), sentence("il est rouge")))
    assert phrases == {("it's", "il est"), ("red", "rouge"), ("it's red", "il est rouge")}
    phrases = set(
        cut(np.eye(3, dtype=np.float32), sentence("the red man"), sentence("l'homme roux"))
    )
    assert ("the", "l'") not in phrases
    assert ("the red", "l'homme") in phrases


def test_they_are_made_once_and_kept_and_begin_texts_as_well(
    pairs: list[tuple[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = load_phrase_pairs(pairs, CHARACTERS, tmp_path / "kept.tsv")
    assert made.count(("cat", "chat")) == made.count(("Cat", "Chat")) == 3
    assert made.count(("the white cat", "le chat blanc")) == 1
    assert made.count(("Tom", "Tom")) == 3
    monkeypatch.setattr("training.text.data.phrase_pairs.phrases_of", None)
    assert load_phrase_pairs([], CHARACTERS, tmp_path / "kept.tsv") == made


def test_short_texts_are_gone_through_more_often(
    pairs: list[tuple[str, str]], tmp_path: Path
) -> None:
    short = [("Hello!", "Salut !"), ("How are you?", "Comment ça va ?")]
    more = short_texts(Corpus(("en", "fr"), short=3), [*pairs, *short], CHARACTERS, tmp_path)
    assert sorted(more) == sorted(short * 3)
    both = Corpus(("en", "fr"), phrase_pairs=2)
    twice = short_texts(both, pairs, CHARACTERS, tmp_path)
    assert twice == load_phrase_pairs([], CHARACTERS, tmp_path / "phrase_pairs" / "en-fr.tsv") * 2


def test_what_people_say_first_is_there_for_all_languages(tmp_path: Path) -> None:
    for pair in itertools.permutations(("en", "fr", "de", "es"), 2):
        phrases = phrasebook(pair)
        assert len(phrases) > 150
        assert all(source and target for source, target in phrases)
    phrases = phrasebook(("en", "fr"))
    assert {("Hello", "Bonjour"), ("hello", "bonjour"), ("Hello.", "Bonjour.")} <= set(phrases)
    assert ("how are you?", "Comment allez-vous ?") in phrases
    assert short_texts(Corpus(("en", "fr"), phrasebook=2), [], CHARACTERS, tmp_path) == phrases * 2


def test_a_recipe_can_ask_for_them(own_sentences: Path) -> None:  # noqa: F811
    recipe = translator()
    assert recipe.corpus is not None
    plain = build_dataset(recipe, own_sentences, own_sentences / "runs")
    recipe = replace(recipe, corpus=replace(recipe.corpus, short=2, phrase_pairs=1))
    made = build_dataset(recipe, own_sentences, own_sentences / "runs")
    assert isinstance(plain, SentenceDataset)
    assert isinstance(made, SentenceDataset)
    assert len(made.train) > len(plain.train)
    assert list(made.dev()) == list(plain.dev())
    assert (own_sentences / "runs" / "phrase_pairs" / "en-fr.tsv").exists()


def test_sentences_that_name_somebody_come_back_under_other_names(own_sentences: Path) -> None:  # noqa: F811
    with (own_sentences / "own.tsv").open("a") as file:
        file.write("Tom\tTom\n")
    recipe = translator()
    assert recipe.corpus is not None
    recipe = replace(recipe, corpus=replace(recipe.corpus, named=20), source_noise=SourceNoise())
    made = build_dataset(recipe, own_sentences, own_sentences / "runs")
    assert isinstance(made, SentenceDataset)
    epoch = list(itertools.islice(made.stream(1), len(made.train) + 20))
    phrases = [made.tokenizer.written(ids).text for ids, _ in epoch]
    assert phrases.count("Tom") == 1
    others = [text for text in phrases if not text.startswith(("a ", "Tom"))]
    assert len(set(others)) > 15
    assert sum(here == there for here, there in epoch) == 21, "the same name on both sides"


def test_so_do_the_lines_of_the_phrasebook_that_name_somebody() -> None:
    somebody, nobody = ("Tom left.", "Tom est parti."), ("I left.", "Je suis parti.")
    corpus = Corpus(("en", "fr"), named=2, phrasebook=3)
    made = named_pairs(corpus, [somebody, nobody])
    assert made.count(somebody) == 2
    assert made.count(("Tom's car", "La voiture de Tom")) == 3
    assert nobody not in made
    assert all(contains_name(pair) for pair in made)
    assert named_pairs(replace(corpus, named=0), [somebody]) == []
