"""Edits of attention as a person writes them, such as `block 'not' at 4`.

    edit   = operation {clause}
    operation = ("block" | "only" | "silence") keys | "scale" keys "by" number
           | "set" keys "to" number | "temperature" number | "uniform" | "permute" [number]
           | "row" number {"," number} | "gate" number
    clause = ("at" | "layer" | "head") places | "kind" name | "axis" name
    keys   = places | word {"," word} | "box" number "," number "," number "," number
    places = "all" | part {"," part}
    part   = number | number "-" number

A word stands in quotes. Layers, heads, keys and steps (`at`) count from 0.
"""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple, NoReturn

from heed.app.commands.errors import RefusedError

TOKEN: Final = re.compile(r"""\s*(?:'([^']*)'|"([^"]*)"|([a-z][a-z-]*)|([\d.]+(?:e-?\d+)?)|(\S))""")
ON_KEYS: Final = {"block": None, "only": None, "silence": None, "scale": "by", "set": "to"}
"""The operations on keys, and the word before their number."""
NUMBERS: Final = {"scale": "factor", "set": "weight", "temperature": "temperature", "gate": "value"}
PLACES: Final = {"at": "queries", "layer": "layers", "head": "heads"}
NAMES: Final = ("kind", "axis")
OPERATIONS: Final = (*ON_KEYS, "temperature", "uniform", "permute", "row", "gate")


class _Token(NamedTuple):
    """A piece of an edit: its kind, its text, and the character at which it begins."""

    kind: str
    text: str
    start: int


def parse_edit(text: str) -> dict[str, Any]:
    """Return an edit as an object of the API, or raise a `RefusedError`."""
    return _Parser(text).edit()


class _Parser:
    """Reads an edit token by token."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(_tokens(text))
        self._at = 0

    def edit(self) -> dict[str, Any]:
        """Return the whole edit."""
        op = self._one_of(OPERATIONS, "an operation: " + ", ".join(OPERATIONS))
        fields: dict[str, Any] = {"op": op}
        if op in ON_KEYS:
            fields |= self._keys()
            if before := ON_KEYS[op]:
                self._one_of((before,), f"'{before}' and a number")
        if op in NUMBERS:
            fields[NUMBERS[op]] = self._number()
        elif op == "permute" and self._next.kind == "number":
            fields["seed"] = self._whole()
        elif op == "row":
            fields["weights"] = self._several(self._number)
        while self._next.kind != "end":
            fields |= self._clause()
        return fields

    def _clause(self) -> dict[str, Any]:
        known = (*PLACES, *NAMES)
        name = self._one_of(known, "the end, or " + ", ".join(known))
        if name in NAMES:
            return {name: self._take("name", f"a name behind '{name}'").text}
        return {PLACES[name]: self._places()}

    def _keys(self) -> dict[str, Any]:
        if self._next.kind == "word":
            return {"words": self._several(lambda: self._take("word", "a word in quotes").text)}
        if self._next.text == "box":
            start = self._take("name", "").start
            box = self._several(self._number)
            if len(box) != 4:
                self._refuse("four numbers: left, top, width and height", start)
            return {"box": box}
        if self._next.kind != "number" and self._next.text != "all":
            self._refuse("keys: numbers, 'words' in quotes, or a box", self._next.start)
        return {"keys": self._places()}

    def _places(self) -> object:
        if self._next.text == "all":
            return self._take("name", "").text
        parts = self._several(self._part)
        if len(parts) == 1:
            first, last = parts[0]
            return first if first == last else {"first": first, "last": last}
        return [place for first, last in parts for place in range(first, last + 1)]

    def _part(self) -> tuple[int, int]:
        first = last = self._whole()
        if self._next.text == "-":
            self._at += 1
            start = self._next.start
            last = self._whole()
            if last < first:
                self._refuse(f"a number from {first} on", start)
        return first, last

    def _several(self, read: Any) -> list[Any]:
        items = [read()]
        while self._next.text == "," and self._next.kind == "sign":
            self._at += 1
            items.append(read())
        return items

    def _number(self) -> float:
        token = self._take("number", "a number")
        try:
            return float(token.text)
        except ValueError:
            self._refuse("a number", token.start)

    def _whole(self) -> int:
        token = self._take("number", "a whole number")
        if not token.text.isdecimal() or len(token.text) > 10:
            self._refuse("a whole number", token.start)
        return int(token.text)

    def _one_of(self, names: tuple[str, ...], expected: str) -> str:
        if self._next.kind != "name" or self._next.text not in names:
            self._refuse(expected, self._next.start)
        return self._take("name", expected).text

    def _take(self, kind: str, expected: str) -> _Token:
        token = self._next
        if token.kind != kind:
            self._refuse(expected, token.start)
        self._at += 1
        return token

    @property
    def _next(self) -> _Token:
        if self._at < len(self._tokens):
            return self._tokens[self._at]
        return _Token("end", "", len(self._text))

    def _refuse(self, expected: str, start: int) -> NoReturn:
        """Point at the character that does not fit."""
        shown = "".join(character if character.isprintable() else "?" for character in self._text)
        message = f"--edit needs {expected} at character {start + 1}.\n  {shown}\n  {' ' * start}^"
        raise RefusedError(message)


def _tokens(text: str) -> list[_Token]:
    kinds = ("word", "word", "name", "number", "sign")
    pieces = []
    for match in TOKEN.finditer(text):
        group = match.lastindex or 1
        start = match.start(group) - (kinds[group - 1] == "word")
        pieces.append(_Token(kinds[group - 1], match[group], start))
    return pieces
