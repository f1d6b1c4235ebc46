"""A grammar of stories in which people walk, take, drop and give things, and its facts.

A sentence of going tells that a person is in a place; of one who never went anywhere, a gift tells
it, for it is given where the giver is. A thing is where the one who holds it is, or where it was
put down. People take and give things only where these are, as far as a story says so; in one story
of five they may do so across places, as careless writers let them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, Literal

from training.stories.vocabulary import ANIMALS, NAMES, PLACES, THINGS

LEAST, MOST = 2, 15  # sentences
ACROSS_PLACES = 0.2  # stories
THEN = 0.04  # sentences that begin with it
SOME = 0.1  # things written with the article `a` or `an`
UNSEEN = 0.3  # gifts of a thing that nobody was said to have, of those that could be

Act = Literal["go", "take", "drop", "give"]

GOING: Final = (
    "went to",
    "walked to",
    "moved to",
    "travelled to",
    "ran to",
    "is in",
    "is in",
    "journeyed to",
    "went back to",
    "is at",
)
TAKING: Final = ("took", "picked up", "got", "grabbed", "has", "took", "picked up")
DROPPING: Final = ("dropped", "put down", "set down", "dropped")
GIVING: Final = ("gave", "handed", "passed", "gave")


@dataclass(frozen=True, slots=True)
class Event:
    """A fact: an actor goes to a place, or handles a thing. A thing or an animal can be in one."""

    act: Act
    actor: str
    thing: str = ""
    place: str = ""
    receiver: str = ""

    @property
    def holder(self) -> str | None:
        """The person who has the thing afterwards."""
        return {"take": self.actor, "give": self.receiver}.get(self.act)

    def mentions(self, name: str) -> bool:
        """Return whether a person or thing takes part."""
        return name in (self.actor, self.thing, self.receiver)


Events = Sequence[Event]


# --- facts ------------------------------------------------------------------------------------


def last_move(events: Events, actor: str, before: int | None = None) -> int | None:
    """Return the index of the last event that brought an actor to a place."""
    return _last(events, before, lambda event: event.act == "go" and event.actor == actor)


def last_about(events: Events, thing: str, before: int | None = None) -> int | None:
    """Return the index of the last event that moved or handled a thing."""
    return _last(events, before, lambda event: thing in (event.thing, event.actor))


def last_mention(events: Events, name: str) -> int | None:
    """Return the index of the last event in which a person or thing takes part."""
    return _last(events, None, lambda event: event.mentions(name))


def _last(events: Events, before: int | None, fits: Callable[[Event], bool]) -> int | None:
    end = len(events) if before is None else before
    return next((place for place in reversed(range(end)) if fits(events[place])), None)


def whereabouts(events: Events, actor: str, before: int | None = None) -> tuple[int, ...]:
    """Return the facts that tell the place of an actor, of which the last names the place.

    The last move; of a person who never moved, the first gift by someone whose place is known,
    and the move of the giver.
    """
    move = last_move(events, actor, before)
    if move is not None:
        return (move,)
    for at, event in enumerate(events[:before]):
        if event.receiver == actor:
            there = last_move(events, event.actor, at)
            if there is not None:
                return at, there
    return ()


def chain(events: Events, thing: str, before: int | None = None) -> tuple[int, ...]:
    """Return the facts that tell the place of a thing, of which the last names the place.

    One fact if the thing was put there by the story; else the last event about the thing, and the
    whereabouts of the person who handled it. Incomplete if the story does not tell the place.
    """
    about = last_about(events, thing, before)
    if about is None:
        return ()
    event = events[about]
    if event.act == "go":
        return (about,)
    if event.holder is None:
        facts = whereabouts(events, event.actor, about)
    else:
        facts = whereabouts(events, event.holder, before)
    return (about, *(fact for fact in facts if fact != about))


def place_of(events: Events, name: str, before: int | None = None) -> str | None:
    """Return the place of a person or thing, or None if the story does not tell it."""
    facts = (chain if name in THINGS else whereabouts)(events, name, before)
    return events[facts[-1]].place or None if facts else None


def holder_of(events: Events, thing: str) -> str | None:
    """Return the person who has a thing."""
    about = last_about(events, thing)
    return None if about is None else events[about].holder


# --- stories ----------------------------------------------------------------------------------


@dataclass(slots=True)
class Story:
    """A story that is being written: its cast, and its events so far."""

    people: list[str]
    places: list[str]
    things: list[str]
    across: bool  # people may give and take things across places
    events: list[Event]

    @classmethod
    def write(cls, rng: Random, length: int, *, focus: float = 0.0, settled: bool = False) -> Story:
        """Write a story of this length.

        The first of its people acts in a share `focus` of it, and never moves if `settled`.
        """
        story = cls(
            rng.sample(NAMES, rng.randint(1 + settled, 4)),
            rng.sample(PLACES, rng.randint(2, 5)),
            rng.sample(THINGS, rng.randint(3, 6) if focus else rng.randint(1, 3)),
            rng.random() < ACROSS_PLACES,
            [],
        )
        while len(story.events) < length:
            hero = rng.random() < focus
            actor = story.people[0] if hero else rng.choice(story.people)
            event = story.draw(rng, actor, handling=0.7 if hero else 0.5)
            if settled and event and event.act == "go" and event.actor == story.people[0]:
                continue
            if event is not None:
                story.events.append(event)
        return story

    def draw(self, rng: Random, actor: str, handling: float) -> Event | None:
        """Draw what an actor may do next, or return None if that is nothing."""
        if rng.random() < handling:
            acts = (self.take, self.give, self.drop, self.put)
            return rng.choices(acts, (50, 22, 17, 11))[0](rng, actor)
        return self.go(rng, actor)

    def go(self, rng: Random, actor: str) -> Event | None:
        """A move to another place, often to one of the others."""
        here = place_of(self.events, actor)
        other = rng.choice(self.people + self.things)
        place = place_of(self.events, other) if rng.random() < 0.4 else None
        place = place or rng.choice(self.places)
        return None if place == here else Event("go", actor, place=place)

    def take(self, rng: Random, actor: str) -> Event | None:
        """A thing that nobody has, and that is where the actor is or was never mentioned."""
        thing = rng.choice(self.things)
        if holder_of(self.events, thing) is not None:
            return None
        if last_about(self.events, thing) is not None and not self.meet(actor, thing):
            return None
        return Event("take", actor, thing)

    def give(self, rng: Random, actor: str) -> Event | None:
        """A thing that the actor has, or may have had, to one of the others who may be there."""
        thing, receiver = rng.choice(self.things), rng.choice(self.people)
        about = last_about(self.events, thing)
        has = rng.random() < UNSEEN if about is None else self.events[about].holder == actor
        if receiver == actor or not has:
            return None
        here = last_move(self.events, actor) is not None
        joins = here and place_of(self.events, receiver) is None
        there = joins or self.meet(actor, receiver)
        return Event("give", actor, thing, receiver=receiver) if there else None

    def drop(self, rng: Random, actor: str) -> Event | None:
        """A thing of the actor's."""
        thing = rng.choice(self.things)
        return Event("drop", actor, thing) if holder_of(self.events, thing) == actor else None

    def put(self, rng: Random, actor: str) -> Event | None:
        """A thing that is in a place from the beginning, or an animal that nobody has."""
        del actor
        thing = rng.choice(self.things)
        about = last_about(self.events, thing)
        if about is not None and (thing not in ANIMALS or holder_of(self.events, thing)):
            return None
        place = rng.choice(self.places)
        return None if place == place_of(self.events, thing) else Event("go", thing, place=place)

    def meet(self, actor: str, other: str) -> bool:
        """Return whether two may be in one place, or in places of which neither is known."""
        here, there = place_of(self.events, actor), place_of(self.events, other)
        return here == there or (self.across and here is not None and there is not None)


def say(rng: Random, event: Event) -> str:
    """Write a sentence."""
    sentence = f"{named(event.actor)} {_predicate(rng, event)}"
    if rng.random() < THEN:
        return f"Then {sentence if sentence[:3] != 'The' else 't' + sentence[1:]}."
    return f"{sentence}."


def named(name: str) -> str:
    """Return a person's name, or a thing with its article at the beginning of a sentence."""
    return f"The {name}" if name in THINGS else name


def _predicate(rng: Random, event: Event) -> str:
    if event.act == "go":
        still = event.actor in THINGS and event.actor not in ANIMALS
        return f"{rng.choice(('is in', 'is at') if still else GOING)} the {event.place}"
    thing = f"the {event.thing}"
    if rng.random() < SOME:
        thing = f"{'an' if event.thing[0] in 'aeiou' else 'a'} {event.thing}"
    if event.act == "take":
        return f"{rng.choice(TAKING)} {thing}"
    if event.act == "give":
        return f"{rng.choice(GIVING)} {thing} to {event.receiver}"
    verb = rng.choice(DROPPING)
    if " down" in verb and rng.random() < 0.4:
        return f"{verb.removesuffix(' down')} {thing} down"
    return f"{verb} {thing}"
