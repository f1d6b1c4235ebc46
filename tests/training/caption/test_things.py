"""Things named: content words, and how many of them a caption has."""

import pytest

from training.caption.things import content_words, singular, things_named


def test_content_words_leave_out_colours_numbers_people_and_standing() -> None:
    caption = "two women and a young man are standing beside a red bus in front of tall houses"
    assert content_words(caption) == {"young", "bus", "tall", "house"}


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("dogs", "dog"),
        ("benches", "bench"),
        ("boxes", "box"),
        ("puppies", "puppy"),
        ("ties", "tie"),
        ("grass", "grass"),
        ("bus", "bus"),
        ("tennis", "tennis"),
    ],
)
def test_plurals_are_counted_as_the_thing(word: str, expected: str) -> None:
    assert singular(word) == expected


def test_only_what_all_people_mention_is_counted() -> None:
    references = [
        ["a dog on a sofa", "the dog lies near a lamp"],
        ["zebras graze in a field", "a zebra in a dry field"],
    ]
    assert things_named(["a dog by a lamp", "a horse in a field"], references) == 2 / 3
    assert things_named(["nothing"], [["a man", "a man"]]) == 0
