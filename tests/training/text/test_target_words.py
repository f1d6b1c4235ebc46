"""The words of a language are those of all training texts in it."""

import gzip
from pathlib import Path

import pytest

from heed.models.checkpoint import TARGET_WORDS
from heed.models.text.vocabulary import TargetWords
from training.text.data.corpora import LANGUAGES, SENTENCES
from training.text.target_words import main


def pack(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()))


@pytest.fixture
def corpora(tmp_path: Path) -> Path:
    """Corpora of one pair each, with words that no list of words has."""
    for other, text in (("fr", "Un zébu."), ("de", "Ein Zebú."), ("es", "Un cebú.")):
        pack(tmp_path / f"tatoeba/en-{other}.train.tsv.gz", f"A zebu{other}.\t{text}\n")
    for code in ("en", "fr", "de"):
        pack(tmp_path / f"multi30k/train.{code}.gz", f"Photo{code}\n")
    for name in SENTENCES:
        path = tmp_path / f"sentences/{name}.train.tsv"
        path.parent.mkdir(exist_ok=True)
        path.write_text("The okapi\tL’okapi\tDas Okapi3\tEl okapi x\n", "utf-8")
    return tmp_path


def test_they_are_read_from_every_pair_of_languages(
    corpora: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--data", str(corpora), "--weights", str(corpora)]) == 0
    lists = {
        code: TargetWords.load(corpora / TARGET_WORDS / f"{code}.txt.gz").words
        for code in LANGUAGES
    }
    assert {"zebufr", "zebude", "zebues", "photoen", "okapi", "olivia"} <= lists["en"]
    assert {"zébu", "photofr", "okapi", "olivia"} <= lists["fr"]
    assert {"zebú", "photode"} <= lists["de"]
    assert {"cebú", "okapi"} <= lists["es"]
    assert not {"zebu", "okapi3", "x", "l’", "cebu"} & frozenset.union(*lists.values())
    assert f"fr: {len(lists['fr'])} words\n" in capsys.readouterr().out


def test_a_corpus_that_is_missing_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--data", str(tmp_path), "--weights", str(tmp_path)]) == 2
    assert "tatoeba" in capsys.readouterr().err
