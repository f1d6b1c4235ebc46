"""Who may import whom: app → models, never back; torch stays in models and training."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OURS = ("app", "models", "training")
PACKAGE = "heed"
FILES = {
    path.relative_to(ROOT).as_posix(): path for top in OURS for path in (ROOT / top).rglob("*.py")
}
# What the rest of the program may know of models: the catalogue, what a translator and a captioner
# are asked and tell, pictures, and the words for all of that.
DOORS = {
    "heed.models.generation.captioner",
    "heed.models.errors",
    "heed.models.images.read",
    "heed.models.trace",
    "heed.models.generation.translator",
    "heed.models.generation.pipeline",
    "heed.models.catalogue",
}


def imported(path: Path) -> Iterator[str]:
    """Every module that a file imports, wherever in it the import stands."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written out in full"
            assert node.module
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def tops(path: Path) -> set[str]:
    return {name.partition(".")[0] for name in imported(path)}


def files(*tops: str) -> list[str]:
    return sorted(name for name in FILES if name.startswith(tops))


@pytest.mark.parametrize("name", files("models/"))
def test_models_know_neither_the_server_nor_the_training(name: str) -> None:
    assert not tops(FILES[name]) & {"app", "training", "fastapi", "starlette", "pydantic"}


@pytest.mark.parametrize("name", files("training/"))
def test_the_training_knows_no_server(name: str) -> None:
    assert not tops(FILES[name]) & {"app", "fastapi", "starlette"}


@pytest.mark.parametrize("name", files("app/"))
def test_the_server_touches_no_tensor(name: str) -> None:
    assert not tops(FILES[name]) & {"torch", "onnxruntime", "safetensors", "tokenizers", "training"}
    inside = {found for found in imported(FILES[name]) if found.startswith("models.")}
    assert all(any(f"{found}.".startswith(f"{door}.") for door in DOORS) for found in inside)


@pytest.mark.parametrize("name", files("app/routes/"))
def test_a_route_leaves_the_work_to_others(name: str) -> None:
    inside = {found for found in imported(FILES[name]) if found.startswith("models")}
    assert inside <= {"heed.models.trace", "heed.models.trace.TRACE_SCHEMA"}
    assert not tops(FILES[name]) & {"numpy", "threading", "queue"}


def test_nothing_is_imported_in_a_circle() -> None:
    graph = {
        name.removesuffix("/__init__.py").removesuffix(".py").replace("/", "."): {
            found for found in _at_start(path) if found.partition(".")[0] in OURS
        }
        for name, path in FILES.items()
    }
    done: set[str] = set()

    def visit(module: str, above: tuple[str, ...]) -> None:
        assert module not in above, " → ".join((*above, module))
        if module in graph and module not in done:
            for other in graph[module]:
                visit(other, (*above, module))
            done.add(module)

    for module in graph:
        visit(module, ())


def _at_start(path: Path) -> Iterator[str]:
    """Modules that a file imports as soon as it is imported itself."""
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if _is_module(inner) else node.module


def _is_module(name: str) -> bool:
    place = ROOT.joinpath(*name.split("."))
    return place.with_suffix(".py").exists() or (place / "__init__.py").exists()


def test_only_what_is_declared_is_imported() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    declared = {line.partition("=")[0].replace("-", "_") for line in project["dependencies"]}
    # What a declared package is made of and speaks in its own interface.
    declared |= {
        PACKAGE,
        "starlette",
        "pydantic",
        "pydantic_core",
        "PIL",
        *OURS,
        *sys.stdlib_module_names,
    }
    for name in files("app/", "models/"):
        assert tops(FILES[name]) <= declared, name
