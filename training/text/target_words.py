"""`python -m training.text.target_words`: write the words of each language that a model writes.

They are all words of the training texts in that language. A word of an output that is neither
among them nor in the input was made up of pieces.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from heed.models.catalogue import DEFAULT_DIRECTORY
from heed.models.checkpoint import TARGET_WORDS
from heed.models.text.vocabulary import TargetWords, accented_words
from training.common.errors import CorpusError
from training.text.data.corpora import LANGUAGES, Corpus
from training.text.known_words import word_list_texts

MULTI30K = ("en", "fr", "de")


def target_words(data: Path, language: str) -> TargetWords:
    """Return the words of all training texts in a language."""
    others = [code for code in LANGUAGES if "en" in (code, language) and code != language]
    texts = chain.from_iterable(_texts(data, (language, other)) for other in others)
    return TargetWords(chain.from_iterable(map(accented_words, texts)))


def _texts(data: Path, pair: tuple[str, str]) -> list[str]:
    """Return all training texts of a pair of languages that are in the first of them."""
    corpus = Corpus(
        pair,
        tatoeba=1,
        multi30k=int(all(code in MULTI30K for code in pair)),
        phrasebook=1,
        named=1,
        lexicon=1,
        words=1,
        visitors=1,
        everyday=1,
    )
    sets = corpus.sets(data, "train")
    return [source for pairs in sets.values() for source, _ in pairs] + word_list_texts(corpus)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.text.target_words", description=__doc__
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of the corpora")
    parser.add_argument("--weights", type=Path, default=DEFAULT_DIRECTORY, help="folder of models")
    given = parser.parse_args(arguments)
    folder = given.weights / TARGET_WORDS
    folder.mkdir(parents=True, exist_ok=True)
    for language in LANGUAGES:
        try:
            words = target_words(given.data, language)
        except CorpusError as error:
            print(error, file=sys.stderr)
            return 2
        words.save(folder / f"{language}.txt.gz")
        print(f"{language}: {len(words.words)} words")
    return 0


if __name__ == "__main__":
    sys.exit(main())
