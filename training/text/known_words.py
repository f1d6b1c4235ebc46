"""`python -m training.text.known_words MODEL`: write the known words of a shipped model.

Known words are in four or more training sources, in the sentences that were written around rare
words, or in the word lists: phrasebook, everyday sentences, lexicon, names.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from heed.models.catalogue import DEFAULT_DIRECTORY
from heed.models.checkpoint import KNOWN_WORDS
from heed.models.text.vocabulary import KnownWords, plain_words
from training.common.errors import CorpusError, RecipeError
from training.text.data.corpora import (
    SENTENCES,
    Corpus,
    SentencePair,
    everyday,
    phrasebook,
)
from training.text.data.word_lists.lexicon import lexicon_pairs
from training.text.data.word_lists.names import all_names
from training.text.recipe import TextRecipe

MIN_TEXTS = 4  # training sources; a rarer word is hardly learned


def known_words(corpus: Corpus, sets: Mapping[str, Sequence[SentencePair]]) -> KnownWords:
    """Return the known words of a model that is trained on these sets and its word lists.

    A source with several translations counts once.
    """
    texts = dict.fromkeys(source for pairs in sets.values() for source, _ in pairs)
    counts = Counter(word for text in texts for word in set(plain_words(text)))
    met = {word for word, count in counts.items() if count >= MIN_TEXTS}
    taught = [source for name in SENTENCES for source, _ in sets.get(name, ())]
    return KnownWords(met.union(*map(plain_words, [*taught, *word_list_texts(corpus)])))


def word_list_texts(corpus: Corpus) -> list[str]:
    """Return the sources of the word lists of a corpus."""
    texts: list[str] = []
    if corpus.phrasebook:
        texts += [source for source, _ in phrasebook(corpus.pair)]
    if corpus.everyday:
        texts += [source for source, _ in everyday(corpus.pair)]
    if corpus.lexicon:
        texts += [source for source, _ in lexicon_pairs(corpus.pair)]
    if corpus.named:
        texts += all_names()
    return texts


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.text.known_words", description=__doc__
    )
    parser.add_argument("model", help="id of a model that ships, or the path of a recipe")
    parser.add_argument("--data", type=Path, required=True, help="folder of the corpora")
    parser.add_argument("--weights", type=Path, default=DEFAULT_DIRECTORY, help="folder of models")
    given = parser.parse_args(arguments)
    try:
        recipe = TextRecipe.named(given.model)
        if recipe.corpus is None:
            print(f"{recipe.id} reads no words", file=sys.stderr)
            return 2
        sets = recipe.corpus.sets(given.data, "train")
    except (RecipeError, CorpusError) as error:
        print(error, file=sys.stderr)
        return 2
    words = known_words(recipe.corpus, sets)
    words.save(given.weights / recipe.id / KNOWN_WORDS)
    print(f"{recipe.id}: {len(words.words)} words")
    return 0


if __name__ == "__main__":
    sys.exit(main())
