"""Measuring: BLEU, and attention against word links."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from heed.models.catalogue import Catalogue
from heed.models.text.tokenizer import BytePieces
from training.common.alignments import (
    Agreement,
    diagonal,
    error_rate,
    merge,
    read_links,
    spans,
    word_indices,
)
from training.dates.generator import Example
from training.dates.quality import counted, evaluate_dates
from training.evaluate import main
from training.text.data.corpora import Corpus, group_translations
from training.text.data.word_lists.described_nouns import described_noun_tests
from training.text.data.word_lists.lexicon import LexiconTest
from training.text.quality import translation as translation_quality
from training.text.quality.attention import (
    alignment_quality,
    link_described_noun,
    links_between,
)
from training.text.quality.translation import (
    names_kept,
    rare_words_quality,
    words_known,
)

ROW = {
    "set": "captions",
    "source_text": "A Group of men",
    "target_text": "Un groupe d'hommes",
    "source": ["a", "group", "of", "men"],
    "target": ["un", "groupe", "d'", "hommes"],
    "links": [[0, 0], [1, 1], [2, 2], [3, 3]],
}


@pytest.fixture
def links(tmp_path: Path) -> Path:
    gold = {key: ROW[key] for key in ("source", "target", "links")}
    path = tmp_path / "links.jsonl"
    path.write_text(f"{json.dumps(ROW)}\n{json.dumps(gold)}\n")
    return path


def test_links_are_read_with_their_places(links: Path) -> None:
    silver, gold = read_links(links)
    assert silver.target == ((0, 2), (3, 9), (10, 12), (12, 18))
    assert gold.target_text == "un groupe d' hommes"
    assert (silver.set, gold.set) == ("captions", "")


def test_a_word_missing_from_the_text_is_named() -> None:
    with pytest.raises(ValueError, match="'cat' is not in 'A dog'"):
        spans("A dog", ["a", "cat"])


def test_tokens_belong_to_the_word_they_share_most_with(links: Path) -> None:
    silver = next(read_links(links))
    axis = BytePieces.characters().encode(silver.target_text)
    expected = [0, 0, 4, 1, 1, 1, 1, 1, 1, 4, 2, 2, *[3] * 6, 4]
    assert word_indices(axis, silver.target) == expected


def test_what_is_read_is_summed_and_what_is_written_averaged(links: Path) -> None:
    silver = next(read_links(links))
    tokenizer = BytePieces.characters()
    source, target = tokenizer.encode(silver.source_text), tokenizer.encode(silver.target_text)
    weights = np.full((len(target), len(source)), 1 / len(source), dtype=np.float32)
    merged = merge(weights, source, target, silver)
    assert merged.shape == (4, 5)
    np.testing.assert_allclose(merged.sum(axis=1), 1, atol=1e-6)
    np.testing.assert_allclose(merged[0, :4] * len(source), [1, 5, 2, 3], atol=1e-5)


def test_agreement_counts_linked_words_only(links: Path) -> None:
    silver = next(read_links(links))
    agreement = Agreement()
    agreement.add(diagonal(silver), silver.links)
    agreement.add(diagonal(silver)[::-1], frozenset({(0, 0), (1, 0), (3, 3)}))
    assert (agreement.linked, agreement.agreed) == (6, 4)
    assert error_rate(diagonal(silver), silver.links) == (4, 8)


def test_a_translator_is_held_against_links(links: Path) -> None:
    quality = alignment_quality(Catalogue().load("dates-additive"), list(read_links(links))[:1])
    assert quality == ({}, (0, 0))  # the target is longer than this model writes


def test_an_adjective_is_linked_to_its_own_word() -> None:
    test = described_noun_tests(("en", "es"))[0]
    linked = link_described_noun(test)
    assert (linked.source_text, linked.target_text) == ("A beautiful dog", "Un perro bonito")
    assert linked.links == {(1, 2), (2, 1)}


def test_links_can_be_read_from_the_other_side(tmp_path: Path) -> None:
    (tmp_path / "en-fr.silver-dev.jsonl").write_text(json.dumps(ROW) + "\n")
    (turned,) = links_between(tmp_path, ("fr", "en"), "silver-dev", 9)
    assert (turned.source_text, turned.target_text) == (ROW["target_text"], ROW["source_text"])
    assert turned.turned() == links_between(tmp_path, ("en", "fr"), "silver-dev", 9)[0]
    assert links_between(tmp_path, ("en", "de"), "silver-dev", 9) == []


def test_every_translation_of_a_sentence_is_a_reference() -> None:
    assert group_translations([("a", "x"), ("b", "y"), ("a", "z")]) == {"a": ["x", "z"], "b": ["y"]}


@pytest.mark.parametrize(("translated", "kept"), [("{0} danse.", 1), ("Tom danse.", 0), ("", 0)])
def test_names_are_kept_letter_by_letter(
    monkeypatch: pytest.MonkeyPatch, translated: str, kept: float
) -> None:
    heard: list[str] = []

    def translate(_: object, texts: Sequence[str]) -> list[str]:
        heard.extend(texts)
        return [translated.format(text.partition(" dances")[0]) for text in texts]

    monkeypatch.setattr(translation_quality, "translate", translate)
    translator = Catalogue().load("en-fr-none")
    pairs = [("Tom dances.", "Tom danse."), ("Mary dances.", "Marie danse.")]
    assert names_kept(translator, pairs) == kept
    assert len(heard) == 2
    assert not {"Tom dances.", "Mary dances."} & set(heard)


def test_a_word_is_known_where_it_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    tests = [
        LexiconTest(*each) for each in [("A", "girafe"), ("B", "oie"), ("C", "gant"), ("D", "x")]
    ]
    said = ["Des GIRAFES.", "Une soie.", "L'élégant.", "(x)"]
    monkeypatch.setattr(translation_quality, "translate", lambda translator, texts: said)
    assert words_known(Catalogue().load("en-fr-none"), tests) == 0.5


def test_texts_with_words_hardly_met_are_scored_apart() -> None:
    translator = Catalogue().load("en-fr-additive")
    references = {
        "The cat eats the fish.": ["Le chat mange le poisson."],
        "I saw a zorblax.": ["Je dors."],
    }
    translated = {
        "The cat eats the fish.": "Le chat mange le poisson.",
        "I saw a zorblax.": "Un zorblax.",
    }
    apart = rare_words_quality(translator, translated, references)
    assert apart["with_rare_words"] == 0.5
    assert apart["bleu_without_rare_words"] == pytest.approx(100)
    assert apart["bleu_with_rare_words"] < 50
    assert rare_words_quality(translator, translated, {"I saw a zorblax.": ["Je dors."]}) == {}


def test_the_digits_that_count_are_those_of_year_and_day() -> None:
    def places(target: str) -> list[int]:
        return counted(Example("", target, tuple(frozenset() for _ in target)))

    assert places("1979-05-03") == [0, 1, 2, 3, 8, 9]
    assert places("1979-05") == places("1979") == [0, 1, 2, 3]
    assert places("--05-03") == [5, 6]
    assert places("12304") == places("42") == []


# --- the models that ship ---------------------------------------------------------------------


@pytest.mark.parametrize("model", ["dates-additive", "dates-dot"])
def test_the_attention_models_read_dates_and_look_where_they_should(model: str) -> None:
    quality = evaluate_dates(Catalogue().load(model), 400)
    assert quality["exact_match"] >= 0.99
    assert quality["alignment_agreement"] >= 0.95
    assert quality["chance_agreement"] < 0.15


def test_the_command_measures_what_ships(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dates-none", "--count", "50"]) == 0
    assert "exact_match" in capsys.readouterr().out
    assert main(["dates-psychic"]) == 2


def test_corpora_are_looked_for_where_they_are_said_to_be(tmp_path: Path) -> None:
    assert Corpus(("en", "fr")).sets(tmp_path, "train") == {}
