"""What stands in the source below a field of a model, as its description.

Pydantic finds it too (`use_attribute_docstrings`), but while a class is made, which for all of the
contract takes a twentieth of the start; and descriptions are wanted for `/docs` alone.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator, Mapping
from functools import cache

from pydantic import BaseModel


def descriptions(model: type[BaseModel]) -> dict[str, str]:
    """Of each field, by its name on the wire, what stands below it."""
    found = {}
    for each in reversed(model.__mro__):
        if issubclass(each, BaseModel) and each is not BaseModel:
            for name, text in _below_fields(each.__module__).get(each.__name__, {}).items():
                found[model.model_fields[name].alias or name] = text
    return found


@cache
def _below_fields(module: str) -> Mapping[str, Mapping[str, str]]:
    """Of each class of a module, the strings below its fields."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {each.name: dict(_pairs(each)) for each in tree.body if isinstance(each, ast.ClassDef)}


def _pairs(model: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, below in zip(model.body, model.body[1:], strict=False):
        match field, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                yield name, inspect.cleandoc(text)
