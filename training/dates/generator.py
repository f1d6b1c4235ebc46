"""A generator of dates and numbers as people write them, with known character alignments.

The task of the tutorials: free-form English to one notation. Only what the source says is written:
a date becomes `1979-05-03`, a month `1979-05`, a year `1979`, a day without its year `--05-03`
(as XML Schema writes it), and any other number up to 999,999 its digits.

Every digit of the target is linked to the characters that say it. Models never see the links; they
serve to measure attention.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from training.dates.number_words import SMALL, Pen, Slot, say_below_hundred, say_number, suffix

MONTHS = (
    "january february march april may june july august september october november december"
).split()
SHORT_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
PREFIXES: tuple[str, ...] = (
    *("on ", "since ", "from ", "until ", "by ", "before ", "after ", "dated ", "date: "),
    *("born on ", "born ", "due ", "till ", "as of ", "it was ", "at ", "in "),
    *("my birthday is ", "i was born on ", "we met on ", "it happened on ", "today is "),
    *("see you on ", "the meeting is on ", "the war ended on ", "it is ", "updated: "),
    *("deadline: ", "published on ", "we will arrive on ", "let us meet on ", "started "),
)
FILLER = (
    "the a and but so we i they he she it was is be will would come came go went see saw met "
    "before after then there here again only just about around party school house river train "
    "letter king war paper meeting birthday baby old new last next good at in from to by "
    "with for of my our your their paris london berlin mary john"
).split()
SUFFIXES = (".", ".", "!", "?", " ad", " a.d.", " ce", ", please", ";", " at last")


@dataclass(slots=True)
class Example:
    """A source, its target, and the source characters that say each target character."""

    source: str
    target: str
    links: tuple[frozenset[int], ...]


def held_out(target: str) -> bool:
    """Return whether this target is held out from training, in all its spellings."""
    return zlib.crc32(target.encode()) % 20 == 0


def examples(seed: int, *, test: bool = False) -> Iterator[Example]:
    """Yield endless examples, the same for the same seed; `test` gives only held-out targets."""
    rng = Random(seed)
    while True:
        example = draw(rng)
        if held_out(example.target) == test and len(example.source) <= 110:
            yield example


def draw(rng: Random) -> Example:
    """One example: mostly whole dates, some months, years, days and plain numbers."""
    pen = Pen()
    filled = rng.random()
    if filled < 0.06:
        pen.write(_filler(rng) + rng.choice((" on ", ", ", ": ", " ", " in ")))
    target = _phrase(rng, pen)
    if rng.random() < 0.08:
        pen.write(rng.choice(SUFFIXES))
    if 0.03 < filled < 0.09:
        pen.write(rng.choice((" ", ", ", ". ")) + _filler(rng))
    return _example(pen, target)


def _filler(rng: Random) -> str:
    """Words that say nothing: people write sentences around their dates."""
    return " ".join(rng.choice(FILLER) for _ in range(rng.randint(1, 5)))


def _phrase(rng: Random, pen: Pen) -> list[Mark]:
    kind = rng.random()
    if kind < 0.68:
        year, month, day = _year(rng), rng.randint(1, 12), rng.randint(1, 31)
        _prefix(rng, pen)
        rng.choices((_day_first, _month_first, _year_first, _figures), (40, 30, 10, 20))[0](
            rng, pen, year, month, day
        )
        target = [*_digits("Y", f"{year}"), "-", *_digits("M", f"{month:02}"), "-"]
        target += _digits("D", f"{day:02}")
    elif kind < 0.74:
        year, month = _year(rng), rng.randint(1, 12)
        _prefix(rng, pen)
        _month_and_year(rng, pen, year, month)
        target = [*_digits("Y", f"{year}"), "-", *_digits("M", f"{month:02}")]
    elif kind < 0.80:
        month, day = rng.randint(1, 12), rng.randint(1, 31)
        _prefix(rng, pen)
        _weekday(rng, pen)
        _day_and_month(rng, pen, month, day)
        target = ["-", "-", *_digits("M", f"{month:02}"), "-", *_digits("D", f"{day:02}")]
    elif kind < 0.88:
        year = _year(rng)
        if rng.random() < 0.3:
            pen.write(rng.choice(("in ", "the year ", "in the year ", "since ", "year ")))
        _say_year(rng, pen, year, short=rng.random() < 0.1, mark="'")
        target = [*_digits("Y", f"{year}")]
    else:
        number = int(10 ** rng.triangular(0, 6, 6)) if rng.random() < 0.9 else rng.randint(0, 20)
        _number(rng, pen, min(number, 999_999))
        target = [*_digits("N", f"{min(number, 999_999)}")]
    return target


Mark = str | tuple[str, Slot]  # a character of the target, with its slot if it is a digit


def _digits(name: str, digits: str) -> Iterator[Mark]:
    return ((digit, (name, place)) for place, digit in enumerate(digits))


def _example(pen: Pen, target: list[Mark]) -> Example:
    source = pen.text.rstrip()
    marks = [(mark, None) if isinstance(mark, str) else mark for mark in target]
    links = (pen.links.get(slot, set()) if slot else set() for _, slot in marks)
    return Example(
        source,
        "".join(character for character, _ in marks),
        tuple(frozenset(i for i in link if i < len(source)) for link in links),
    )


# --- whole dates ------------------------------------------------------------------------------


def _prefix(rng: Random, pen: Pen) -> None:
    if rng.random() < 0.15:
        pen.write(rng.choice(PREFIXES))


def _weekday(rng: Random, pen: Pen, chance: float = 0.25) -> None:
    """A day of the week, right or wrong: it says nothing that is not said elsewhere."""
    if rng.random() < chance:
        day = rng.choice(WEEKDAYS)
        short = day[: rng.choice((3, 3, 4))] if rng.random() < 0.4 else _misspelt(rng, day)
        pen.write(short + rng.choice((" ", " ", ", ", ",", ". " if len(short) < 5 else ", ")))
        if rng.random() < 0.15:
            pen.write("the ")


def _day_first(rng: Random, pen: Pen, year: int, month: int, day: int) -> None:
    """Like "thursday 7 march 2024", "the 3rd of may, 1979", "3-may-79"."""
    _weekday(rng, pen)
    if rng.random() < 0.12:
        joint = rng.choice("-./ ")
        _say_day(rng, pen, day, style="figures")
        pen.write(joint)
        _say_month(rng, pen, month)
        pen.write(joint)
        _say_year(rng, pen, year, words=False)
        return
    _day_and_month(rng, pen, month, day, turned=False)
    pen.write(rng.choice((" ", " ", " ", ", ", ",", " of ", " in ", " in the year ")))
    _say_year(rng, pen, year, short=rng.random() < 0.13)
    if rng.random() < 0.05:
        pen.write(rng.choice((", ", " (", " ")) + rng.choice(WEEKDAYS))
        if "(" in pen.text:
            pen.write(")")


def _month_first(rng: Random, pen: Pen, year: int, month: int, day: int) -> None:
    """Like "May 3, 1979", "may the third nineteen seventy-nine"."""
    _weekday(rng, pen)
    _day_and_month(rng, pen, month, day, turned=True)
    pen.write(rng.choice((" ", ", ", ", ", ",", " of ", " in ")))
    _say_year(rng, pen, year, short=rng.random() < 0.1)


def _year_first(rng: Random, pen: Pen, year: int, month: int, day: int) -> None:
    """Like "1979 may 3", "in 1979, on the 3rd of may"."""
    if rng.random() < 0.2:
        pen.write("in ")
    words = rng.random() < 0.35
    _say_year(rng, pen, year, words=words)
    joints = (", ", ", on ", " on ", ": ")  # "nineteen seventy third of may" could be either
    pen.write(rng.choice(joints if words else (*joints, " ", " ", " ", "-")))
    _day_and_month(rng, pen, month, day)


def _figures(rng: Random, pen: Pen, year: int, month: int, day: int) -> None:
    """Like "1979-05-03", "3.5.1979", "3/5/79", "5/13/1979", "19790503".

    Day before month, as most of the world writes; month before day only where the second number
    is past 12 and so cannot be the month.
    """
    padded = rng.random() < 0.6
    style = rng.random()
    if style < 0.08:
        for name, digits in (("Y", f"{year}"), ("M", f"{month:02}"), ("D", f"{day:02}")):
            _write_figures(pen, name, digits, digits)
        return
    joint = rng.choice(("-", "/", ".", " ", " / ", " - ", ". ", "-", "/", "."))
    if style < 0.45:
        parts = "YMD"
    elif day > 12 and style < 0.6:
        parts = "MDY"
    else:
        parts = "DMY"
    for place, part in enumerate(parts):
        if place:
            pen.write(joint)
        if part == "Y":
            _say_year(rng, pen, year, words=False, short=parts != "YMD" and rng.random() < 0.2)
        else:
            digits = f"{month if part == 'M' else day:02}"
            _write_figures(pen, part, digits, digits if padded else str(int(digits)))


def _month_and_year(rng: Random, pen: Pen, year: int, month: int) -> None:
    """Like "may 1979", "1979-05", "05/1979"."""
    style = rng.random()
    if style < 0.7:
        _say_month(rng, pen, month)
        pen.write(rng.choice((" ", " ", " ", ", ", " of ", "-", "/", " in ")))
        _say_year(rng, pen, year, short=rng.random() < 0.1, mark="'")
    elif style < 0.85:
        _write_figures(pen, "Y", f"{year}", f"{year}")
        pen.write(rng.choice("-/."))
        _write_figures(pen, "M", f"{month:02}", f"{month:02}")
    else:
        _write_figures(pen, "M", f"{month:02}", rng.choice((f"{month:02}", f"{month}")))
        pen.write(rng.choice("-/."))
        _write_figures(pen, "Y", f"{year}", f"{year}")


def _day_and_month(
    rng: Random, pen: Pen, month: int, day: int, *, turned: bool | None = None
) -> None:
    """Like "the 3rd of may" or, turned, "may 3rd"."""
    if turned if turned is not None else rng.random() < 0.4:
        _say_month(rng, pen, month)
        pen.write(rng.choice((" ", " ", " ", " the ", ", ", "-")))
        _say_day(rng, pen, day)
    else:
        ordinal = rng.random() < 0.7
        if ordinal and rng.random() < 0.5:
            pen.write("the ")
        _say_day(rng, pen, day, style=None if ordinal else "figures")
        pen.write(
            " of " if ordinal and rng.random() < 0.6 else rng.choice((" ", " ", " ", "-", ". "))
        )
        _say_month(rng, pen, month)


# --- the parts of a date ----------------------------------------------------------------------


def _year(rng: Random) -> int:
    """A year: mostly of the last hundred and the next thirty, all from 1000 to 2999 possible."""
    band = rng.random()
    if band < 0.6:
        return rng.randint(1900, 2049)
    return rng.randint(1500, 2099) if band < 0.85 else rng.randint(1000, 2999)


def _write_figures(pen: Pen, name: str, digits: str, written: str) -> None:
    """Figures: each digit says itself; a zero left out is said by the figures that stand there."""
    start = len(pen.text)
    left_out = len(digits) - len(written)
    for place, digit in enumerate(written, start=left_out):
        pen.write(digit, (name, place))
    for place in range(left_out):
        pen.links[name, place] = set(range(start, len(pen.text)))


def _say_year(
    rng: Random,
    pen: Pen,
    year: int,
    *,
    words: bool | None = None,
    short: bool = False,
    mark: str = "",
) -> None:
    """A year in figures or words; `short` leaves the century to '69 … '68, after a `mark`."""
    digits = f"{year}"
    start = len(pen.text)
    if short and 1969 <= year <= 2068:
        pen.write(mark or rng.choice(("'", "'", "")))
        _write_figures(pen, "Y", digits[2:], digits[2:])
        shown = set(range(start, len(pen.text)))
        shift = {("Y", i): pen.links["Y", i - 2] for i in (2, 3)}
        pen.links |= shift
        pen.links["Y", 0] = pen.links["Y", 1] = shown
        return
    if words is None:
        words = rng.random() < 0.35
    if not words:
        _write_figures(pen, "Y", digits, digits)
        return
    hundreds, rest = divmod(year, 100)
    joint = rng.choice((" ", "-", " "))
    even = hundreds % 10 == 0  # two thousand and nine, but not one thousand nine hundred and nine
    if (even and rng.random() < 0.5) or rng.random() < 0.1 or (even and rest == 0):
        say_number(rng, pen, year, "Y", 0)
    else:
        say_below_hundred(pen, hundreds, "Y", 0, joint)
        if rest == 0:
            pen.write(" ")
            pen.write("hundred", ("Y", 2), ("Y", 3))
        elif rest < 10:
            pen.write(" ")
            pen.write(rng.choice(("oh", "o", "hundred and", "hundred", "zero")), ("Y", 2))
            pen.write(" ")
            pen.write(SMALL[rest], ("Y", 3))
        else:
            pen.write(rng.choice((" ", " ", " ", " hundred and ", "-")))
            say_below_hundred(pen, rest, "Y", 2, joint)
    pen.fill("Y", 4, start)


def _say_month(rng: Random, pen: Pen, month: int) -> None:
    name = MONTHS[month - 1]
    slots = ("M", 0), ("M", 1)
    if rng.random() < 0.3:
        short = "sept" if month == 9 and rng.random() < 0.5 else SHORT_MONTHS[month - 1]
        pen.write(short + rng.choice(("", ".")), *slots)
    else:
        pen.write(_misspelt(rng, name), *slots)


def _misspelt(rng: Random, word: str) -> str:
    """Now and then one slip of the pen, in words long enough to stay recognisable."""
    if len(word) < 6 or rng.random() > 0.05:
        return word
    at = rng.randrange(1, len(word) - 1)
    return rng.choice(
        (
            word[:at] + word[at + 1 :],
            word[:at] + word[at] + word[at:],
            word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        )
    )


def _say_day(rng: Random, pen: Pen, day: int, style: str | None = None) -> None:
    style = style or rng.choices(("figures", "ordinal", "words"), (30, 45, 25))[0]
    digits = f"{day:02}"
    start = len(pen.text)
    if style == "words":
        say_below_hundred(pen, day, "D", 0, rng.choice(("-", "-", " ")), ordinal=True)
        pen.fill("D", 2, start)
        return
    _write_figures(pen, "D", digits, digits if rng.random() < 0.2 else str(day))
    if style == "ordinal":
        pen.write(suffix(day), ("D", 1))
        if day < 10:
            pen.links["D", 0].update(pen.links["D", 1])


def _number(rng: Random, pen: Pen, number: int) -> None:
    """A plain number: "forty-two", "12,304", "the 42nd"."""
    digits = f"{number}"
    style = rng.random()
    ordinal = rng.random() < 0.15 and number > 0
    if ordinal and rng.random() < 0.5:
        pen.write("the ")
    start = len(pen.text)
    if style < 0.65:
        say_number(rng, pen, number, "N", 0, ordinal=ordinal)
        pen.fill("N", len(digits), start)
        return
    separator = rng.choice(("", "", ",", " "))
    for place, digit in enumerate(digits):
        if separator and place and (len(digits) - place) % 3 == 0:
            pen.write(separator)
        pen.write(digit, ("N", place))
    if ordinal:
        pen.write(suffix(number), ("N", len(digits) - 1))
