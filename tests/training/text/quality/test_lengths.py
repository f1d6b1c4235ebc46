"""Texts of every length, joined from held-out pairs."""

from training.text.quality.lengths import (
    LONG_TEXTS,
    SHORT_TEXTS,
    by_length,
    joined_lines,
    texts_of_tokens,
)

PAIRS = [(f"s{i} b c d e f g", f"t{i}") for i in range(900)]


def count_words(text: str) -> int:
    return len(text.split())


def test_lines_are_joined_to_sources_of_every_length() -> None:
    buckets = by_length(joined_lines(PAIRS[:64]), count=5)
    assert all(len(bucket) == 5 for bucket in buckets.values())
    for longest, bucket in buckets.items():
        assert all(longest - 10 < len(source.split()) <= longest for source, _ in bucket)


def test_texts_of_a_range_of_tokens_are_the_same_each_time_and_use_no_pair_twice() -> None:
    for tokens in (SHORT_TEXTS, LONG_TEXTS):
        made = texts_of_tokens(PAIRS, tokens, count_words, 20)
        assert made == texts_of_tokens(PAIRS, tokens, count_words, 20)
        assert len(made) == 20
        lengths = [count_words(source) for source, _ in made]
        assert all(length in tokens for length in lengths)
        assert max(lengths) - min(lengths) > 0.5 * len(tokens)
        used = [word for source, _ in made for word in source.split() if word[0] == "s"]
        assert len(used) == len(set(used))
        for source, target in made:
            numbers = [word[1:] for word in source.split() if word[0] == "s"]
            assert [word[1:] for word in target.split()] == numbers


def test_texts_end_with_the_pairs() -> None:
    assert texts_of_tokens(PAIRS[:3], LONG_TEXTS, count_words, 20) == []
    assert len(texts_of_tokens(PAIRS[:60], LONG_TEXTS, count_words, 20)) < 6
