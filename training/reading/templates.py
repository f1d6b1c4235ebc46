"""Sentences whose verb agrees with a noun that is not the nearest: `the keys to the cabinet are`.

The second noun, the distractor, has the other number. Training and test share no noun, no
preposition, no verb of a clause and no opening.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, Literal, NamedTuple

Part = Literal["train", "test"]

IRREGULAR: Final = {
    "man": "men", "woman": "women", "child": "children", "knife": "knives", "shelf": "shelves",
}  # fmt: skip
PEOPLE: Final = {
    "train": "woman child teacher student doctor friend girl player worker singer nurse lawyer "
    "brother sister cousin guest artist dancer actor scientist visitor tourist "
    "customer passenger cook officer parent son daughter baby kid guy lady cowboy "
    "biker skier surfer swimmer runner painter musician fan stranger enemy prisoner "
    "patient man",
    "test": "boy farmer neighbor driver soldier writer",
}
THINGS: Final = {
    "train": "book car house tree dog cat picture letter window ball box bird flower "
    "table shirt shop bus bicycle road boat computer phone bag hat coat lamp clock "
    "horse bridge garden river mountain story plan machine tool gift knife room "
    "school hotel restaurant hospital store office building wall floor roof bench "
    "field park beach lake hill village town city country camera bed desk blanket "
    "pillow towel basket bowl spoon fork egg apple orange banana cake cookie sandwich "
    "newspaper magazine novel poem movie film game toy doll kite balloon stick rock "
    "stone branch bush rose cow pig goat chicken duck rabbit monkey elephant lion "
    "tiger bear snake whale spider bee butterfly jacket dress skirt shoe sock glove "
    "tie belt ring necklace watch wheel engine motorcycle taxi tent rope flag sign "
    "map ticket card stamp coin bill pen pencil paper note word sentence language "
    "question answer problem idea dream lie secret law rule job meeting party lesson "
    "test exam class team company bank factory museum library station light candle "
    "fire storm cloud star planet finger arm leg eye ear face head hand heart",
    "test": "key cabinet chair cup bottle plane train ship mirror farm island song shelf plate "
    "truck guitar street glass",
}
PREPOSITIONS: Final = {
    "train": ("near", "behind", "of", "with", "in front of", "on", "in", "by", "for", "above"),
    "test": ("to", "beside", "under", "from"),
}
CLAUSES: Final = {
    "train": ("saw", "found", "bought", "liked", "painted", "called"),
    "test": ("wanted", "brought", "lost"),
}
OPENINGS: Final = {
    "train": ("", "", "i think", "i know that", "yesterday", "tom said that"),
    "test": ("", "", "we heard that", "today"),
}
ADJECTIVES: Final = ("", "", "", "old", "small", "new", "red", "big")
DETERMINERS: Final = ("the", "the", "my", "our")
VERBS: Final = (("is", "are"), ("was", "were"), ("has", "have"))
ENDINGS: Final = {
    "is": ("on the table", "old", "not here", "very beautiful", "in the city", "still there"),
    "was": ("too expensive", "very old", "not there", "near the station", "in the house"),
    "has": ("been sold", "been here for years", "disappeared", "changed a lot"),
}


class Agreement(NamedTuple):
    """A sentence, and the places of head, distractor and verb among its words."""

    words: tuple[str, ...]
    head: int
    distractor: int
    verb: int
    wrong_verb: str  # the form that would agree with the distractor

    @property
    def text(self) -> str:
        """The sentence."""
        return " ".join(self.words)


@dataclass(frozen=True, slots=True)
class _Choices:
    nouns: tuple[tuple[str, str], ...]
    people: tuple[tuple[str, str], ...]
    part: Part


def _with_plurals(nouns: str) -> tuple[tuple[str, str], ...]:
    return tuple((noun, plural(noun)) for noun in nouns.split())


def plural(noun: str) -> str:
    """Return the plural of a noun of the lists."""
    if noun in IRREGULAR:
        return IRREGULAR[noun]
    if noun.endswith(("s", "sh", "ch", "x")):
        return f"{noun}es"
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2] not in "aeou" else f"{noun}s"


def agreements(part: Part, seed: str, nouns: Sequence[tuple[str, str]] = ()) -> Iterator[Agreement]:
    """Yield endless sentences, the same for the same seed, with further `nouns` and plurals."""
    rng = Random(f"{part} {seed}")
    people = _with_plurals(PEOPLE[part])
    choices = _Choices((*people, *_with_plurals(THINGS[part]), *nouns), people, part)
    while True:
        yield _draw(rng, choices)


def _draw(rng: Random, choices: _Choices) -> Agreement:
    part, number = choices.part, rng.randrange(2)
    words = rng.choice(OPENINGS[part]).split()
    head_noun = rng.choice(choices.nouns)
    words += _noun_phrase(rng, head_noun[number])
    head = len(words) - 1
    in_clause = rng.random() < 1 / 4
    other = rng.choice([noun for noun in (choices.people if in_clause else choices.nouns)
                        if noun != head_noun])  # fmt: skip
    words += ["that"] if in_clause else rng.choice(PREPOSITIONS[part]).split()
    words += _noun_phrase(rng, other[1 - number])
    distractor = len(words) - 1
    if in_clause:
        words.append(rng.choice(CLAUSES[part]))
    verbs = rng.choice(VERBS)
    words.append(verbs[number])
    ending = rng.choice(ENDINGS[verbs[0]]).split()
    verb = len(words) - 1
    return Agreement((*words, *ending, "."), head, distractor, verb, verbs[1 - number])


def _noun_phrase(rng: Random, noun: str) -> list[str]:
    return [*rng.choice(DETERMINERS).split(), *rng.choice(ADJECTIVES).split(), noun]


def held_out_nouns() -> frozenset[str]:
    """Return the nouns of the test, in both numbers."""
    nouns = f"{PEOPLE['test']} {THINGS['test']}"
    return frozenset(form for pair in _with_plurals(nouns) for form in pair)
