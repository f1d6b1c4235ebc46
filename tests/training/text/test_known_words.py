"""What a model is familiar with is what it often reads, and what it is taught beside that."""

import gzip
from pathlib import Path

import pytest

from heed.models.checkpoint import KNOWN_WORDS
from heed.models.text.vocabulary import KnownWords
from training.text.data.corpora import SENTENCES, Corpus
from training.text.known_words import MIN_TEXTS, known_words, main

OFTEN_READ = [(f"The cat, cat {number}.", "Le chat.") for number in range(MIN_TEXTS)]


def test_a_word_of_four_texts_is_familiar_and_one_of_three_is_not() -> None:
    pairs = [*OFTEN_READ, *[("A dog dog dog dog.", f"Un chien {n}.") for n in range(MIN_TEXTS)]]
    pairs += [("The pig.", "Le porc.")] * MIN_TEXTS
    found = known_words(Corpus(("en", "fr")), {"own": pairs})
    assert found.words == {"the", "cat"}, "neither how often in a text, nor a text once more"
    assert known_words(Corpus(("en", "fr")), {"own": OFTEN_READ[1:]}).words == set()


def test_a_word_of_a_sentence_written_around_it_is_familiar_at_once() -> None:
    sets = {"words": [("The abbey.", "L'abbaye.")], "own": [("The pig.", "Le porc.")]}
    assert known_words(Corpus(("en", "fr"), words=1), sets).words == {"the", "abbey"}


@pytest.mark.parametrize(
    ("corpus", "word"),
    [
        (Corpus(("en", "fr"), phrasebook=1), "hello"),
        (Corpus(("de", "en"), lexicon=1), "norwegen"),
        (Corpus(("en", "de"), named=1), "olivia"),
        (Corpus(("fr", "es"), everyday=1), "abbaye"),
    ],
    ids=["phrasebook", "lexicon", "names", "everyday"],
)
def test_what_it_is_taught_is_familiar_too(corpus: Corpus, word: str) -> None:
    assert word in known_words(corpus, {}).words
    assert word not in known_words(Corpus(corpus.pair), {}).words


def test_it_is_written_beside_the_weights(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "tatoeba").mkdir()
    with gzip.open(tmp_path / "tatoeba/en-es.train.tsv.gz", "wt") as file:
        file.write("".join(f"A zebra {number}.\tUna cebra.\n" for number in range(MIN_TEXTS)))
    (tmp_path / "sentences").mkdir()
    for name in SENTENCES:
        path = tmp_path / f"sentences/{name}.train.tsv"
        path.write_text(f"A {name} okapi.\tUn okapi.\tEin Okapi.\tUn okapi.\n", "utf-8")
    (tmp_path / "en-es-additive").mkdir()
    folders = ["--data", str(tmp_path), "--weights", str(tmp_path)]
    assert main(["en-es-additive", *folders]) == 0
    words = KnownWords.load(tmp_path / "en-es-additive" / KNOWN_WORDS).words
    assert {"zebra", "okapi"} <= words
    assert capsys.readouterr().out == f"en-es-additive: {len(words)} words\n"


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("dates-dot", "reads no words"),
        ("nobody", "no recipe"),
        ("en-de-additive", "cannot be read"),
    ],
)
def test_what_cannot_be_done_is_said(
    model: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([model, "--data", str(tmp_path), "--weights", str(tmp_path)]) == 2
    assert said in capsys.readouterr().err
