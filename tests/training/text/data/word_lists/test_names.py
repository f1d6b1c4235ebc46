"""Names exchanged for others: the same on both sides, and right in their languages."""

from __future__ import annotations

import re
from random import Random

import pytest

from training.text.data.word_lists import names
from training.text.data.word_lists.names import contains_name, drawn, replace_names

PAIR = ("Tom and Mary went to Boston.", "Tom et Marie sont allés à Boston.")


def put(monkeypatch: pytest.MonkeyPatch, name: str, pair: tuple[str, str], to: str) -> str:
    """The other side of a pair, from English, with this name in it."""
    monkeypatch.setattr(names, "drawn", lambda kind, rng, made_up: name)
    return replace_names(pair, ("en", to), Random(0))[1]


def test_every_name_becomes_another_on_both_sides() -> None:
    seen = set()
    for seed in range(50):
        source, target = replace_names(PAIR, ("en", "fr"), Random(seed))
        found = re.fullmatch(r"(.+) and (.+) went to (.+)\.", source)
        assert found, source
        assert target == "{} et {} sont allés à {}.".format(*found.groups())
        seen.add(found.groups())
    assert len(seen) == 50
    assert len({first for first, _, _ in seen}) > 40, "hardly a name twice"


def test_it_is_the_same_for_the_same_seed() -> None:
    first, again, other = (replace_names(PAIR, ("en", "fr"), Random(seed)) for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize(
    ("pair", "kinds"),
    [
        (("Tom's dog", "Toms Hund"), ["man"]),
        (("I like Mary.", "Me gusta María."), ["woman"]),
        (("Tom left.", "Il est parti."), []),  # not named on the other side
        (("Tomorrow is Monday.", "Demain, c'est lundi."), []),
        (("Bostonians", "Les Bostoniens"), []),
    ],
)
def test_a_name_is_known_where_it_stands_on_both_sides(
    pair: tuple[str, str], kinds: list[str]
) -> None:
    assert [name.kind for name in contains_name(pair)] == kinds
    assert (replace_names(pair, ("en", "de"), Random(0)) != pair) == bool(kinds)


@pytest.mark.parametrize(
    ("name", "pair", "to", "renamed"),
    [
        ("Olivia", ("I think Mary is right.", "Je crois que Mary a raison."), "fr", "qu'Olivia"),
        ("Émile", ("Tom's house", "La maison de Tom"), "fr", "d'Émile"),
        ("Hugo", ("Tom's house", "La maison de Tom"), "fr", "de Hugo"),
        ("Yuki", ("Mary's house", "La maison de Mary"), "fr", "de Yuki"),
        ("Emma", ("Tom's house", "Toms Haus"), "de", "Emmas Haus"),
        ("Lucas", ("Tom's house", "Toms Haus"), "de", "Lucas' Haus"),
        ("Isabel", ("John and Mary", "John y Mary"), "es", "e Isabel"),
        ("Oscar", ("John or Tom", "John o Tom"), "es", "u Oscar"),
        ("Pablo", ("John and Tom", "John y Tom"), "es", "y Pablo"),
    ],
)
def test_the_words_beside_a_name_follow_it(
    monkeypatch: pytest.MonkeyPatch, name: str, pair: tuple[str, str], to: str, renamed: str
) -> None:
    assert renamed in put(monkeypatch, name, pair, to)


@pytest.mark.parametrize("kind", ["woman", "man", "family", "place"])
def test_many_names_are_made_up(kind: str) -> None:
    rng = Random(4)
    firsts = [drawn(kind, rng).split(" ")[0] for _ in range(400)]
    listed = sum(first in names._names()[kind] for first in firsts)
    assert 150 < listed < 300
    assert all(first[0].isupper() and len(first) > 1 for first in firsts)
    families = sum(" " in drawn(kind, rng) for _ in range(400))
    assert (40 < families < 120) == (kind in ("woman", "man"))
