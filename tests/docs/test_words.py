"""Docs, docstrings, comments and pages use plain English."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

WORDS = {
    # The form "colour told apart" stays: its name seeds questions and names measured figures.
    r"(?<!colour )told": "say which noun it is: the description, the options, the output",
    "besides": "also",
    "whoever": "the client, the user, the reader",
    "somebody": "someone, or the noun: a client, another process",
    "strangers": "rare words",
    "hearing": "normalizer",
    "luck": "random noise",
    "doors?": "rate limiter, allowed hosts",
    "gaz(?:e|er|ing)": "attention, captioner",
    "eyes": "image encoder",
    "siblings?": "related models, teachers",
    "crowd": "many clients, load",
    "lookers?": "photos",
    "untidiness": "source noise",
}
"""Words that no sentence uses, as regular expressions, with the words to use instead."""

NAMES = {
    "each": "the noun of what is gone over",
    "found": "the noun of what was found",
    "one": "the noun",
    "Run": "KeptTrace, TrainingState, Trace",
    "Worker": "InferenceThread, ServerProcess",
    "Reader": "the noun: a pipeline, a parser, a processor",
    "memory_budget": "body_budget",
    "read_picture": "decode_picture",
    "read_card": "parse_card",
}
"""Names that no class, function, parameter or variable has, with the names to use instead."""

OPENINGS = ("What", "Who", "Whoever", "Where", "Whether", "How")
"""First words that make a docstring a question."""

FOLDERS = {
    "docs": ("docs/**/*.md", "*.md"),
    "templates": ("templates/**/*.html",),
    "static/js": ("static/js/**/*.js",),
    "app": ("app/**/*.py",),
    "models": ("models/**/*.py",),
    "output": ("output/**/*.py",),
    "training": ("training/**/*.py",),
    "cards": ("models/weights/*/CARD.md",),
    "benchmarks": ("benchmarks/**/*.py",),
}
EXEMPT = (
    "docs/lab/*",  # history of experiments, with the file names of their time
    "training/caption/lexicon.py",  # a list of words
)


UNNAMED = (
    "app/pages/*",
    "app/pages/link_preview/*",
    "app/http/*",
    "benchmarks/*",
)
"""Files whose names are not checked yet."""


def findings(folder: str) -> list[str]:
    """Return each banned word and docstring of a folder as `path:line: word`."""
    found = []
    for path in _files(folder):
        text = path.read_text("utf-8")
        place = path.relative_to(ROOT)
        for number, sentence in _sentences(path, text):
            for word in WORDS:
                pattern = rf"(?<![\w/.-])(?:{word})(?![\w/-])"
                if re.search(pattern, _without_names(sentence), re.IGNORECASE):
                    found.append(f"{place}:{number}: {word}")
        if path.suffix == ".py":
            found += [f"{place}:{line}: docstring: {first}" for line, first in _questions(text)]
    return found


def named(folder: str) -> list[str]:
    """Return each banned name that a Python file of a folder gives, as `path:line: name`."""
    return [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in _files(folder)
        if path.suffix == ".py"
        and not any(path.relative_to(ROOT).match(exempt) for exempt in UNNAMED)
        for line, name in _given_names(path.read_text("utf-8"))
        if name.strip("_") in NAMES
    ]


def _given_names(text: str) -> Iterator[tuple[int, str]]:
    """Yield the names that a file gives to classes, functions, parameters and variables."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.lineno, node.name
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id


def _files(folder: str) -> Iterator[Path]:
    for pattern in FOLDERS[folder]:
        for path in sorted(ROOT.glob(pattern)):
            relative = path.relative_to(ROOT)
            if path.is_file() and not any(relative.match(exempt) for exempt in EXEMPT):
                yield path


def _sentences(path: Path, text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file that hold prose: in code, its comments and strings."""
    if path.suffix == ".md":  # without code blocks and the names of measured figures
        code = r"^```.*?^```$|^ {4,}.*?$|<!--.*?-->"
        prose = re.sub(code, _blank, text, flags=re.DOTALL | re.MULTILINE)
        yield from enumerate(prose.splitlines(), 1)
    elif path.suffix == ".py":
        yield from _prose_of_python(text)
    elif path.suffix == ".js":
        for number, line in enumerate(text.splitlines(), 1):
            for piece in re.findall(r"(?://|^\s*/?\*).*|'[^']* [^']*'|`[^`]* [^`]*`", line):
                yield number, piece
    else:
        code = r"<script.*?</script>|<[^>]*>|\{[{%#].*?[}%#]\}"
        without_tags = re.sub(code, _blank, text, flags=re.DOTALL)
        yield from enumerate(without_tags.splitlines(), 1)


def _prose_of_python(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        if comment := re.search(r"(?:^|\s)#\s.*", line):
            yield number, comment[0]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            for offset, line in enumerate(node.value.splitlines()):
                yield node.lineno + offset, line


def _questions(text: str) -> Iterator[tuple[int, str]]:
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, documented) and (docstring := ast.get_docstring(node)):
            first = docstring.split(maxsplit=1)[0].strip(",.:")
            if first in OPENINGS:
                yield node.body[0].lineno, first


def _without_names(sentence: str) -> str:
    return re.sub(r"`[^`]*`", "", sentence)


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


@pytest.mark.parametrize("folder", FOLDERS)
def test_sentences_use_plain_words(folder: str) -> None:
    assert not findings(folder), WORDS


@pytest.mark.parametrize("folder", FOLDERS)
def test_things_have_the_names_of_the_table(folder: str) -> None:
    assert not named(folder), NAMES


def test_names_are_found_where_they_are_given() -> None:
    source = "class Run: ...\n\n\ndef f(each):\n    return [one for one in each.found]\n"
    given = {name for _, name in _given_names(source)}
    assert given & NAMES.keys() == {"Run", "each", "one"}


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_folder_has_files_to_check(folder: str) -> None:
    assert list(_files(folder))


def test_banned_words_are_found_in_prose_and_not_in_names() -> None:
    source = '"""Whether it is so."""\n\ntold = luck = 1  # it told us\n\nS = "was told so"\n'
    sentences = list(_prose_of_python(source))
    assert [number for number, sentence in sentences if "told" in sentence] == [3, 5]
    assert list(_questions(source)) == [(1, "Whether")]


if __name__ == "__main__":  # python -m tests.docs.test_words [folder]: counts, or all findings
    import sys

    for name in sys.argv[1:]:
        print("\n".join(findings(name)))
    if not sys.argv[1:]:
        for name in FOLDERS:
            print(f"{name:10} {len(findings(name)):5}")
