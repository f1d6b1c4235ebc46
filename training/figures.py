"""What each measured figure means, and the table of them in a model's card."""

from __future__ import annotations

import re
from collections.abc import Mapping

SETS = {
    "multi30k_test": "captions of Multi30k test_2016_flickr",
    "multi30k": "captions of Multi30k val",
    "tatoeba": "everyday sentences of Tatoeba, held out",
}
BLEU = "lower-cased, 13a, greedy, against all references there are"

MEANINGS = {
    "examples": "held-out dates and numbers it was measured on, greedy",
    "exact_match": "outputs that are right to the last character",
    "chance_agreement": "the same, had the strongest weight been anywhere",
    "attention_entropy_bits": "mean entropy of a row: 0 is one character, 4.6 all of 25 alike",
    r"(multi30k_test|multi30k|tatoeba)_bleu": "BLEU on {0}: " + BLEU,
    r"(multi30k_test|multi30k|tatoeba)_chrf": "chrF of the same",
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
