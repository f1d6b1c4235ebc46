"""`python -m training.familiar MODEL`: write down which words a shipped model is familiar with.

Those that stand in four or more of the texts that its recipe has it read, and all that it is
taught beside them: what people say first, rare words in plain sentences, names.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from heed.models.catalogue import DEFAULT_DIRECTORY
from heed.models.checkpoint import KNOWN_WORDS
from heed.models.text.vocabulary import KnownWords, plain_words
from training.corpora import Corpus, CorpusError, SentencePair, phrasebook
from training.lexicon import lexicon
from training.names import all_names
from training.recipe import Recipe, RecipeError

OFTEN = 4  # texts; what stands in fewer is hardly learned


def familiar(corpus: Corpus, pairs: Iterable[SentencePair]) -> KnownWords:
    """The words that a model is familiar with which learns from these pairs and what a corpus adds.

    A text that has several translations is one.
    """
    texts = dict.fromkeys(source for source, _ in pairs)
    counts = Counter(word for text in texts for word in set(plain_words(text)))
    met = {word for word, count in counts.items() if count >= OFTEN}
    return KnownWords(met.union(*map(plain_words, taught(corpus))))


def taught(corpus: Corpus) -> list[str]:
    """What it reads again and again beside its pairs."""
    texts: list[str] = []
    if corpus.phrasebook:
        texts += [source for source, _ in phrasebook(corpus.pair)]
    if corpus.lexicon:
        texts += [source for source, _ in lexicon(corpus.pair)]
    if corpus.named:
        texts += all_names()
    return texts


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m training.familiar", description=__doc__)
    parser.add_argument("model", help="id of a model that ships, or the path of a recipe")
    parser.add_argument("--data", type=Path, required=True, help="folder of the corpora")
    parser.add_argument("--weights", type=Path, default=DEFAULT_DIRECTORY, help="folder of models")
    given = parser.parse_args(arguments)
    try:
        recipe = Recipe.named(given.model)
        if recipe.corpus is None:
            print(f"{recipe.id} reads no words", file=sys.stderr)
            return 2
        sets = recipe.corpus.sets(given.data, "train").values()
    except (RecipeError, CorpusError) as error:
        print(error, file=sys.stderr)
        return 2
    found = familiar(recipe.corpus, (pair for pairs in sets for pair in pairs))
    found.save(given.weights / recipe.id / KNOWN_WORDS)
    print(f"{recipe.id}: {len(found.words)} words")
    return 0


if __name__ == "__main__":
    sys.exit(main())
