"""Facts on which the captions of a photo agree: beings, things, colours, actions, places.

A caption is read by rules for what follows its noun phrases. What only one of them
says, or what another contradicts, is left out: a question needs one right answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from training.caption.lexicon import (
    ACTIONS,
    ADJECTIVES,
    COLOURS,
    NEEDS_OBJECT,
    NOT_THINGS,
    OBJECTS,
    ONLY_IN,
    PEOPLE,
    PLACES,
    PLURALS,
    PREPOSITIONS,
    SAME_ACTION,
    SINGULARS,
    THINGS,
    VAGUER,
)
from training.caption.phrases import Phrase, phrases
from training.caption.words import words

Fact = TypeVar("Fact", str, int)

ARTICLES = frozenset("a an the his her its their one another".split())
WEARING = frozenset("in wearing wears with".split())


class Said(NamedTuple):
    """A being in one caption, with its attributes."""

    who: Phrase
    action: str | None
    place: str | None
    wears: tuple[Phrase, ...]


@dataclass(slots=True)
class Scene:
    """Facts that the captions of one photo state, with counts."""

    beings: Counter[str] = field(default_factory=Counter)  # by name, captions that say it
    counts: dict[str, Counter[int]] = field(default_factory=dict)
    colours: dict[str, Counter[str]] = field(default_factory=dict)  # of a dog, a shirt, a ball
    worn: dict[tuple[str, str], Counter[str]] = field(default_factory=dict)  # who, what: colours
    actions: dict[str, Counter[str]] = field(default_factory=dict)  # of each being
    places: dict[str, Counter[str]] = field(default_factory=dict)
    plenty: set[str] = field(default_factory=set)  # of what there are several, so whose colour?
    told_apart: list[Said] = field(default_factory=list)  # who wears what, while doing something


def agreed(said: Counter[Fact], least: int = 2) -> Fact | None:
    """Return the fact that `least` captions state, and more than twice as many as any other."""
    ranked = said.most_common(2)
    if not ranked or ranked[0][1] < least:
        return None
    if len(ranked) > 1 and ranked[1][1] * 2 >= ranked[0][1]:
        return None
    return ranked[0][0]


def read_scene(captions: Sequence[str]) -> Scene:
    """The scene that these captions of one photo describe."""
    spoken = [list(_said(words(caption))) for caption in captions]
    names = _names([said.who for sentences in spoken for said in sentences])
    scene = Scene()
    for caption, sentences in zip(captions, spoken, strict=True):
        _add_beings(scene, sentences, names)
        _add_things(scene, list(phrases(words(caption))))
    scene.told_apart = [
        said._replace(who=said.who._replace(noun=names.get(said.who.noun, said.who.noun)))
        for sentences in spoken
        for said in sentences
        if said.action and any(worn.colours for worn in said.wears)
    ]
    return scene


def _add_beings(scene: Scene, spoken: Sequence[Said], names: dict[str, str]) -> None:
    seen: Counter[str] = Counter()
    vague: set[str] = set()
    for said in spoken:
        name = names.get(said.who.noun, said.who.noun)
        seen[name] += said.who.number
        if not said.who.number or said.who.another:
            vague.add(name)
        if said.action:
            scene.actions.setdefault(name, Counter())[said.action] += 1
        if said.place:
            scene.places.setdefault(name, Counter())[said.place] += 1
        for worn in said.wears:
            if worn.colours and said.who.number == 1:
                key = name, worn.noun
                scene.worn.setdefault(key, Counter())[_colour(worn)] += 1
    for name, count in seen.items():
        scene.beings[name] += 1
        scene.counts.setdefault(name, Counter())[0 if name in vague else count] += 1


def _add_things(scene: Scene, mentioned: Sequence[Phrase]) -> None:
    """Colours, of what is one of its kind in the caption."""
    kinds = Counter(phrase.noun for phrase in mentioned)
    for phrase in mentioned:
        if kinds[phrase.noun] > 1 or phrase.number != 1 or phrase.another:
            scene.plenty.add(phrase.noun)
        elif phrase.colours:
            scene.colours.setdefault(phrase.noun, Counter())[_colour(phrase)] += 1


def _colour(phrase: Phrase) -> str:
    return " and ".join(sorted(phrase.colours))


def _names(beings: Sequence[Phrase]) -> dict[str, str]:
    """A person and a child are the boy, where nobody knows of anybody else, nor of several."""
    if any(phrase.number != 1 for phrase in beings if phrase.noun in PEOPLE):
        return {}
    present = {phrase.noun for phrase in beings}
    exact = {name for name in present if not any(name in VAGUER.get(o, ()) for o in present)}
    return {
        vague: name
        for name in exact
        for vague in VAGUER.get(name, ())
        if sum(vague in VAGUER.get(other, ()) for other in exact) == 1
    }


def _said(tokens: Sequence[str]) -> Iterator[Said]:
    """Every being of a caption, with what it wears, does, and where."""
    noun_phrases = list(phrases(tokens))
    starts = {_with_article(tokens, phrase.start): phrase for phrase in noun_phrases}
    for who in noun_phrases:
        if who.kind != "being":
            continue
        place, wears = _clothes(tokens, who.end, starts)
        if place < len(tokens) and tokens[place] in ("is", "are"):
            place += 1
        action, place = _action(tokens, place, several=who.number != 1)
        yield Said(who, action, _place(tokens, place) if action else _place(tokens, who.end), wears)


def _with_article(tokens: Sequence[str], start: int) -> int:
    return start - 1 if start and tokens[start - 1] in ARTICLES else start


def _clothes(
    tokens: Sequence[str], place: int, starts: dict[int, Phrase]
) -> tuple[int, tuple[Phrase, ...]]:
    """Read clothes, `in a red shirt and blue shorts`, and return the next position."""
    worn: list[Phrase] = []
    go_on = place
    if place < len(tokens) and tokens[place] == "dressed":
        place += 1
    if place < len(tokens) and tokens[place] in WEARING:
        place += 1
        while (phrase := starts.get(place)) and phrase.kind == "clothing":
            worn.append(phrase)
            place = go_on = phrase.end
            if place < len(tokens) and tokens[place] in ("and", "with"):
                place += 1
    return go_on, tuple(worn)


def _action(tokens: Sequence[str], place: int, *, several: bool) -> tuple[str | None, int]:
    """Read an action from this position, and return the next position."""
    word = tokens[place] if place < len(tokens) else ""
    verb = FORMS.get(word)
    # `dogs run`, but not `the dog run`; `a man fish` is a slip.
    if verb is None or (word == verb and not several):
        return None, place
    objects = OBJECTS.get(verb, {})
    for ahead in range(place + 1, min(place + 5, len(tokens))):
        if tokens[ahead] in objects:
            after = tokens[ahead + 1] if ahead + 1 < len(tokens) else ""
            if (tokens[ahead], after) in NOT_THINGS:
                break
            return f"{gerund(verb)} {objects[tokens[ahead]]}", ahead + 1
        known = tokens[ahead] in ARTICLES or tokens[ahead] in ADJECTIVES or tokens[ahead] in COLOURS
        if not known and not (verb == "climb" and tokens[ahead] in ("up", "on")):
            break
    if verb in NEEDS_OBJECT:
        return None, place
    return gerund(SAME_ACTION.get(verb, verb)), place + 1


def _place(tokens: Sequence[str], start: int) -> str | None:
    """The first place named from here on, if nobody else comes before it."""
    for place in range(start, min(start + 6, len(tokens))):
        if tokens[place] in SINGULARS or tokens[place] in PLURALS:
            return None
        if tokens[place] not in PREPOSITIONS:
            continue
        for ahead in range(place + 1, min(place + 5, len(tokens))):
            word, after = tokens[ahead], tokens[ahead + 1] if ahead + 1 < len(tokens) else ""
            if word in PLACES and after not in PLACES and after not in THINGS:
                near = tokens[place] in ("by", "at") and word not in ("beach", "park")
                wrong = near or (word in ONLY_IN and tokens[place] not in ("on", "in", "down"))
                return None if wrong else PLACES[word]
            if word not in ARTICLES and word not in ADJECTIVES and word not in COLOURS:
                break
    return None


def gerund(verb: str) -> str:
    """running, riding, lying."""
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    if verb.endswith("e"):
        return f"{verb[:-1]}ing"
    if verb in ("run", "swim", "sit"):
        return f"{verb}{verb[-1]}ing"
    return f"{verb}ing"


def _forms() -> Iterator[tuple[str, str]]:
    for verb in {*ACTIONS, *OBJECTS}:
        third = "ies" if verb == "carry" else "es" if verb.endswith("ch") else "s"
        yield verb, verb
        yield gerund(verb), verb
        yield (verb[:-1] if verb == "carry" else verb) + third, verb


FORMS = dict(_forms())
