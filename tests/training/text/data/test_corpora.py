"""Pairs of sentences: read, turned round, made untidy."""

import gzip
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.common.errors import CorpusError
from training.text.data.corpora import (
    LONG_LINE_WORDS,
    SENTENCES,
    Corpus,
    SourceNoise,
    add_noise,
    epoch,
    everyday,
    joined_lines,
    read_tsv,
    without_accents,
)

ALWAYS = SourceNoise(unstopped=1, lowercased=1, unaccented=1)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for folder in ("tatoeba", "multi30k"):
        (tmp_path / folder).mkdir()
    for split in ("train", "dev"):
        with gzip.open(tmp_path / f"tatoeba/en-fr.{split}.tsv.gz", "wt") as file:
            file.write(f"A {split}.\tUn {split}.\nHi!\tSalut !\n")
    for split in ("train", "val", "test_2016_flickr"):
        for code, text in (("en", "A dog."), ("fr", "Un chien.")):
            with gzip.open(tmp_path / f"multi30k/{split}.{code}.gz", "wt") as file:
                file.write(f"{text}\n")
    (tmp_path / "sentences").mkdir()
    for name in SENTENCES:
        for split in ("train", "dev"):
            path = tmp_path / f"sentences/{name}.{split}.tsv"
            path.write_text(f"{name} {split}\tun\tein\tuno\n", "utf-8")
    (tmp_path / "own.tsv").write_text("one\tun\textra\n\ntwo\tdeux\n")
    return tmp_path


def test_the_sets_of_a_split_are_read_by_name(data: Path) -> None:
    corpus = Corpus(("en", "fr"), tatoeba=1, multi30k=1, train=("own.tsv",))
    assert corpus.sets(data, "train") == {
        "tatoeba": [("A train.", "Un train."), ("Hi!", "Salut !")],
        "multi30k": [("A dog.", "Un chien.")],
        "own": [("one", "un"), ("two", "deux")],
    }
    assert list(corpus.sets(data, "dev")) == ["tatoeba", "multi30k"]
    assert list(corpus.sets(data, "test")) == ["multi30k"]


def test_a_model_into_english_reads_the_same_files_the_other_way(data: Path) -> None:
    corpus = Corpus(("fr", "en"), tatoeba=1, multi30k=1)
    assert corpus.sets(data, "dev")["tatoeba"][0] == ("Un dev.", "A dev.")
    assert corpus.sets(data, "dev")["multi30k"][0] == ("Un chien.", "A dog.")


def test_sentences_in_four_languages_give_any_two(data: Path) -> None:
    corpus = Corpus(("de", "es"), words=3, visitors=1)
    assert corpus.sets(data, "train") == {"words": [("ein", "uno")], "visitors": [("ein", "uno")]}
    assert corpus.times("words") == 3
    assert Corpus(("en", "fr"), words=1).sets(data, "dev") == {"words": [("words dev", "un")]}
    assert Corpus(("en", "fr"), words=1).sets(data, "test") == {}


def test_a_language_without_a_column_is_named(data: Path) -> None:
    with pytest.raises(CorpusError, match=r"words\.train\.tsv has no column for it"):
        Corpus(("en", "it"), words=1).sets(data, "train")


@pytest.mark.parametrize("line", ["one\tun\tein", "one\tun\tein\tuno\tuno", "one\t\tein\tuno", ""])
def test_a_sentence_that_lacks_a_language_is_named(data: Path, line: str) -> None:
    path = data / "sentences/words.train.tsv"
    path.write_text(f"two\tdeux\tzwei\tdos\n{line}\n", "utf-8")
    with pytest.raises(CorpusError, match=r"words\.train\.tsv, line 2"):
        Corpus(("en", "fr"), words=1).sets(data, "train")


@pytest.mark.parametrize("pair", [("en", "fr"), ("de", "en"), ("es", "de")])
def test_the_own_sentences_are_in_every_language_once(pair: tuple[str, str]) -> None:
    lines = everyday(pair)
    assert len(lines) > 300
    assert len({source for source, _ in lines}) > 0.99 * len(lines)
    for text in (text for line in lines for text in line):
        assert text == " ".join(text.split())
        assert text[-1] in ".?!"


@pytest.mark.parametrize("content", ["no tab here\n", "one\tun\n\tdeux\n", "one\t \n"])
def test_a_bad_line_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / "bad.tsv").write_text(content)
    with pytest.raises(CorpusError, match=r"bad\.tsv, line \d"):
        list(read_tsv(tmp_path / "bad.tsv"))


def test_a_file_that_is_not_there_or_not_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad.tsv").write_bytes(b"\xff\xfe\t\x00")
    (tmp_path / "bad.tsv.gz").write_bytes(b"not gzip")
    for name in ("bad.tsv", "bad.tsv.gz", "none.tsv"):
        with pytest.raises(CorpusError, match="cannot be read"):
            list(read_tsv(tmp_path / name))


def test_an_epoch_has_every_pair_once() -> None:
    pairs = [(f"s{i}", f"t{i}") for i in range(50)]
    for joined in (0.0, 0.5, 1.0):
        made = list(epoch(pairs, SourceNoise(joined=joined), Random(1), longest_join=3))
        sources = " ".join(source for source, _ in made).split()
        targets = " ".join(target for _, target in made).split()
        assert sorted(sources) == sorted(source for source, _ in pairs)
        assert [source[1:] for source in sources] == [target[1:] for target in targets]
        assert all(len(source.split()) <= 3 for source, _ in made)
        assert (len(made) < 50) == bool(joined)


def test_long_lines_fill_a_random_number_of_words() -> None:
    pairs = [(f"{i} b c d e", f"t{i}") for i in range(2000)]
    made = list(joined_lines(pairs, SourceNoise(long_lines=1), Random(1), longest_join=40))
    assert sorted(pair for line in made for pair in line) == sorted(pairs)
    words = [5 * len(line) for line in made[:-1]]
    assert min(words) >= 35
    assert 0.9 * LONG_LINE_WORDS < max(words) <= LONG_LINE_WORDS
    assert 80 < sum(words) / len(words) < 110


def test_people_in_a_hurry_leave_things_out() -> None:
    assert add_noise("Ça va, été ?", ALWAYS, Random(1)) == "ca va, ete"
    assert add_noise("Ça va ?", SourceNoise(), Random(1)) == "Ça va ?"
    assert add_noise("?!", SourceNoise(unstopped=1), Random(1)) == "?!"
    hasty = SourceNoise(unapostrophed=1)
    assert add_noise("I don't 'know' Tom’s dogs'", hasty, Random(1)) == "I dont 'know' Toms dogs'"


@given(st.text(max_size=30), st.integers(0, 99))
def test_no_text_is_made_empty(text: str, seed: int) -> None:
    assert bool(add_noise(text, SourceNoise(unstopped=1), Random(seed))) == bool(text)


def test_accents_go_and_letters_stay() -> None:
    assert without_accents("Éléphant, naïve, ß, Å") == "Elephant, naive, ß, A"
