"""Every field of a request has a bound, and the documentation lists it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from heed.app.main import create_app
from heed.app.openapi.document import openapi_document
from heed.app.settings import Settings

ROOT = Path(__file__).parents[2]
API = "/api/v1"
HEADING = "| request | bounds |\n|---|---|\n"
ANY = ("BatchIn.texts",)
"""Lists whose items are checked one by one, each with an error of its own."""

Schema = dict[str, Any]


@pytest.fixture(scope="module")
def document() -> Schema:
    return openapi_document(create_app(Settings.from_environment(preload="none")))


def requests(document: Schema) -> Iterator[tuple[str, Schema]]:
    """Yield the schemas of the bodies and of the queries, with their names."""
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            name = f"{method.upper()} {path.removeprefix(API)}"
            # A text in a path is bounded by the line that it stands in.
            given = [
                each
                for each in operation.get("parameters", ())
                if (each["in"], each["schema"].get("type")) != ("path", "string")
            ]
            if given:
                yield name, {"properties": {each["name"]: each["schema"] for each in given}}
            for body in operation.get("requestBody", {}).get("content", {}).values():
                yield name, body["schema"]


def bounds(document: Schema) -> dict[str, dict[str, str]]:
    """Return the bounds of all fields, by the schema or the path that has them."""
    found: dict[str, dict[str, str]] = {}
    components = document["components"]["schemas"]

    def visit(schema: Schema, name: str) -> None:
        for part in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
            visit(part, name)
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            if name not in found:
                found[name] = {}
                visit(components[name], name)
        if "items" in schema:
            visit(schema["items"], name)
        for field, inner in schema.get("properties", {}).items():
            visit(inner, name)
            found.setdefault(name, {})[field] = " or ".join(_bounds(inner, f"{name}.{field}"))

    for name, schema in requests(document):
        visit(schema, name)
    return found


def _bounds(schema: Schema, name: str) -> Iterator[str]:
    """Yield the bounds of a field, or fail for a field without one."""
    for part in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        yield from _bounds(part, name)
    kind = schema.get("type")
    if {"anyOf", "oneOf", "$ref", "enum", "const"} & schema.keys() or kind in ("boolean", "null"):
        return  # bounded by itself, or by the schema that it names
    if kind == "string":
        if schema.get("format") != "binary":  # a file, which has a setting
            yield f"{schema['maxLength']:,} characters"
    elif kind == "array":
        inner = " or ".join(_bounds(schema["items"], name)) if name not in ANY else ""
        yield f"{schema['maxItems']:,} items" + (f" of {inner}" if inner else "")
    elif kind in ("integer", "number"):
        above = "minimum" not in schema
        low, high = schema["exclusiveMinimum" if above else "minimum"], schema["maximum"]
        between = f"{'above ' if above else ''}{_number(low)} to {_number(high)}"
        yield f"±{_number(high)}" if low == -high else between
    else:
        assert schema.get("additionalProperties") is False, f"{name} has no bound: {schema}"


def _number(value: float) -> str:
    short = abs(value) < 1e10
    return f"{int(value) if short and value == int(value) else value:{',' if short else '.2g'}}"


def table(document: Schema) -> str:
    """Return the table of the documentation."""
    rows = []
    for name, fields in bounds(document).items():
        listed = "; ".join(f"`{field}` {bound}" for field, bound in fields.items() if bound)
        if listed:
            rows.append(f"| `{name}` | {listed} |")
    return HEADING + "\n".join(rows) + "\n"


def test_the_documentation_lists_the_bound_of_every_field_of_a_request(document: Schema) -> None:
    assert table(document) in (ROOT / "docs/api.md").read_text(), table(document)


def test_a_field_without_a_bound_is_found() -> None:
    texts = {"type": "array", "items": {"type": "string", "maxLength": 1}}
    for schema in ({"type": "string"}, texts, {"type": "number"}, {"type": "integer"}):
        with pytest.raises(KeyError):
            list(_bounds(schema, "field"))
    for schema in ({}, {"type": "object"}, {"type": "object", "additionalProperties": {}}):
        with pytest.raises(AssertionError):
            list(_bounds(schema, "field"))
    assert list(_bounds({**texts, "maxItems": 9}, "field")) == ["9 items of 1 characters"]
