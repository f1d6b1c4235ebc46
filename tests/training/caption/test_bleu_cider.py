"""Scores of captions: worked out by hand, and what must hold for any."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.caption.bleu_cider import (
    bleu,
    caption_quality,
    cider,
    movement,
    variety,
)
from training.caption.words import tidy, words

# --- words ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("caption", "wanted"),
    [
        ("A black Dog is running .", "a black dog is running"),
        ("The dog's toys; the boys' ball!", "the dog 's toys the boys ball"),
        ("He doesn't, can't and cannot", "he does n't ca n't and can not"),
        ("a T-shirt - red/blue -- with 1,000 stars", "a t-shirt red/blue with 1,000 stars"),
        ('A sign says "stop" (in red)', "a sign says stop -lrb- in red -rrb-"),
        (
            "At 3:30 o'clock in the U.S. with Mr. Smith.",
            "at 3:30 o'clock in the u.s. with mr. smith",
        ),
        ("Black & white # 5 , 50 %", "black & white # 5 50 %"),
        ("“curly” it’s…", "curly it 's"),
        ("", ""),
    ],
)
def test_words_are_those_of_the_caption_tools(caption: str, wanted: str) -> None:
    assert words(caption) == wanted.split()


@given(st.text())
def test_any_text_has_words_that_are_kept_as_they_are(text: str) -> None:
    found = words(text)
    assert all(word and not word.isspace() for word in found)
    assert words(" ".join(found)) == found or set(text) & set("([{}])ß'’‘`.")


@pytest.mark.parametrize(
    ("caption", "wanted"),
    [
        ("A black dog is running .", "a black dog is running"),
        ("A girl , two boys , and a dog", "a girl, two boys, and a dog"),
        ('The sign says " Stop " .', "the sign says stop"),
        ("a man 's dog does n't run ..", "a man's dog doesn't run"),
        ("Look !", "look!"),
    ],
)
def test_a_caption_is_tidied_for_a_model_to_write(caption: str, wanted: str) -> None:
    assert tidy(caption) == wanted
    assert tidy(tidy(caption)) == wanted
    assert words(tidy(caption)) == words(caption)


# --- BLEU -------------------------------------------------------------------------------------


def bleu_by_hand(written: list[str], references: list[list[str]]) -> list[float]:
    """As the tools have it, written out."""
    right, all_, length, closest = [0] * 4, [0] * 4, 0, 0
    for caption, others in zip(written, references, strict=True):
        mine, theirs = words(caption), [words(other) for other in others]
        length += len(mine)
        closest += min((abs(len(other) - len(mine)), len(other)) for other in theirs)[1]
        for n in range(4):
            counts = Counter(tuple(mine[i : i + n + 1]) for i in range(len(mine) - n))
            all_[n] += max(len(mine) - n, 0)
            most: Counter[tuple[str, ...]] = Counter()
            for other in theirs:
                most |= Counter(tuple(other[i : i + n + 1]) for i in range(len(other) - n))
            right[n] += sum(min(times, most[gram]) for gram, times in counts.items())
    brevity = min(1.0, math.exp(1 - closest / length)) if length else 0.0
    scores, product = [], 1.0
    for n in range(4):
        product *= right[n] / all_[n] if all_[n] else 0.0
        scores.append(100 * brevity * product ** (1 / (n + 1)))
    return scores


SENTENCES = st.lists(
    st.sampled_from("a dog cat runs sits on the mat".split()), min_size=1, max_size=9
)
CORPORA = st.lists(
    st.tuples(SENTENCES.map(" ".join), st.lists(SENTENCES.map(" ".join), min_size=1, max_size=5)),
    min_size=1,
    max_size=6,
)


@given(CORPORA)
def test_bleu_is_that_of_the_caption_tools(corpus: list[tuple[str, list[str]]]) -> None:
    written, references = [caption for caption, _ in corpus], [others for _, others in corpus]
    np.testing.assert_allclose(
        bleu(written, references), bleu_by_hand(written, references), rtol=1e-9, atol=1e-9
    )


def test_bleu_worked_out_on_paper() -> None:
    """5 of 6 words, 3 of 5 pairs, 1 of 4 triples, no four; the length is that of the closer."""
    score = bleu(["the cat sat on the mat"], [["the cat is on the mat", "a cat"]])
    pair = math.sqrt(5 / 6 * 3 / 5)
    np.testing.assert_allclose(score, [100 * 5 / 6, 100 * pair, 100 * (1 / 8) ** (1 / 3), 0])


def test_short_captions_are_penalised() -> None:
    assert bleu(["a dog"], [["a dog runs"]])[0] == pytest.approx(100 * math.exp(1 - 3 / 2))


# --- CIDEr ------------------------------------------------------------------------------------

TWO = [["a dog runs"], ["a cat sits"]]


def test_cider_worked_out_on_paper() -> None:
    """`a` stands with both pictures and says nothing; every other n-gram weighs log 2.

    The first caption is its reference: 1 for words, pairs and triples, 0 for fours, of which there
    are none. The second shares one of two words that weigh, and one of two pairs.
    """
    assert cider(["a dog runs", "a cat sits"], TWO) == pytest.approx(10 * 3 / 4)
    assert cider(["a dog runs", "a cat runs"], TWO) == pytest.approx(10 * (3 / 4 + 1 / 4) / 2)
    assert cider(["a", "a"], TWO) == 0


def test_another_length_is_penalised() -> None:
    """Two words more: two of four that weigh, two of four pairs, one of three triples shared."""
    longer = cider(["a dog runs red hat", "a"], TWO)
    alike = 2 / math.sqrt(4 * 2) + 2 / math.sqrt(4 * 2) + 1 / math.sqrt(3 * 1)
    assert longer == pytest.approx(10 * math.exp(-4 / 72) * alike / 4 / 2)


def test_saying_a_word_again_gains_nothing() -> None:
    once, thrice = cider(["dog", "a"], TWO), cider(["dog dog dog", "a"], TWO)
    # Words: 1·1 / (1·√2) against min(3, 1)·1 / (3·√2); pairs tell the length.
    assert once == pytest.approx(10 * math.exp(-4 / 72) / math.sqrt(2) / 4 / 2)
    assert thrice == pytest.approx(10 / (3 * math.sqrt(2)) / 4 / 2)


def test_what_no_reference_says_is_as_rare_as_can_be() -> None:
    """So it weighs as much as what one picture has, and makes a caption less alike."""
    assert cider(["a dog runs zebra", "a"], TWO) < cider(["a dog runs", "a"], TWO)


@given(CORPORA)
def test_cider_lies_between_0_and_10_whatever_the_order(
    corpus: list[tuple[str, list[str]]],
) -> None:
    written, references = [caption for caption, _ in corpus], [others for _, others in corpus]
    score = cider(written, references)
    assert 0 <= score <= 10 + 1e-9
    assert cider(written[::-1], references[::-1]) == pytest.approx(score)
    assert cider(written, [others[::-1] for others in references]) == pytest.approx(score)


@given(CORPORA)
def test_no_caption_is_better_than_the_only_reference(corpus: list[tuple[str, list[str]]]) -> None:
    only = [others[0] for _, others in corpus]
    references = [[caption] for caption in only]
    assert cider([caption for caption, _ in corpus], references) <= cider(only, references) + 1e-9


# --- variety and movement ---------------------------------------------------------------------


def test_captions_are_counted_by_their_words() -> None:
    found = variety(["A dog .", "a dog", "a cat", "two cats"])
    assert found == {"distinct_captions": 0.75, "most_given_caption": 0.5}


def test_all_figures_come_together() -> None:
    assert list(caption_quality(["a dog runs"] * 2, TWO)) == [
        *("bleu_1", "bleu_2", "bleu_3", "bleu_4", "cider"),
        *("distinct_captions", "most_given_caption"),
    ]


def test_movement_is_the_share_of_the_weight_that_moves() -> None:
    still = np.full((5, 4), 0.25, np.float32)
    assert movement(still) == 0
    assert movement(np.eye(4, dtype=np.float32)) == 1
    half = np.array([[0.5, 0.5, 0, 0], [0, 0.5, 0.5, 0]], np.float32)
    assert movement(half) == 0.5
    assert movement(half[:1]) == 0
