"""What each measured figure means, and the table of them in a model's card."""

from __future__ import annotations

import re
from collections.abc import Mapping

SETS = {
    "multi30k_test": "captions of Multi30k test_2016_flickr",
    "multi30k": "captions of Multi30k val",
    "tatoeba": "everyday sentences of Tatoeba, held out",
    "scenes": "drawn scenes",
    "photos": "photos of Flickr8k dev, nouns that an ImageNet network is sure of",
}
BLEU = "lower-cased, 13a, greedy, against all references there are"

MEANINGS = {
    "examples": "held-out dates and numbers it was measured on, greedy",
    "exact_match": "outputs that are right to the last character",
    "chance_agreement": "the same, had the strongest weight been anywhere",
    "attention_entropy_bits": "mean entropy of a row: 0 is one character, 4.6 all of 25 alike",
    r"(multi30k_test|multi30k|tatoeba)_bleu": "BLEU on {0}: " + BLEU,
    r"(multi30k_test|multi30k|tatoeba)_chrf": "chrF of the same",
    "names_kept": "everyday sentences that name somebody, under a name made up for it, whose "
    "translation has that name to the last letter",
    "words_known": "rare words (countries, cities, animals, things, professions), each in a "
    "sentence that is not learned from, of which the translation has the right word",
    "with_strangers": "everyday sentences with a word that stands in fewer than four of the texts "
    "it learned from, as a share",
    "bleu_with_strangers": "BLEU of these",
    "bleu_without_strangers": "BLEU of the others",
    r"bleu_up_to_(\d+)_words": "BLEU of lines whose source has up to {0} words (one to eight "
    "held-out pairs in a row)",
    "alignment_agreement": "linked target words whose strongest weight, forced to write the "
    "reference, is on the source word they are linked to; both sets together",
    r"alignment_(multi30k|tatoeba)": "the same on {0}",
    r"diagonal_(multi30k|tatoeba)": "what going straight ahead would get there",
    r"alignment_layer(\d+)_head(\d+)": "the same, both sets, of layer {0}, head {1} (from 0)",
    r"alignment_layer(\d+)_mean": "the same of the mean over the heads of layer {0} (from 0)",
    "alignment_error_model": "alignment error rate on hand-made links of parliamentary text",
    "alignment_error_diagonal": "the same for going straight ahead",
    "photos": "photos of Flickr8k dev that it was measured on, five captions each",
    r"bleu_(\d)": "BLEU-{0} as the COCO caption tools have it, 0 to 100, beam of 3",
    "cider": "CIDEr-D, beam of 3",
    "distinct_captions": "different captions over all photos, as a share of them",
    "most_given_caption": "photos that get the commonest caption, as a share",
    "greedy_bleu_4": "BLEU-4 without a beam",
    "greedy_cider": "CIDEr-D without a beam",
    "map_movement": "weight of the map that is elsewhere at the next word: 0 stands still, 1 "
    "jumps; the mean over all heads",
    "map_between_photos": "weight of a photo's map that is not where that of all photos is",
    "map_entropy_bits": "mean entropy of a row: 0 is one cell, 7.6 all 196 alike",
    "drawn_moves": "words at which another cell is drawn than at the word before",
    "drawn_otherwise": "probability that a second draw from the same row is another cell",
    "captions_changed_by_seed": "photos whose caption is another one with another seed",
    r"(scenes|photos)_(noun|colour)_words": "{1} words that were held against where they are: {0}",
    r"scenes_(noun|colour)_inside": "weight, forced to write the caption, inside the box of what "
    "the {0} says, grown by half a cell",
    r"scenes_(noun|colour)_elsewhere": "the same inside the box mirrored to the other side",
    r"photos_(noun|colour)_inside": "weight, forced to write a reference, in the fifth of the "
    "cells that speaks most for the noun",
    r"photos_(noun|colour)_elsewhere": "the same in the fifth of another photo with that noun",
    r"(?:scenes|photos)_(?:noun|colour)_chance": "what a map has there that looks everywhere alike",
    r"(?:scenes|photos)_(?:noun|colour)_strongest": "words whose strongest cell lies there",
    r"(?:scenes|photos)_noun_later": "weight there one step later, when the word has "
    "just been written",
    r"(?:scenes|photos)_(?:noun|colour)_drawn": "drawn cells that lie there",
    r"scenes_layer(\d+)_head(\d+)": "weight there of layer {0}, head {1} (from 0), nouns and "
    "colours together; the best of them is the one told above",
    r"scenes_layer(\d+)_mean": "the same of the mean over the heads of layer {0} (from 0)",
    "questions": "questions about photos of Flickr8k dev, made from their captions",
    "accuracy": "answers that are right to the last letter, greedy",
    "blind": "the same for the commonest answer to the question in training: nobody looks",
    "accuracy_without_mark": "right answers where the question mark is left out",
    r"accuracy_(\w+)": "right answers to questions of one form: {0}",
    r"blind_(\w+)": "the commonest answer to them",
    "scenes_questions": "questions about the colour of a thing in drawn scenes",
    "scenes_accuracy": "right answers to these, of pictures unlike any in training",
    "scenes_answer_inside": "weight, at the first piece of such an answer, inside the box of the "
    "thing, grown by half a cell",
    "scenes_answer_chance": "what a map has there that looks everywhere alike",
    "scenes_answer_elsewhere": "the same inside the box mirrored to the other side",
    "scenes_answer_strongest": "questions whose strongest cell lies in the box",
    "question_thing": "weight, at the first piece of such an answer, on the word of the question "
    "that names the thing",
}

_ROW = re.compile(r"^\| `(\w+)` \| [^|]* \|(.*)\|$", re.MULTILINE)
_TABLE = re.compile(r"(?:^\| `\w+` \|.*\n)+", re.MULTILINE)


def meaning(figure: str) -> str:
    """What a figure says, in words."""
    for pattern, text in MEANINGS.items():
        if found := re.fullmatch(pattern, figure):
            return text.format(*(SETS.get(each, each) for each in found.groups()))
    return figure.replace("_", " ")


def with_figures(card: str, quality: Mapping[str, float]) -> str:
    """The card with these figures in its table; what a row says of its figure is kept."""
    said = {name: text.strip() for name, text in _ROW.findall(card)}
    rows = "".join(
        f"| `{name}` | {value:g} | {said.get(name) or meaning(name)} |\n"
        for name, value in quality.items()
    )
    return _TABLE.sub(lambda _: rows, card, count=1)
