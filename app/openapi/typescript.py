"""TypeScript types of the wire, generated from the schemas: `make types`.

The page declares no field of a trace itself: `static/js/core/wire.d.ts` is written from the JSON
Schema of the classes in `heed.app.schemas`, and `--check` fails where the file is out of date.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias, get_args

from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from heed.app import schemas
from heed.models import trace

Schema: TypeAlias = dict[str, Any]  # a JSON Schema

TARGET = Path(__file__).parents[2] / "static" / "js" / "core" / "wire.d.ts"
COLUMNS = 100
HEAD = """\
/**
 * The wire, generated from app/schemas by `make types`: do not edit.
 *
 * In every attention map rows are queries (what was written), columns are keys (what was read).
 */
"""
TAIL = """\
/** A trace whose source is text. */
export type TextTrace = Trace & { source: TokenAxis; target: TokenAxis };

/** A trace whose source is the grid over a picture. */
export type PictureTrace = Trace & { source: GridAxis; target: TokenAxis; picture: PictureSeen };

/** A trace whose source is a story. */
export type StoryTrace = Trace & { source: SentenceAxis; target: HopAxis; question: TokenAxis };

/** A trace whose source is a graph. */
export type GraphTrace = Trace & { source: GraphAxis; target: ClassAxis };

/** A trace of glimpses at a picture. */
export type GlimpseTrace = Trace & { source: GridAxis; target: GlimpseAxis; picture: PictureSeen };
"""

ROOTS: tuple[tuple[type[BaseModel], JsonSchemaMode], ...] = (
    (schemas.TraceOut, "serialization"),
    (schemas.StartEvent, "serialization"),
    (schemas.StepEvent, "serialization"),
    (schemas.HeadsOut, "serialization"),
    (schemas.ModelsOut, "serialization"),
    (schemas.SavedOut, "serialization"),
    (schemas.TranslateIn, "validation"),
    (schemas.StoryIn, "validation"),
    (schemas.GraphIn, "validation"),
    (schemas.GlimpseIn, "validation"),
    (schemas.AuditOut, "serialization"),
    (schemas.AuditProgress, "serialization"),
    (schemas.ContrastOut, "serialization"),
    (schemas.CurvesOut, "serialization"),
    (schemas.RewrittenOut, "serialization"),
    (schemas.SearchedOrdersOut, "serialization"),
    (schemas.TimelineOut, "serialization"),
    (schemas.ScoreOut, "serialization"),
)
"""The schemas that the page names; nested classes are found."""

NAMES = {
    "EditIn": "Edit",
    "MapOut": "AttentionMap",
    "PictureOut": "PictureSeen",
    "RangeIn": "PlaceRange",
    "RequestOut": "TraceRequest",  # `Request` is the browser's
    "NodeOut": "GraphNode",
    "SavedOut": "SavedTrace",
    "SearchIn": "SearchOptions",
    "StampOut": "ModelStamp",
}
"""TypeScript names that do not follow from the Python name (`WordOut` → `Word`, `StoryIn`
→ `StoryBody`)."""


_UNION = re.compile(r"\|(?![^(]*\))")  # outside of parentheses


def _union(values: tuple[object, ...]) -> str:
    return " | ".join(json.dumps(value) for value in values)


ALIASES = {
    "MapKind": _union(get_args(trace.MapKind)),
    "Order": _union(get_args(trace.Order)),
    "AxisName": _union(get_args(trace.AxisName)),
    "Merge": _union(get_args(trace.Merge)),
    "Finish": _union(get_args(trace.Finish)),
    "VectorsOf": _union(get_args(trace.Vectors)),
    "Detail": _union(get_args(schemas.Detail)),
    "SearchKind": '"greedy" | "beam" | "sample"',
    "Axis": "TokenAxis | GridAxis | SentenceAxis | GraphAxis",
    "TargetAxis": "TokenAxis | HopAxis | ClassAxis | GlimpseAxis",
}
"""Unions that have a name: wherever one occurs, the name is written."""


def typescript() -> str:
    """Return the whole file."""
    models = {(base, mode): None for model, mode in ROOTS for base in [model, *_ancestors(model)]}
    _, document = models_json_schema(list(models), ref_template="{model}", by_alias=True)
    definitions: Schema = document["$defs"]
    parts = [HEAD]
    parts += [_statement(f"export type {name} =", union) for name, union in ALIASES.items()]
    parts += [_interface(python, definitions) for python in sorted(definitions, key=_name)]
    return "\n".join([*parts, TAIL])


def _ancestors(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    """Yield the classes from which a schema has fields."""
    for base in model.__bases__:
        if issubclass(base, BaseModel) and base.model_fields:
            yield base
            yield from _ancestors(base)


def _schemas(model: type[BaseModel] = schemas.Wire) -> Iterator[type[BaseModel]]:
    """Yield all classes of schemas."""
    for subclass in model.__subclasses__():
        yield subclass
        yield from _schemas(subclass)


def _name(python: str) -> str:
    if python in NAMES:
        return NAMES[python]
    if python.endswith("In"):
        return python.removesuffix("In") + "Body"
    return python.removesuffix("Out")


def _interface(python: str, definitions: Schema) -> str:
    """Return an interface, which extends those of its bases."""
    schema = definitions[python]
    model = next((other for other in _schemas() if other.__name__ == python), BaseModel)
    bases = [base.__name__ for base in model.__bases__ if base.__name__ in definitions]
    inherited = [field for base in bases for field in _fields(definitions[base])]
    fields = [field for field in _fields(schema) if field not in inherited]
    extends = f" extends {', '.join(map(_name, bases))}" if bases else ""
    lines = [*_comment(schema, ""), f"export interface {_name(python)}{extends} {{"]
    for statement, comment in fields:
        lines += [*comment, statement]
    end = ["}", ""] if fields else [f"{lines.pop()}}}", ""]
    return "\n".join([*lines, *end])


def _fields(schema: Schema) -> Iterator[tuple[str, list[str]]]:
    """Yield the declaration of each field, and its comment."""
    for field, inner in schema["properties"].items():
        optional = "" if field in schema.get("required", ()) else "?"
        statement = _statement(f"  {field}{optional}:", _type(inner)).rstrip()
        yield statement, list(_comment(inner, "  "))


def _comment(schema: Schema, indent: str) -> Iterator[str]:
    """Yield the lines of a JSDoc comment, wrapped anew."""
    text = schema.get("description")
    if not text:
        return
    one_line = f"{indent}/** {' '.join(text.split())} */"
    if "\n\n" not in text and len(one_line) <= COLUMNS:
        yield one_line
        return
    yield f"{indent}/**"
    for number, paragraph in enumerate(text.split("\n\n")):
        if number:
            yield f"{indent} *"
        for line in textwrap.wrap(" ".join(paragraph.split()), COLUMNS - len(indent) - 3):
            yield f"{indent} * {line}"
    yield f"{indent} */"


def _statement(head: str, type_: str) -> str:
    """Return a declaration, as prettier would break its lines."""
    line = f"{head} {type_};"
    if len(line) <= COLUMNS:
        return f"{line}\n"
    indent = " " * (len(head) - len(head.lstrip()) + 2)
    return head + "".join(f"\n{indent}| {part}" for part in type_.split(" | ")) + ";\n"


def _type(schema: Schema) -> str:
    match schema:
        case {"$ref": name}:
            return _name(name)
        case {"const": value}:
            return json.dumps(value)
        case {"enum": values}:
            return _alias(_union(tuple(values)))
        case {"anyOf": options} | {"oneOf": options}:
            return _alias(" | ".join(map(_type, options)))
        case {"type": "array", "items": inner}:
            item = _type(inner)
            return f"({item})[]" if _UNION.search(item) else f"{item}[]"
        case {"type": "object", "additionalProperties": inner}:
            return f"Record<string, {_type(inner)}>"
        case {"type": "integer"}:
            return "number"
        case {"type": "string" | "number" | "boolean" | "null" as name}:
            return str(name)
    raise NotImplementedError(f"no TypeScript type for {schema}")


def _alias(union: str) -> str:
    return next((name for name, known in ALIASES.items() if known == union), union)


def main() -> None:
    """Write the file; with `--check`, fail if it is not what would be written."""
    parser = argparse.ArgumentParser(prog="heed.app.openapi.typescript", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    text = typescript()
    if not parser.parse_args().check:
        TARGET.parent.mkdir(exist_ok=True)
        TARGET.write_text(text, encoding="utf-8")
    elif not TARGET.exists() or TARGET.read_text(encoding="utf-8") != text:
        sys.exit(f"{TARGET.name} does not match app/schemas: run `make types`.")


if __name__ == "__main__":
    main()
