"""`python -m training.common.metrics_table`: write docs/lab/figures.md, which explains the figures.

The table of a model's card holds its measured figures; their meanings stand in one place.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from heed.models.catalogue import DEFAULT_DIRECTORY, Catalogue

GLOSSARY = Path(__file__).parents[2] / "docs/lab/figures.md"
PER_ROW = 6  # figures in a row of a card's table

SETS = {
    "multi30k_test": "captions of Multi30k test_2016_flickr",
    "multi30k": "captions of Multi30k val",
    "tatoeba": "held-out everyday sentences of Tatoeba",
    "words": "held-out sentences around frequent words that the corpora hardly have",
    "visitors": "held-out sentences such as visitors type",
    "scenes": "drawn scenes",
    "handwritten": "of handwritten digits, alone",
    "handwritten_cluttered": "of handwritten digits, cluttered",
    "photos": "photos of Flickr8k dev, nouns that an ImageNet classifier is sure of",
}
BLEU = "lower-cased, 13a, greedy decoding, against all references"

PICTURES = "(alone|cluttered|handwritten|handwritten_cluttered)"
MEANINGS = {
    "examples": "held-out dates and numbers measured, greedy decoding",
    "exact_match": "share of outputs that are right to the last character",
    "chance_agreement": "the same for a weight placed at random",
    "attention_entropy_bits": "mean entropy of a row: 0 is one character, 4.6 is 25 alike",
    r"(multi30k_test|multi30k|tatoeba|words|visitors)_bleu": "BLEU on {0}: " + BLEU,
    r"(multi30k_test|multi30k|tatoeba|words|visitors)_chrf": "chrF on the same",
    "names_kept": "share of everyday sentences with a made-up name whose translation keeps it to "
    "the last letter",
    "words_known": "share of rare words (countries, cities, animals, things, professions), each "
    "in a sentence outside the training data, that are translated right",
    "with_rare_words": "share of everyday sentences with a word that is in fewer than four of the "
    "training sentences",
    "bleu_with_rare_words": "BLEU of these",
    "bleu_without_rare_words": "BLEU of the others",
    r"bleu_up_to_(\d+)_words": "BLEU of lines whose source has up to {0} words (one to eight "
    "held-out pairs in a row)",
    r"bleu_(\d+)_to_(\d+)_tokens": "BLEU of texts of {0} to {1} source tokens, joined from "
    "held-out pairs",
    "bleu_kept_on_long_texts": "BLEU of the long texts over that of the short ones",
    "alignment_agreement": "share of linked target words (of dates: digits of year and day in "
    "right outputs) whose strongest weight is on what they are linked to, under forced decoding "
    "of the reference; all sets together",
    r"alignment_(multi30k|tatoeba)": "the same on {0}",
    r"diagonal_(multi30k|tatoeba)": "the same for a diagonal map",
    "described_nouns_aligned": "share of adjectives and nouns in held-out phrases (“a beautiful "
    "dog”) whose strongest weight is on their own word, under forced decoding of the reference",
    r"alignment_layer(\d+|L)_head(\d+|H)": "the same for layer {0}, head {1}, counted from 0",
    r"alignment_layer(\d+|L)_mean": "the same for the mean over the heads of layer {0}",
    "alignment_error_model": "alignment error rate on hand-made links of parliamentary text",
    "alignment_error_diagonal": "the same for a diagonal map",
    "steered_nouns": "nouns whose attention was set to another noun of the sentence (held-out "
    "sentences), or to the box of the other thing (drawn scenes, the caption given up to there), "
    "in all layers and heads at the steps of the noun",
    "steered_changed": "share of these steps at which another word is written then",
    "steered_reached": "share at which the translation of the other noun is written, or a noun of "
    "the other thing (or what the model calls it at its own place)",
    r"steered_(?:changed|reached)_(low|high)": "an end of the interval of 95 % (Wilson) of that",
    r"steered_layer(\d+|L)_head(\d+|H)": "share at which the other thing is named if "
    "layer {0}, head {1} (from 0) alone is set",
    "photos": "photos of Flickr8k dev measured, five captions each",
    r"bleu_(\d)": "BLEU-{0} by the formula of the COCO caption tools, 0 to 100, beam of 3",
    "cider": "CIDEr-D, beam of 3",
    "distinct_captions": "distinct captions, as a share of the photos",
    "most_given_caption": "share of photos that get the commonest caption",
    "greedy_bleu_4": "BLEU-4 with greedy decoding",
    "greedy_cider": "CIDEr-D with greedy decoding",
    "everyday_photos": "everyday photos of dev measured, two captions each",
    "everyday_bleu_4": "BLEU-4 on these, beam of 3",
    "everyday_cider": "CIDEr-D on these, beam of 3",
    "everyday_things_named": "share of the content words in both captions of an everyday photo "
    "(without colours, numbers, people and standing) that the caption has too, beam of 3",
    "everyday_questions": "questions about everyday photos of dev, as people wrote them",
    "everyday_accuracy": "share of right answers to these, greedy decoding",
    "everyday_hidden": "the same with a plain gray picture instead of the photo",
    r"everyday_accuracy_(\w+)": "share of right answers to these of the form {0}",
    r"everyday_hidden_(\w+)": "the same with a plain gray picture",
    "largest_weight": "mean largest weight of a row over the cells, at the first piece of an "
    "answer to these",
    "map_movement": "share of a map's weight that moves from one word to the next: 0 stands "
    "still, 1 jumps; mean over all heads",
    "map_between_photos": "share of a photo's mean map that differs from the mean of all photos",
    "map_entropy_bits": "mean entropy of a row: 0 is one cell, 7.6 is all 196 alike",
    "drawn_moves": "share of words at which another cell is drawn than at the word before",
    "drawn_otherwise": "probability that a second draw from the same row is another cell",
    "captions_changed_by_seed": "share of photos whose caption changes with the seed",
    r"(scenes|photos)_(noun|colour)_words": "{1} words compared with their place in {0}",
    r"scenes_(noun|colour)_inside": "weight, under forced decoding of the caption, inside the box "
    "of the {0}, grown by half a cell",
    r"scenes_(noun|colour)_elsewhere": "the same inside the box mirrored to the other side",
    r"photos_(noun|colour)_inside": "weight, under forced decoding of a reference, in the fifth "
    "of the cells with the highest class activation of the noun",
    r"photos_(noun|colour)_elsewhere": "the same in the fifth of another photo with that noun",
    r"(?:scenes|photos)_(?:noun|colour)_chance": "the same for a uniform map",
    r"(?:scenes|photos)_(?:noun|colour)_strongest": "share of words whose strongest cell is there",
    r"(?:scenes|photos)_noun_later": "weight there one step later, after the word is written",
    r"(?:scenes|photos)_(?:noun|colour)_drawn": "share of drawn cells that are there",
    r"scenes_layer(\d+|L)_head(\d+|H)": "weight there of layer {0}, head {1} (from 0), nouns and "
    "colours together; the best head gives the figures without a head's name",
    r"scenes_layer(\d+|L)_mean": "the same for the mean over the heads of layer {0}",
    "seen_photos": "photos of Flickr8k dev and everyday dev, which no training has seen",
    "agreement": "share of them whose likeliest class is that of the teacher, a convolutional "
    "network",
    "agreement_of_five": "share in which the teacher's likeliest class is among the five likeliest",
    "agreement_where_sure": "the figure `agreement` where the teacher gives its class a "
    "probability above one half",
    "commonest_class": "the figure `agreement` or `nodes` if the commonest class were always given",
    "divergence": "Kullback-Leibler divergence from the teacher's classes, in nats",
    "rollout_lift": "weight of the class token's rollout in the fifth of the cells that the "
    "teacher's class activation finds most telling, over that of equal weights",
    "elsewhere_lift": "the same for the rollout of another photo",
    "bell_lift": "the same for a bell around the centre, with a spread of a quarter of the side",
    "spike_lift": "the same for one with a spread of a tenth of the side, the highest of all bells",
    "rollout_overlap": "share of the rollout's strongest fifth of the cells that are among the "
    "teacher's most telling fifth; by chance 0.2",
    "centre_overlap": "the same for the fifth of the cells around the centre",
    "stories": "held-out stories of the training's grammar, those without an answer included",
    "pictures": "held-out pictures of drawn digits, half of them cluttered",
    "handwritten_digits": "held-out digits that people wrote (MNIST), each in one picture alone "
    "and in one cluttered",
    f"right_{PICTURES}": "share of right digits after the last glimpse, of the pictures {0}",
    f"first_glimpse_{PICTURES}": "the same after the first glimpse, whose place is fixed",
    f"random_places_{PICTURES}": "the same of the same network at random places",
    f"on_digit_{PICTURES}": "share of glimpses after the first with their middle in the "
    "digit's box, of the pictures {0}",
    f"random_on_digit_{PICTURES}": "the same for random places",
    r"right_(\w+)": "share of right answers to questions of the kind {0}; of `unanswerable` ones, "
    "that one cannot know",
    "doubts": "share of answerable questions to which it says that it cannot know; like the "
    "figures below, a mean over the kinds",
    "supporting": "of right answers, share in which the strongest sentence of some hop is a "
    "supporting fact",
    "each_fact": "share in which every supporting fact is the strongest sentence of a hop",
    "uniform_hops": "the figure `supporting` for a sentence drawn at random in each hop",
    "newest": "the figure `supporting` for the newest sentence",
    "commonest_answer": "share of right answers if the commonest one were always given",
    "nodes": "share of right classes of the nodes of held-out graphs whose class is unknown",
    "nodes_citations": "the same on graphs of a block model with hints",
    "nodes_plain": "the same on those without hints",
    "nodes_tree": "the same on trees",
    "within_class": "mean weight of an edge between nodes of a class, over all layers and heads, "
    "divided by that of an edge between two classes",
    "equal_weights": "the figure `within_class` if each node weighed its neighbours and itself "
    "alike",
    "propagation": "the figure `nodes` for known classes that spread along the edges (Zhou et al. "
    "2004)",
    "sentences": "held-out English sentences of at most 24 words: Tatoeba, captions, sentences "
    "written for the project",
    "perplexity": "on these, of every word and every end; an unknown word counts as `unknown`",
    "plain_perplexity": "the same of an LSTM without attention, with as many numbers, trained on "
    "the same batches",
    "templates": "held-out sentences whose verb agrees with a distant noun while another noun, of "
    "the other number, stands nearer; no noun or preposition is from the training",
    "head": "share of these in which the noun that the verb agrees with has more than twice the "
    "weight of the other, in the row that predicts the verb",
    "head_weight": "its mean weight in that row",
    "distractor_weight": "the mean weight of the other noun",
    "agrees": "share of these in which the right form of the verb is likelier than the wrong one",
    "plain_agrees": "the same of the LSTM without attention",
    "questions": "questions about photos of Flickr8k dev, made from their captions",
    "accuracy": "share of answers that are right to the last letter, greedy decoding",
    "blind": "the same for the commonest answer in training, without the photo",
    "accuracy_without_mark": "share of right answers without the question mark",
    r"accuracy_(\w+)": "share of right answers to questions of the form {0}",
    r"blind_(\w+)": "the same for the commonest answer to that form",
    "scenes_questions": "questions about the colour of a thing in drawn scenes",
    "scenes_accuracy": "share of right answers to these",
    "scenes_answer_inside": "weight, at the first piece of such an answer, inside the box of the "
    "thing, grown by half a cell",
    "scenes_answer_chance": "the same for a uniform map",
    "scenes_answer_elsewhere": "the same inside the box mirrored to the other side",
    "scenes_answer_strongest": "share of questions whose strongest cell is in the box",
    "question_thing": "weight, at the first piece of such an answer, on the word of the question "
    "that names the thing",
}

_TABLE = re.compile(
    r"^\|(?: figure \| value \|)+\n\|[-|]+\n(?:\| `\w+` \| [-\d.e]+ \|.*\n)*", re.MULTILINE
)


def meaning(figure: str) -> str:
    """Return the meaning of a figure in words."""
    for pattern, text in MEANINGS.items():
        if match := re.fullmatch(pattern, figure):
            return text.format(*(SETS.get(group, group) for group in match.groups()))
    return figure.replace("_", " ")


def metrics_table(quality: Mapping[str, float]) -> str:
    """Return the Markdown table of measured figures, several in a row."""
    cells = [f" `{name}` | {value:g} |" for name, value in quality.items()]
    columns = min(PER_ROW, max(len(cells), 1))
    lines = [
        "|" + " figure | value |" * columns,
        "|" + "---|---|" * columns,
        *("|" + "".join(cells[start : start + columns]) for start in range(0, len(cells), columns)),
    ]
    return "\n".join(lines) + "\n"


def with_metrics_table(card: str, quality: Mapping[str, float]) -> str:
    """Return the card with these figures in its table."""
    return _TABLE.sub(lambda _: metrics_table(quality), card, count=1)


def glossary(figures: Iterable[str]) -> str:
    """Return docs/lab/figures.md: every figure with its meaning, heads and layers once."""
    names = dict.fromkeys(
        re.sub(r"layer\d+", "layerL", re.sub(r"head\d+", "headH", figure)) for figure in figures
    )
    rows = "".join(f"| `{name}` | {meaning(name)} |\n" for name in names)
    return (
        "# Figures of the model cards\n\n"
        "`make evaluate MODEL=…` measures these on the weights as they ship. Written by "
        "`python -m training.common.metrics_table`.\n\n"
        f"| figure | meaning |\n|---|---|\n{rows}"
    )


def shipped_figures() -> list[str]:
    """Return the names of the figures of all shipped models, in the order of the catalogue."""
    cards = Catalogue(DEFAULT_DIRECTORY).cards.values()
    return list(dict.fromkeys(name for card in cards for name in card.quality))


def main() -> int:
    """Run the command line."""
    GLOSSARY.write_text(glossary(shipped_figures()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
