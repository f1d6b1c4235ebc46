"""The part of Plotly's bundle that draws heatmaps, the only plots of the pages.

The bundle registers 47 kinds of plots when it is loaded, which takes a browser longer than all
else on a page. esbuild wrote it: one function per module, each with a unique name, and the last
module lists the kinds. Here the list is shortened to heatmaps, and a module stays only if another
one that stays names it. A bundle of another structure is left unchanged.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

VERSION = 1
"""Raised with every change of the output, so that browsers fetch it again."""

_HEATMAP = b'moduleType:"trace",name:"heatmap"'
_REGISTERED = b".register(["
_LIST = re.compile(re.escape(_REGISTERED) + rb"((?:[\w$]+\(\),?)+)\]\)")
_MODULE = re.compile(rb"var ([\w$]+)=([\w$]+)\(")
_BEFORE = (b";var ", b"}var ", b"\nvar ")
_LAST = b"})();"  # followed by licences
_USED = re.compile(rb"(?:(?<![\w$.])|(?<=\.\.\.))[A-Za-z_$][\w$]*")
# esbuild's helpers in front of the modules: one starts an ES module, one defines its exports.
_BEGUN = re.compile(rb"[ ,]([\w$]+)=\(\w,\w,\w\)=>\(\)=>\{if\(")
_GIVEN = re.compile(rb"[ ,]([\w$]+)=\(\w,\w\)=>\{for\(var \w in \w\)[\w$]+\(\w,\w,\{get:")
_LETTERS = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$")


class _Module(NamedTuple):
    name: bytes
    wrapper: bytes  # the function that creates it


def heatmaps_only(bundle: bytes) -> bytes:
    """The part of the bundle that draws heatmaps; all of it if its structure is unexpected."""
    found = _LIST.match(bundle, max(bundle.rfind(_REGISTERED), 0))
    heatmap = _module_around(bundle, _HEATMAP)
    entry = heatmap and _module_around(bundle, b".exports=%s()" % heatmap.name)
    if not found or not entry or entry.name + b"()" not in found[1].split(b","):
        return bundle
    start, end = found.span(1)
    shorter = bundle[:start] + entry.name + b"()" + bundle[end:]
    return _used_modules(shorter, entry.wrapper) or bundle


def _module_around(bundle: bytes, what: bytes) -> _Module | None:
    place = bundle.find(what)
    start = bundle.rfind(b"var ", 0, place) if place >= 0 else -1
    named = _MODULE.match(bundle, start) if start >= 0 else None
    return named and _Module(*named.groups())


def _used_modules(bundle: bytes, wrapper: bytes) -> bytes | None:
    """The bundle without the modules that no remaining module names."""
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
    # ES modules that follow a module are kept or left out with it.
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
    """The names directly before a text, and their places."""
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
