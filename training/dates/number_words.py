"""Numbers in English words, written with a pen that remembers which characters say which digit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
).split()
TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()
ORDINALS = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}
Slot = tuple[str, int]  # a digit of the target: which number it is in (Y, M, D or N), and its place


@dataclass(slots=True)
class Pen:
    """Writes the source and remembers which characters say which digit."""

    text: str = ""
    links: dict[Slot, set[int]] = field(default_factory=dict)

    def write(self, text: str, *slots: Slot) -> None:
        """Write `text`; it says these digits."""
        span = range(len(self.text), len(self.text) + len(text))
        for slot in slots:
            self.links.setdefault(slot, set()).update(span)
        self.text += text

    def fill(self, name: str, count: int, start: int) -> None:
        """Link the digits nobody said (the zeros of 2009) to the words they are heard between."""
        for place in range(count):
            if (name, place) in self.links:
                continue
            before = self.links.get((name, place - 1))
            after = next(
                (self.links[name, i] for i in range(place + 1, count) if (name, i) in self.links),
                None,
            )
            first = min(before) if before else start
            last = max(after) if after else len(self.text) - 1
            self.links[name, place] = set(range(first, last + 1))


def suffix(number: int) -> str:
    """The ending of a number that counts: 1st, 2nd, 3rd, 4th, 11th."""
    if number % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def ordinal_word(word: str) -> str:
    """The word that counts: "third" for "three", "twentieth" for "twenty"."""
    return ORDINALS.get(word) or (word[:-1] + "ieth" if word.endswith("y") else word + "th")


def say_below_hundred(
    pen: Pen, number: int, name: str, place: int, joint: str, *, ordinal: bool = False
) -> None:
    """A number below 100 whose two digits are `place` and the next; below 10 only the next."""
    turn: Callable[[str], str] = ordinal_word if ordinal else str
    if number < 20:
        both = ((name, place), (name, place + 1))
        pen.write(turn(SMALL[number]), *(both[1:] if number < 10 else both))
    elif number % 10 == 0:
        pen.write(turn(TENS[number // 10]), (name, place), (name, place + 1))
    else:
        pen.write(TENS[number // 10], (name, place))
        pen.write(joint)
        pen.write(turn(SMALL[number % 10]), (name, place + 1))


def say_number(
    rng: Random, pen: Pen, number: int, name: str, place: int, *, ordinal: bool = False
) -> None:
    """A number below a million in words, its first digit at `place`."""
    end = place + len(str(number))
    joint = rng.choice(("-", "-", " "))
    join_and = rng.random() < 0.6
    thousands, rest = divmod(number, 1000)
    if thousands == 1 and not pen.text and rng.random() < 0.2:
        pen.write("a", (name, end - 4))
        pen.write(" thousand")
    elif thousands:
        _say_below_thousand(rng, pen, thousands, name, end - 3, joint, join_and=join_and)
        pen.write(" " + ("thousandth" if ordinal and not rest else "thousand"))
    if thousands and not rest:
        return
    if thousands:
        pen.write(rng.choice((" ", ", ", " ")) if rest >= 100 else " and " if join_and else " ")
    _say_below_thousand(rng, pen, rest, name, end, joint, join_and=join_and, ordinal=ordinal)


def _say_below_thousand(
    rng: Random,
    pen: Pen,
    number: int,
    name: str,
    end: int,
    joint: str,
    *,
    join_and: bool,
    ordinal: bool = False,
) -> None:
    """A number below 1000 whose last digit is the one before `end`."""
    hundreds, rest = divmod(number, 100)
    if hundreds:
        hundred = "a" if hundreds == 1 and rng.random() < 0.2 and not pen.text else SMALL[hundreds]
        pen.write(hundred, (name, end - 3))
        pen.write(" " + ("hundredth" if ordinal and not rest else "hundred"))
        if not rest:
            return
        pen.write(" and " if join_and else " ")
    say_below_hundred(pen, rest, name, end - 2, joint, ordinal=ordinal)
