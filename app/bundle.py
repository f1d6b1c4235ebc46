"""Plotly's bundle with the one kind of trace that our pages draw.

The bundle knows 47 kinds, maps and their WebGL among them, and starts them all when it is loaded,
which takes a browser longer than everything else on a page together. Its modules are functions
that nobody calls before they are registered, so a shorter list of those is all that is needed.
"""

from __future__ import annotations

import re

_REGISTERED = b".register(["
_LIST = re.compile(re.escape(_REGISTERED) + rb"((?:[\w$]+\(\),?)+)\]\)")
_HEATMAP = b'moduleType:"trace",name:"heatmap"'
_NAMED = re.compile(rb"var ([\w$]+)=")


def with_heatmaps_alone(bundle: bytes) -> bytes:
    """The bundle, only that it starts heatmaps alone; one that is built otherwise as it is."""
    found = _LIST.match(bundle, max(bundle.rfind(_REGISTERED), 0))
    module = _module_around(bundle, _HEATMAP)
    entry = _module_around(bundle, b".exports=%s()" % module)
    if not found or entry + b"()" not in found[1].split(b","):
        return bundle
    start, end = found.span(1)
    return bundle[:start] + entry + b"()" + bundle[end:]


def _module_around(bundle: bytes, what: bytes) -> bytes:
    """The name of the module that is defined last before something; empty if none is."""
    place = bundle.find(what)
    start = bundle.rfind(b"var ", 0, place) if place >= 0 else -1
    named = _NAMED.match(bundle, start) if start >= 0 else None
    return named[1] if named else b""
