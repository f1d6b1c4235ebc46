"""Questions about the stories of `grammar.py`, with their answers and the facts that tell these."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, Literal, NamedTuple, get_args

from training.stories.grammar import (
    Events,
    Story,
    chain,
    holder_of,
    last_about,
    last_mention,
    place_of,
    whereabouts,
)
from training.stories.vocabulary import CANNOT_KNOW, NAMES, NO, NOBODY, NUMBERS, PLACES, THINGS, YES
from training.stories.wordings import BEFORE, BEFORE_CARRIED, COUNT, HAS, IN, WHERE, WHO

Kind = Literal["one", "two", "three", "given", "who", "yes-no", "count"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
HOPS = 3
NOTHING_READ = -1  # instead of the index of a sentence: the empty sentence

Hop = tuple[int, ...]  # the sentences that a hop should read alike


@dataclass(frozen=True, slots=True)
class Asked:
    """A question about events, its answer, and the sentences that each hop should read."""

    wordings: tuple[str, ...]
    subject: str
    answer: str
    hops: tuple[Hop, ...]
    supporting: tuple[int, ...]
    other: str = ""  # the place or person that is named beside the subject

    def ask(self, rng: Random) -> str:
        """Write the question."""
        subject = f"the {self.subject}" if self.subject in THINGS else self.subject
        return rng.choice(self.wordings).format(x=subject, p=self.other)


class Stage(NamedTuple):
    """A story, and the people and things that a question about it may name."""

    story: Story
    people: Sequence[str]
    things: Sequence[str]

    @classmethod
    def of(cls, story: Story, *, absent: bool) -> Stage:
        """Return the cast of a story, or all who are not in it."""
        if not absent:
            return cls(story, story.people, story.things)
        people = [name for name in NAMES if name not in story.people]
        return cls(story, people, [name for name in THINGS if name not in story.things])

    @property
    def events(self) -> Events:
        """The events of the story."""
        return self.story.events


def _asked(
    wordings: tuple[str, ...], subject: str, answer: str | None, facts: Hop, other: str = ""
) -> Asked:
    """A question whose facts are read one after the other; the last is read until the end.

    Without an answer, the hops after the last fact read nothing, and no sentence is supporting.
    """
    rest = NOTHING_READ if answer is None or not facts else facts[-1]
    hops = tuple((fact,) for fact in (*facts, *[rest] * (HOPS - len(facts))))
    supporting = () if answer is None else tuple(sorted(set(facts)))
    return Asked(wordings, subject, answer or CANNOT_KNOW, hops, supporting, other)


def ask_place(rng: Random, stage: Stage, *, held: bool) -> Asked | None:
    """Ask for the place of a person or a thing; `held`: of a thing that was handled."""
    events = stage.events
    if held or rng.random() < 0.3:
        thing = rng.choice(stage.things)
        facts = chain(events, thing)
        if len(facts) > 2 or (facts and held != (events[facts[0]].act != "go")):
            return None
        return _asked(WHERE, thing, _the(place_of(events, thing)), facts)
    person = rng.choice(stage.people)
    facts = whereabouts(events, person)
    if len(facts) > 1:
        return None
    return _asked(WHERE, person, _the(place_of(events, person)), facts)


def ask_given(rng: Random, stage: Stage) -> Asked | None:
    """Ask for the place of a thing that was given away."""
    events = stage.events
    thing = rng.choice(stage.things)
    facts = chain(events, thing)
    if facts and (events[facts[0]].act != "give" or len(facts) > 2):
        return None
    return _asked(WHERE, thing, _the(place_of(events, thing)), facts)


def ask_earlier(rng: Random, stage: Stage) -> Asked | None:
    """Ask for the place of a person or an animal before the last one of that name."""
    events = stage.events
    mover = rng.choice([*stage.people, *stage.things])
    moves = [i for i, event in enumerate(events) if event.act == "go" and event.actor == mover]
    first = moves[0] if moves else None
    if any(event.thing == mover for event in events) or whereabouts(events, mover, first):
        return None  # it was carried, or a gift tells where the person was first
    place = _place(rng, [events[move].place for move in moves], stage.story)
    visits = [at for at, move in enumerate(moves) if events[move].place == place]
    if len(visits) != 1:
        return None if visits else _asked(BEFORE, mover, None, (), place)
    facts = tuple(reversed(moves[max(visits[0] - 1, 0) : visits[0] + 1]))
    answer = _the(events[facts[1]].place) if len(facts) == 2 else None
    return _asked(BEFORE, mover, answer, facts, place)


def _the(place: str | None) -> str | None:
    """The answer that names a place."""
    return place and f"the {place}"


def _place(rng: Random, visited: Sequence[str], story: Story) -> str:
    """The last place that was visited, mostly, or another."""
    chance = rng.random()
    if visited and chance < 0.6:
        return visited[-1]
    return rng.choice(visited if visited and chance < 0.85 else story.places)


def ask_carried(rng: Random, stage: Stage) -> Asked | None:
    """Ask for the place of a thing before the one to which it was carried."""
    events = stage.events
    thing = rng.choice(stage.things)
    about = last_about(events, thing)
    if about is None:
        return _asked(BEFORE_CARRIED, thing, None, (), rng.choice(stage.story.places))
    arrivals: list[tuple[int, str]] = []
    for at in range(len(events)):
        now = place_of(events, thing, at + 1)
        if now is not None and (not arrivals or arrivals[-1][1] != now):
            arrivals.append((at, now))
    place = _place(rng, [name for _, name in arrivals], stage.story)
    visits = [at for at, (_, name) in enumerate(arrivals) if name == place]
    if not visits:
        return _asked(BEFORE_CARRIED, thing, None, (about,), place)
    at = arrivals[visits[0]][0]
    facts = chain(events, thing, at)
    went = events[at].act == "go"
    carried = went and bool(facts) and events[facts[0]].holder == events[at].actor
    if len(visits) > 1 or len(facts) > 2 or not carried:
        return None  # nobody carried it there, or it was there twice
    if len(facts) == 1:
        return _asked(BEFORE_CARRIED, thing, None, (facts[0], at), place)
    return _asked(
        BEFORE_CARRIED, thing, _the(events[facts[1]].place), (facts[0], at, facts[1]), place
    )


def ask_two(rng: Random, stage: Stage) -> Asked | None:
    """Ask a question of two facts."""
    return ask_earlier(rng, stage) if rng.random() < 0.25 else ask_place(rng, stage, held=True)


def ask_holder(rng: Random, stage: Stage) -> Asked:
    """Ask for the person who has a thing."""
    thing = rng.choice(stage.things)
    about = last_about(stage.events, thing)
    if about is None:
        return _asked(WHO, thing, None, ())
    return _asked(WHO, thing, holder_of(stage.events, thing) or NOBODY, (about,))


def ask_whether(rng: Random, stage: Stage) -> Asked:
    """Ask whether a person or thing is in a place, or whether a person has a thing."""
    events, chance = stage.events, rng.random()
    if chance < 0.2:
        thing, person = rng.choice(stage.things), rng.choice(stage.people)
        about = last_about(events, thing)
        if about is None:
            return _asked(HAS, thing, None, (), person)
        return _asked(HAS, thing, _yes(events[about].holder == person), (about,), person)
    if chance < 0.4:
        subject = rng.choice(stage.things)
        facts = chain(events, subject)
    else:
        subject = rng.choice(stage.people)
        facts = whereabouts(events, subject)
    now = place_of(events, subject)
    place = rng.choice(stage.story.places if rng.random() < 0.85 else PLACES)
    if now and rng.random() < 0.4:
        place = now
    return _asked(IN, subject, None if now is None else _yes(now == place), facts, place)


def _yes(holds: bool) -> str:
    return YES if holds else NO


def ask_number(rng: Random, stage: Stage) -> Asked | None:
    """Ask for the number of things that a person has.

    The first hop reads all that the person got, with nothing beside it, so that its weight tells
    their number; the second, all that the person lost; the third, the last mention of the person.
    """
    events = stage.events
    person = stage.people[0] if rng.random() < 0.7 else rng.choice(stage.people)
    mention = last_mention(events, person)
    if mention is None:
        return _asked(COUNT, person, None, ())
    got = tuple(i for i, event in enumerate(events) if event.holder == person)
    lost = tuple(i for i, e in enumerate(events) if e.act in ("drop", "give") and e.actor == person)
    number = len(got) - len(lost)
    had = {events[i].thing for i in got}
    unseen = any(events[i].thing not in had for i in lost)  # given away, but never taken before
    if number >= len(NUMBERS) or number < 0 or unseen or len(got) > 6:
        return None
    hops = ((NOTHING_READ, *got), (NOTHING_READ, *lost), (mention,))
    supporting = tuple(sorted(got + lost)) or (mention,)
    return Asked(COUNT, person, NUMBERS[number], hops, supporting)


ASKERS: Final[dict[Kind, Callable[[Random, Stage], Asked | None]]] = {
    "one": lambda rng, stage: ask_place(rng, stage, held=False),
    "two": ask_two,
    "three": ask_carried,
    "given": ask_given,
    "who": ask_holder,
    "yes-no": ask_whether,
    "count": ask_number,
}
"""The function that asks a question of each kind; it returns None if the story has none."""
