"""Words of captions: tokens for scoring, and normalised text for training.

Scores of captions are compared with published ones, which all come from the COCO caption tools:
their tokens are those of the Penn Treebank, in lower case, without the signs between them. The
rules here are the part of it that captions need.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"""
      (?:[^\W\d_]\.){2,}                        # u.s.
    | (?:mr|mrs|ms|dr|st|jr|sr|vs|mt)\.
    | \d+(?:[.,:]\d+)+                          # 1,000 and 3:30
    | o'\w+                                     # o'clock
    | \w+?(?=n't\b) | n't\b                     # did n't
    | '(?:s|re|ve|ll|d|m)\b                     # the dog 's
    | \w+(?:[-/]\w+)*                           # t-shirt
    | [^\w\s]
    """,
    re.VERBOSE,
)
_JOINED = {"cannot": ["can", "not"], "gonna": ["gon", "na"], "wanna": ["wan", "na"]}
_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "`": "'", "“": '"', "”": '"', "–": "-", "—": "-"})
# The tools drop these. Brackets they rename first, to what they then forget to drop.
_DROPPED = frozenset("'\".?!,:-;…")
_RENAMED = {"(": "-lrb-", ")": "-rrb-", "{": "-lcb-", "}": "-rcb-", "[": "-lsb-", "]": "-rsb-"}


def words(caption: str) -> list[str]:
    """Return the tokens of a caption for scoring."""
    tokens: list[str] = []
    for token in _TOKEN.findall(caption.translate(_STRAIGHT).lower()):
        if token not in _DROPPED:
            tokens += _JOINED.get(token, [_RENAMED.get(token, token)])
    return tokens


def tidy(caption: str) -> str:
    """Return the normalised caption for training.

    Lower case, without quotation marks and final full stop: half of the captions have one, for no
    visible reason.
    """
    text = caption.translate(_STRAIGHT).lower().replace('"', " ")
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r" ([,;:!?.)]|n't\b|'(?:s|re|ve|ll|d|m)\b)", r"\1", text)
    text = text.replace("( ", "(")
    return text.rstrip(" .,;")
