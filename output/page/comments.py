"""Scripts and style sheets without comments, blank lines and indentation, as they are sent.

Lines stay lines, so that no semicolon is inserted elsewhere. Strings, regular expressions and the
text of template literals stay as they are. `rjsmin` reads a template literal within another one as
code, so a short scanner does it here.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"""
    (?P<blank> (?: \s | //[^\n]* | /\*.*?\*/ )+ )
    | (?P<string> "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*' )
    | (?P<code> (?: [^\s"'`/{}] | [ ](?=[^\s/]) )+ )
    | (?P<slash> / )
    | (?P<mark> . )
    """,
    re.VERBOSE | re.DOTALL,
)
_REGEX = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/\w*")
_TEMPLATE = re.compile(r"(?:[^`\\$]|\\.|\$(?!\{))*(?:`|\$\{)", re.DOTALL)
_VALUE = re.compile(r"(?:[\w$]+|[)\]}`\"'])\Z")
"""The end of what a slash divides. Behind anything else, it begins a regular expression."""
_OPERATORS = frozenset(("await", "case", "in", "instanceof", "of", "return", "typeof", "void"))
_STYLE = re.compile(r"""("[^"\n]*"|'[^'\n]*')|/\*.*?\*/|\s*\n\s*""", re.DOTALL)


def without_comments(source: str) -> str:
    """Return a script without its comments and indentation."""
    parts: list[str] = []
    depths: list[int] = []  # of the braces in each template literal around
    at, last = 0, ""
    while at < len(source):
        token = _token(source, at, last)
        text, at = token[0], token.end()
        if token.lastgroup == "blank":
            parts.append("\n" if "\n" in text else " ")
            continue
        closes = text == "}" and depths and depths[-1] == 0
        if text == "`" or closes:
            rest = _whole(_TEMPLATE.match(source, at), at)
            text, at = text + rest[0], rest.end()
            if closes:
                depths.pop()
            if text.endswith("${"):
                depths.append(0)
        elif depths and text in "{}":
            depths[-1] += 1 if text == "{" else -1
        parts.append(text)
        last = text
    return "".join(parts).lstrip()


def _token(source: str, at: int, last: str) -> re.Match[str]:
    """Return the token at a place, behind the one that was the last."""
    token = _whole(_TOKEN.match(source, at), at)
    if token.lastgroup != "slash":
        return token
    value = _VALUE.search(last)
    divides = value is not None and value[0] not in _OPERATORS
    return token if divides else _whole(_REGEX.match(source, at), at)


def _whole(match: re.Match[str] | None, at: int) -> re.Match[str]:
    if match is None:
        raise ValueError(f"a script has no end of what begins at {at}")
    return match


def style_without_comments(source: str) -> str:
    """Return a style sheet without its comments and indentation."""
    kept = _STYLE.sub(lambda match: match[1] or ("\n" if "\n" in match[0] else ""), source)
    return re.sub(r"\n+", "\n", kept).lstrip()
