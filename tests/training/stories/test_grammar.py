"""Stories and their questions: a simulator that reads the text alone comes to the same answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import islice

import pytest

from heed.models.families.memory.stories import lookup_form, split_words
from training.stories.examples import Example, examples
from training.stories.questions import HOPS, KINDS, Kind
from training.stories.vocabulary import ANSWERS, CANNOT_KNOW, NUMBERS, WORDS

COUNT = 200
ARTICLE = "(?:the|a|an)"
GO = re.compile(r"(?:the )?(\w+) (?:is|[\w ]+?) (?:in|at|to) the (\w+)")
GIVE = re.compile(rf"(\w+) (?:gave|handed|passed) {ARTICLE} (\w+) to (\w+)")
DROP = re.compile(rf"(\w+) (?:dropped|put|set)(?: down)? {ARTICLE} (\w+)(?: down)?")
TAKE = re.compile(rf"(\w+) (?:took|picked up|got|grabbed|has) {ARTICLE} (\w+)")


@cache
def made(kind: Kind, *, answerable: bool) -> tuple[Example, ...]:
    return tuple(islice(examples(f"test {kind}", kind, answerable=answerable), COUNT))


def words_in(text: str) -> list[str]:
    return [lookup_form(word.text) for word in split_words(text)]


class World:
    """Reads a story from its beginning, and keeps the state of everything."""

    def __init__(self, sentences: Sequence[str]) -> None:
        self.places: dict[str, str] = {}  # of people, and of things that nobody holds
        self.holders: dict[str, str | None] = {}
        self.known: set[str] = set()
        self.been: dict[str, list[str]] = {}
        for sentence in sentences:
            self.read(sentence.lower().removeprefix("then ").rstrip("."))
            for name in self.known:
                place, been = self.place(name), self.been.setdefault(name, [])
                if place and (not been or been[-1] != place):
                    been.append(place)

    def read(self, text: str) -> None:
        if match := GIVE.fullmatch(text):
            giver, thing, receiver = match.groups()
            self.holders[thing] = receiver
            if giver in self.places:
                self.places.setdefault(receiver, self.places[giver])
            self.known |= {giver, thing, receiver}
        elif match := DROP.fullmatch(text):
            actor, thing = match.groups()
            self.holders[thing] = None
            self.places.pop(thing, None)
            if actor in self.places:
                self.places[thing] = self.places[actor]
            self.known |= {actor, thing}
        elif match := TAKE.fullmatch(text):
            actor, thing = match.groups()
            self.holders[thing] = actor
            self.known |= {actor, thing}
        elif match := GO.fullmatch(text):
            name, place = match.groups()
            self.places[name] = place
            self.known.add(name)
        else:
            raise AssertionError(text)

    def place(self, name: str) -> str | None:
        holder = self.holders.get(name)
        return self.places.get(holder if holder else name)

    def answer(self, question: str) -> str:
        words = [word for word in words_in(question) if word not in ("the", "now", "at")]
        names = [word for word in words if word in WORDS[3:63]]
        if "before" in words:
            name, place = names if words[0] != "before" else names[::-1]
            been = self.been.get(name, [])
            at = been.index(place) if place in been else 0
            return f"the {been[at - 1]}" if at else CANNOT_KNOW
        if words[:2] == ["how", "many"]:
            held = sum(holder == names[0] for holder in self.holders.values())
            return NUMBERS[held] if names[0] in self.known else CANNOT_KNOW
        if words[0] == "who":
            if names[0] not in self.known:
                return CANNOT_KNOW
            return (self.holders.get(names[0]) or "nobody").title().replace("Nobody", "nobody")
        if words[0] in ("does", "has") or {"holding", "carrying"} & set(words):
            person, thing = names
            if thing not in self.known:
                return CANNOT_KNOW
            return "yes" if self.holders.get(thing) == person else "no"
        place = self.place(names[0])
        if place is None:
            return CANNOT_KNOW
        if words[0] == "is":
            return "yes" if place == names[1] else "no"
        return f"the {place}"


@pytest.mark.parametrize("answerable", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_the_answer_is_that_of_a_simulator(kind: Kind, answerable: bool) -> None:
    for example in made(kind, answerable=answerable):
        assert World(example.sentences).answer(example.question) == example.answer, example
        assert (example.answer != CANNOT_KNOW) == answerable == example.answerable
        assert example.answer in ANSWERS


@pytest.mark.parametrize("kind", KINDS)
def test_the_supporting_sentences_are_enough(kind: Kind) -> None:
    for example in made(kind, answerable=True):
        kept = [example.sentences[fact] for fact in example.supporting]
        assert World(kept).answer(example.question) == example.answer, example


@pytest.mark.parametrize(("kind", "facts"), [("one", {1}), ("two", {2}), ("three", {3})])
def test_a_kind_is_named_after_the_number_of_its_facts(kind: Kind, facts: set[int]) -> None:
    assert {len(example.supporting) for example in made(kind, answerable=True)} == facts


def test_the_hops_read_supporting_sentences_and_nothing_else() -> None:
    for kind in KINDS:
        for example in made(kind, answerable=True):
            assert len(example.hops) == HOPS
            read = {fact for hop in example.hops for fact in hop} - {-1}
            assert set(example.supporting) <= read
            if kind != "count":  # whose last hop reads a mention
                assert set(example.supporting) == read


def test_an_unanswerable_question_ends_at_nothing() -> None:
    for kind in KINDS:
        for example in made(kind, answerable=False):
            assert example.supporting == ()
            assert example.hops[-1] == (-1,)


def test_every_word_is_known_and_stories_are_short_enough() -> None:
    for kind in KINDS:
        for example in made(kind, answerable=True):
            assert 2 <= len(example.sentences) <= 15
            for text in (*example.sentences, example.question):
                assert set(words_in(text)) <= set(WORDS), text
                assert len(words_in(text)) <= 12


def test_yes_is_as_frequent_as_no_and_no_number_is_rare() -> None:
    whether = [example.answer for example in made("yes-no", answerable=True)]
    assert 0.4 < whether.count("yes") / COUNT < 0.6
    numbers = [example.answer for example in made("count", answerable=True)]
    assert all(numbers.count(number) > COUNT / 10 for number in NUMBERS)


def test_the_same_seed_gives_the_same_stories() -> None:
    assert list(islice(examples(7), 30)) == list(islice(examples(7), 30))
    assert list(islice(examples(7), 30)) != list(islice(examples(8), 30))
