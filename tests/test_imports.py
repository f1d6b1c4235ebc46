"""Imports, as far as the contracts of import-linter (pyproject.toml) cannot say it."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[1]
OURS = ("heed", "training")
PARTS = {"PIL", "markdown_it", "starlette", "pydantic", "pydantic_core"}
"""Packages that a declared one is made of or is imported as."""
FILES = {
    path.relative_to(ROOT).as_posix(): path
    for folder in ("app", "models", "output", "heed", "training")
    for path in (ROOT / folder).rglob("*.py")
}


def imports(path: Path) -> Iterator[ast.Import | ast.ImportFrom]:
    """Every import of a file, those within functions too."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node


def packages(path: Path) -> set[str]:
    """The top-level packages that a file imports."""
    found = set()
    for node in imports(path):
        modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else node.names
        names = (each if isinstance(each, str) else each.name for each in modules)
        found |= {name.partition(".")[0] for name in names}
    return found


def declared(*groups: str, extras: Sequence[str] = ()) -> set[str]:
    """The packages that pyproject.toml declares, by the names that are imported."""
    document = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    lines = list(document["project"]["dependencies"])
    for extra in extras:
        lines += document["project"]["optional-dependencies"][extra]
    for group in groups:
        lines += document["dependency-groups"][group]
    return {re.split(r"[<>=\[]", line)[0].replace("-", "_") for line in lines} | PARTS


def test_only_declared_packages_are_imported() -> None:
    ours = {*OURS, *sys.stdlib_module_names}
    served, trained = declared() | ours, declared("train") | ours
    allowed = {
        "training/": trained,
        "models/recording/": declared(extras=["hf"]) | ours,  # they alone need these extras
        "models/runtime/onnx/export.py": declared(extras=["onnx"]) | ours,
        "app/traces/postgresql_store.py": declared(extras=["postgresql"]) | ours,
        "app/shared.py": declared(extras=["redis"]) | ours,
        "app/middleware/shared_rate_limit.py": declared(extras=["redis"]) | ours,
        "heed/ray.py": declared(extras=["ray"]) | ours,
        "heed/notebook.py": declared(extras=["notebook"]) | {"traitlets"} | ours,
    }
    for name, path in FILES.items():
        found = next((each for start, each in allowed.items() if name.startswith(start)), served)
        assert packages(path) <= found, name


def test_imports_are_absolute() -> None:
    for name, path in FILES.items():
        assert not [node for node in imports(path) if getattr(node, "level", 0)], name


def test_no_file_imports_itself_through_others() -> None:
    """A package's own file counts too; the contract of import-linter compares siblings only."""
    graph = grimp.build_graph(*OURS, cache_dir=None, exclude_type_checking_imports=True)
    done: set[str] = set()

    def visit(module: str, above: tuple[str, ...]) -> None:
        assert module not in above, " → ".join((*above[above.index(module) :], module))
        if module not in done:
            for other in sorted(graph.find_modules_directly_imported_by(module)):
                visit(other, (*above, module))
            done.add(module)

    for module in sorted(graph.modules):
        visit(module, ())


def extras() -> set[str]:
    """The packages of all extras, by the names that are imported."""
    lists = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = chain.from_iterable(lists["optional-dependencies"].values())
    return {re.split(r"[<>=\[]", line)[0].replace("-", "_") for line in lines}


TORCH = {"torch", "onnx", "safetensors", "transformers"}
LIBRARY = """
import heed
trace = heed.trace("dates-additive", "3 May 2026", search=heed.Beam(2))
trace.to_json(), trace.to_npz(), trace.to_svg(), trace.to_html()
"""
SHIPPED = """
from heed.models.catalogue import Catalogue
from heed.models.generation.translator import TextRequest
catalogue = Catalogue()
[catalogue.load(model) for model in catalogue.cards]
catalogue.load("dates-additive").run([TextRequest("3 May 2026")])
"""
SERVER = """
import heed.app.server.serve
from heed.app.main import create_app
create_app()
"""


@pytest.mark.parametrize(
    ("code", "unwanted"),
    [
        (LIBRARY, TORCH | {"heed.app", "fastapi", "starlette", "pydantic", "uvicorn"}),
        (SERVER + SHIPPED, TORCH | extras()),
    ],
    ids=["the library", "a server of the shipped models"],
)
def test_packages_that_are_not_needed_are_not_imported(code: str, unwanted: set[str]) -> None:
    code += f"import sys; print({unwanted} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "set()\n", done.stderr
