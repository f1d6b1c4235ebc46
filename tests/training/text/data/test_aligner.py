"""Words are linked by nothing but the pairs they stand in."""

from __future__ import annotations

import math

import numpy as np
import pytest

from training.text.data import aligner
from training.text.data.aligner import NONE, SPARSE, TENSION, UNREAD, Aligner, Direction

NOUNS = {"house": "casa", "cat": "gata", "table": "mesa", "rose": "rosa", "ship": "nave"}
COLOURS = {"white": "blanca", "black": "negra", "red": "roja", "yellow": "amarilla"}
PAIRS = [
    ("it rains", "llueve"),
    ("it sleeps", "duerme"),
    *((f"the {here} sleeps", f"la {there} duerme") for here, there in NOUNS.items()),
    *(
        (f"the {here} is {a}", f"la {there} es {b}")
        for here, there in NOUNS.items()
        for a, b in COLOURS.items()
    ),
    *(
        (f"the {a} {here}", f"la {there} {b}")
        for here, there in NOUNS.items()
        for a, b in COLOURS.items()
    ),
]
WORDS = [(source.split(), target.split()) for source, target in PAIRS]


def test_words_that_change_places_are_linked() -> None:
    links = Aligner.learned(WORDS).links(["the", "white", "house"], ["la", "casa", "blanca"])
    assert links.shape == (3, 3)
    assert links.argmax(axis=1).tolist() == [0, 2, 1]
    assert (links.max(axis=1) > 0.5).all()


def test_a_link_counts_as_far_as_both_directions_hold_it_likely() -> None:
    learned = Aligner.learned(WORDS)
    here, there = learned.source.known(["it", "rains"]), learned.target.known(["llueve"])
    forth, back = learned.there.shares(here, there), learned.back.shares(there, here)
    assert forth.sum() <= 1
    assert learned.links(["it", "rains"], ["llueve"]) == pytest.approx(forth * back.T)


def test_a_word_that_was_never_met_goes_straight_ahead() -> None:
    links = Aligner.learned(WORDS).links(["the", "Okapi", "sleeps"], ["la", "okapi", "duerme"])
    assert links.argmax(axis=1).tolist() == [0, 1, 2]


def test_a_name_that_was_never_met_is_linked_to_itself() -> None:
    read, written = ["Okapi", "the", "house", "Ibis"], ["la", "casa", "Ibis", "Okapi"]
    links = Aligner.learned(WORDS).links(read, written)
    assert links.argmax(axis=1).tolist() == [1, 2, 3, 0]
    assert links[2].tolist() == [0, 0, 0, 1]
    twice = Aligner.learned(WORDS).links(["Ibis", "the", "Ibis"], ["Ibis"])
    assert twice.tolist() == [[0.5, 0, 0.5]]


def test_one_direction_is_the_expectation_and_maximisation_written_out() -> None:
    pairs = [([1, 2, 3], [1, 2, 3]), ([1, 3], [1, 2]), ([2, 3], [2])]
    size, likely = 5, dict[tuple[int, int], float]()
    for _ in range(aligner.ROUNDS):
        counts = dict[tuple[int, int], float]()
        for read, written in pairs:
            for place, word in enumerate(written):
                far = [
                    abs((place + 0.5) / len(written) - (column + 0.5) / len(read))
                    for column in range(len(read))
                ]
                near = [math.exp(-TENSION * each) for each in far]
                along = [UNREAD, *((1 - UNREAD) * each / sum(near) for each in near)]
                met = [(reader, word) for reader in (NONE, *read)]
                share = [likely.get(two, 1.0) * by for two, by in zip(met, along, strict=True)]
                for two, each in zip(met, share, strict=True):
                    counts[two] = counts.get(two, 0.0) + each / sum(share)
        for reader, word in counts:
            every = sum(count for (other, _), count in counts.items() if other == reader)
            mine = np.array([counts[reader, word] + SPARSE, every + SPARSE * size])
            likely[reader, word] = math.exp(np.subtract(*aligner._digamma(mine)))
    learned = Direction.learned(pairs, size)
    assert [divmod(code, size) for code in learned.codes.tolist()] == sorted(likely)
    assert learned.likely.tolist() == pytest.approx([likely[two] for two in sorted(likely)])


def test_shares_of_a_written_word_are_what_none_leaves() -> None:
    learned = Direction.learned([([1, 2], [1, 2])], 4)
    shares = learned.shares([1, 2], [1, 3])
    assert shares.shape == (2, 2)
    assert (shares.sum(axis=1) <= 1).all()
    assert shares[1].sum() == pytest.approx(1 - UNREAD), "nothing is known of the word"
