"""Of Plotly's bundle the part that draws heatmaps, which are all that our pages have.

The bundle knows 47 kinds of traces, maps and their WebGL among them, and starts them all when it
is loaded, which takes a browser longer than everything else on a page together. esbuild wrote it,
one function to a module, each with a name that no other has, and the last one lists the kinds. So
that list becomes shorter, and of the modules only those stay that are named in one that stays. A
bundle that is built otherwise is left as it is.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

_HEATMAP = b'moduleType:"trace",name:"heatmap"'
_REGISTERED = b".register(["
_LIST = re.compile(re.escape(_REGISTERED) + rb"((?:[\w$]+\(\),?)+)\]\)")
_MODULE = re.compile(rb"var ([\w$]+)=([\w$]+)\(")
_BEFORE = (b";var ", b"}var ", b"\nvar ")
_LAST = b"})();"  # what comes behind are licences
_USED = re.compile(rb"(?:(?<![\w$.])|(?<=\.\.\.))[A-Za-z_$][\w$]*")
# What esbuild puts in front: how a module of the newer kind is begun, and what it gives to others.
_BEGUN = re.compile(rb"[ ,]([\w$]+)=\(\w,\w,\w\)=>\(\)=>\{if\(")
_GIVEN = re.compile(rb"[ ,]([\w$]+)=\(\w,\w\)=>\{for\(var \w in \w\)[\w$]+\(\w,\w,\{get:")
_LETTERS = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$")


class _Module(NamedTuple):
    name: bytes
    wrapper: bytes  # the function that makes a module of another


def with_heatmaps_alone(bundle: bytes) -> bytes:
    """What of the bundle draws heatmaps; all of it if it is not built as expected."""
    found = _LIST.match(bundle, max(bundle.rfind(_REGISTERED), 0))
    heatmap = _module_around(bundle, _HEATMAP)
    entry = heatmap and _module_around(bundle, b".exports=%s()" % heatmap.name)
    if not found or not entry or entry.name + b"()" not in found[1].split(b","):
        return bundle
    start, end = found.span(1)
    shorter = bundle[:start] + entry.name + b"()" + bundle[end:]
    return _what_is_used(shorter, entry.wrapper) or bundle


def _module_around(bundle: bytes, what: bytes) -> _Module | None:
    place = bundle.find(what)
    start = bundle.rfind(b"var ", 0, place) if place >= 0 else -1
    named = _MODULE.match(bundle, start) if start >= 0 else None
    return named and _Module(*named.groups())


def _what_is_used(bundle: bytes, wrapper: bytes) -> bytes | None:
    """The bundle without the modules that nothing names in those that stay."""
    starts = {
        place - len("var "): name
        for place, name in _names_before(bundle, b"=%s(" % wrapper)
        if bundle[place - len(";var ") : place] in _BEFORE
    }
    bounds = list(starts)
    if not bounds:
        return None
    head, last = bundle[: bounds[0]], bundle[bounds[-1] :]
    begun, given = _BEGUN.search(head), _GIVEN.search(head)
    if not begun or not given or _LAST not in last:
        return None
    # Behind a module may stand newer ones, which are kept or left out with it.
    modules = [bundle[start:end] for start, end in pairwise(bounds)]
    holder = {name: index for index, name in enumerate(starts.values())}
    for place, name in (
        *_names_before(bundle, b"=%s(" % begun[1]),
        *_names_behind(bundle, b"%s(" % given[1]),
    ):
        holder[name] = bisect(bounds, place) - 1
    used: set[int] = set()
    unread = [head, last[: last.index(_LAST)]]
    while unread:
        here = {holder[name] for name in set(_USED.findall(unread.pop())) if name in holder}
        found = {index for index in here if 0 <= index < len(modules)} - used
        unread += (modules[index] for index in found)
        used |= found
    return head + b"".join(modules[index] for index in sorted(used)) + last


def _places(bundle: bytes, what: bytes) -> Iterator[int]:
    place = bundle.find(what)
    while place >= 0:
        yield place
        place = bundle.find(what, place + 1)


def _names_before(bundle: bytes, what: bytes) -> Iterator[tuple[int, bytes]]:
    """What is named directly in front of something, and where that begins."""
    for end in _places(bundle, what):
        start = end
        while bundle[start - 1] in _LETTERS:
            start -= 1
        yield start, bundle[start:end]


def _names_behind(bundle: bytes, what: bytes) -> Iterator[tuple[int, bytes]]:
    for place in _places(bundle, what):
        start = end = place + len(what)
        while bundle[end] in _LETTERS:
            end += 1
        if bundle[place - 1] not in _LETTERS and bundle[end : end + 1] == b",":
            yield start, bundle[start:end]
