"""Requests made to be expensive, drawn from the OpenAPI document and by hand, by a seed."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any
from urllib.parse import urlencode

import numpy as np
from PIL import Image

from tests.hostile import (
    flat_png,
    large_trace,
    many_chunks,
    many_frames,
    many_scans,
    repeated,
    sentences,
    unknown_keys,
)
from tests.models.drawn import quarters, saved
from tests.models.pictures.test_hostile_files import DECLARED, WHOLE, mutated
from tests.scale import amount

API = "/api/v1"
BOUNDARY = "expensive"
SIZES = (1, 10, 100, 1_000, 10_000, 100_000)
MOST_BYTES = 4 << 20
"""Of one list: the largest body has 8 MiB, and most may have one."""
SIDE = amount(2_000, 7_000)
"""Of the largest pictures."""
PIECES = (
    *(" ", "a", "a ", ".", "a.", "-", " - ", ":", "~", "#", "\n", "\t", "'", '"', "<", "&"),
    *(
        "\u00a0",
        "\u0301",
        "\u200d",
        "\u202e",
        "\u2028",
        "😀",
        "👩\u200d",
        "ﷺ",
        "1",
        "9 ",
        "\\",
        "%",
    ),
    *("//[ ", "/?a=1&", "/ a\n"),
    *("the ", "1979 ", "Mary took the ball. ", "a - b, ", "Ann: A ~B\n", "—", "…", "İ", "ß"),
)
PAGES: Mapping[str, tuple[str, ...]] = {
    "/": ("text", "target", "model", "search", "beam", "edits", "wait"),
    "/picture": ("model", "lesson", "at"),
    "/see": ("model", "lesson", "at"),
    "/story": ("story", "question", "wait"),
    "/graph": ("graph", "wait"),
    "/glimpse": ("picture", "wait"),
    "/read": ("text", "wait"),
    "/other": (),
    "/docs": (),
    "/learn": (),
    "/learn/mine": ("title", "steps"),
}
HEADERS: tuple[Callable[[Random], tuple[str, str]], ...] = (
    lambda rng: ("Accept", "text/event-stream"),
    lambda rng: ("Accept", "application/x-npz"),
    lambda rng: ("Accept", ",".join(["a/b;q=0.1"] * rng.choice(SIZES[:4]))),
    lambda rng: ("Accept-Encoding", rng.choice(("gzip", "gzip;q=0", "*", "br, gzip"))),
    lambda rng: ("Cookie", "a=b;" * rng.choice(SIZES[:4])),
    lambda rng: ("X-Forwarded-For", ", ".join(["10.0.0.1"] * rng.choice(SIZES[:4]))),
    lambda rng: ("If-None-Match", ", ".join(['"x"'] * rng.choice(SIZES[:4]))),
    lambda rng: ("Range", "bytes=" + "0-1," * rng.choice(SIZES[:4])),
)


@dataclass(frozen=True)
class Request:
    """A request, and what it tries."""

    name: str
    path: str
    body: bytes | None = None
    media: str = "application/json"
    method: str = ""
    headers: tuple[tuple[str, str], ...] = field(default=())

    @property
    def head(self) -> bytes:
        """Its method, its headers, and the empty line."""
        method = self.method or ("GET" if self.body is None else "POST")
        lines = [f"{method} {self.path} HTTP/1.1", "Host: localhost"]
        if self.body is not None:
            lines += [f"Content-Type: {self.media}", f"Content-Length: {len(self.body)}"]
        lines += [f"{name}: {value}" for name, value in self.headers]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("utf-8", "replace")


class Requests:
    """A source of expensive requests to a server with this OpenAPI document."""

    def __init__(self, document: Mapping[str, Any], models: Mapping[str, list[str]]) -> None:
        self._schemas: Mapping[str, Any] = document["components"]["schemas"]
        self._bodies = [
            (path, content["application/json"]["schema"])
            for path, operations in document["paths"].items()
            if (content := operations.get("post", {}).get("requestBody", {}).get("content", {}))
            and "application/json" in content
        ]
        self._models = models
        self.saved: list[str] = []
        """Ids of saved traces, which are asked for again."""

    def draw(self, seed: int) -> Request:
        """Return the request of a seed."""
        rng = Random(f"expensive {seed}")
        [make] = rng.choices(
            (
                *(self._of_schema, self._lists, self._text, self._batch, self._page),
                *(self._picture, self._trace, self._saved, self._get),
            ),
            weights=(25, 10, 20, 3, 15, 9, 6, 8, 4),
        )
        request = make(rng)
        headers = tuple(rng.choice(HEADERS)(rng) for _ in range(rng.choice((0, 0, 0, 1, 2))))
        return Request(**{**vars(request), "headers": request.headers + headers})

    # --- from the document --------------------------------------------------------------------

    def _of_schema(self, rng: Random) -> Request:
        path, schema = rng.choice(self._bodies)
        value = self._value(schema, rng, rng.choice(SIZES))
        body = json.dumps(value, ensure_ascii=rng.random() < 0.5).encode("utf-8", "replace")
        return Request(f"schema of {path}", path, body[: 8 << 20])

    def _value(self, schema: Mapping[str, Any], rng: Random, size: int, depth: int = 0) -> Any:
        """Return a value that the schema allows, or nearly, of so many elements."""
        if "$ref" in schema:
            return self._value(self._schemas[schema["$ref"].split("/")[-1]], rng, size, depth)
        for several in ("anyOf", "oneOf", "allOf"):
            if several in schema:
                return self._value(rng.choice(schema[several]), rng, size, depth)
        if "const" in schema or "enum" in schema:
            return schema.get("const", rng.choice(schema.get("enum", [None])))
        if rng.random() < 0.02:
            return rng.choice((None, 1, "x", [], {}, -1e308, 10**18, True))
        match schema.get("type"):
            case "array":
                count = schema.get("maxItems", size) + rng.choice((0, 0, 1))
                count = min(count, size) if depth < 3 else rng.choice((0, 1, 2))
                item = self._value(schema.get("items", {}), rng, max(1, size // 10), depth + 1)
                room = MOST_BYTES // len(json.dumps(item))
                return [item] * max(min(count, room), schema.get("minItems", 0))
            case "string":
                return self._string(rng, min(size, schema.get("maxLength", size) + 1))
            case "integer" | "number":
                low, high = schema.get("minimum", -(10**18)), schema.get("maximum", 10**18)
                return rng.choice((low, high, low - 1, high + 1, 0, 1))
            case "object":
                return self._object(schema, rng, size, depth)
        return None

    def _object(self, schema: Mapping[str, Any], rng: Random, size: int, depth: int) -> Any:
        required = schema.get("required", ())
        kept = {
            name: self._value(each, rng, size if rng.random() < 0.3 else 3, depth + 1)
            for name, each in schema.get("properties", {}).items()
            if name in required or rng.random() < 0.5
        }
        if "model" in kept and rng.random() < 0.8:
            del kept["model"]
        if rng.random() < 0.1:
            kept |= {f"k{n}": 1 for n in range(size)}
        return kept

    @staticmethod
    def _string(rng: Random, length: int) -> str:
        piece = rng.choice(PIECES) if rng.random() < 0.8 else "".join(rng.choices(PIECES, k=3))
        ends = rng.choice(("", "a", "\x00"))
        return (piece * (length // len(piece) + 1))[:length] + ends

    # --- by hand ------------------------------------------------------------------------------

    def _lists(self, rng: Random) -> Request:
        count = rng.choice(SIZES) * rng.choice((1, 4))
        item = rng.choice(("1", "{}", "[]", '""', "null", "[[[]]]", '{"a":1}', "1e308", "-0.0"))
        path, before, after = rng.choice(
            (
                ("glimpse", '{"pixels":[', "]}"),
                ("glimpse", '{"pixels":[[', "]]}"),
                ("traces", '{"schema":"heed.trace/2","maps":[', "]}"),
                ("traces", '{"schema":"heed.trace/2","maps":[{"queries":[', "]}]}"),
                ("traces", '{"schema":"heed.trace/2","steps":[', "]}"),
                ("traces", '{"schema":"heed.trace/2","source":{"kind":"graph","edges":[', "]}}"),
                ("traces", '{"source":[', '],"weights":[[1]]}'),
                ("traces", '{"source":["a"],"target":["b"],"weights":[', "]}"),
                ("graph", '{"nodes":[', "]}"),
                ("graph", '{"nodes":[],"edges":[', "]}"),
                ("translate/batch", '{"texts":[', "]}"),
                ("translate", '{"text":"a","search":{"kind":[', "]}}"),
                ("story", '{"story":[', '],"question":"a"}'),
            )
        )
        if rng.random() < 0.2:
            return Request(f"unknown keys of {path}", f"{API}/{path}", unknown_keys(count))
        if rng.random() < 0.1:
            deep = ("[" * count + "]" * count).encode()
            return Request(f"depth of {path}", f"{API}/{path}", deep)
        body = repeated(before, item, after, count)
        return Request(f"{before}… of {path}", f"{API}/{path}", body)

    def _text(self, rng: Random) -> Request:
        length = rng.choice((10, 100, 300, 600, 1_000, 10_000, 100_000, 500_000))
        text = self._string(rng, length) if rng.random() < 0.8 else sentences(length)
        path = rng.choice(("translate", "translate", "story", "graph", "read"))
        fields: dict[str, Any] = {path: text} if path in ("story", "graph") else {"text": text}
        if path == "story":
            fields["question"] = rng.choice(("Where is the ball?", text))
        if path == "translate":
            fields |= self._search(rng)
            if rng.random() < 0.2:
                fields["target"] = self._string(rng, rng.choice((10, 300, length)))
        fields["detail"] = rng.choice(("weights", "steps", "full"))
        return Request(f"text of {path}", f"{API}/{path}", json.dumps(fields).encode())

    def _search(self, rng: Random) -> dict[str, Any]:
        kind = rng.choice(("greedy", "greedy", "beam", "sample"))
        return {
            "model": rng.choice(self._models["translate"]),
            "search": {"kind": kind, "beam": rng.choice((2, 10)), "length_penalty": 3},
            "vectors": rng.choice(("cross", "all")),
            "maps": rng.choice(("inline", "linked")),
        }

    def _batch(self, rng: Random) -> Request:
        length = rng.choice((20, 100, 600))
        texts = [sentences(length), self._string(rng, length), ""] * 11
        fields = {"texts": texts[: rng.choice((3, 32, 33))], **self._search(rng)}
        del fields["maps"]
        fields["detail"] = rng.choice(("weights", "full"))
        return Request("batch", f"{API}/translate/batch", json.dumps(fields).encode())

    def _page(self, rng: Random) -> Request:
        path = rng.choice(list(PAGES))
        query = {
            name: self._string(rng, rng.choice((10, 1_000, 20_000)))
            for name in PAGES[path]
            if rng.random() < 0.7
        }
        if "model" in query:
            query["model"] = rng.choice(self._models["translate"])
        preview = "/preview.png" if "wait" in PAGES[path] and rng.random() < 0.4 else ""
        parameters = urlencode(query, errors="replace")[:60_000]
        address = path.rstrip("/") + preview or "/"
        return Request(f"page {path}{preview}", f"{address}?{parameters}")

    def _picture(self, rng: Random) -> Request:
        name, make = "mutated", lambda: mutated(WHOLE[rng.choice(list(WHOLE))], rng)
        if rng.random() < 0.5:
            name, make = rng.choice(list(pictures().items()))
        data = make()
        path = rng.choice(("caption", "caption/audit", "ask", "see", "glimpse", "transcribe"))
        fields = {"detail": rng.choice(("weights", "full"))}
        if path == "caption/audit":
            fields = {"seeds": rng.choice(("1", "100"))}
        if path in ("caption", "ask"):
            fields["search"] = json.dumps({"kind": "beam", "beam": rng.choice((1, 10))})
            fields["draws"] = "100"
        if path == "ask":
            fields["question"] = self._string(rng, rng.choice((10, 1_000)))
        file = "sound" if path == "transcribe" else "image"
        parts = [f'name="{key}"\r\n\r\n{value}'.encode() for key, value in fields.items()]
        parts.append(f'name="{file}"; filename="a"\r\n\r\n'.encode() + data)
        body = b"".join(
            f"--{BOUNDARY}\r\nContent-Disposition: form-data; ".encode() + part + b"\r\n"
            for part in parts
        )
        media = f"multipart/form-data; boundary={BOUNDARY}"
        return Request(
            f"{name} to {path}", f"{API}/{path}", body + f"--{BOUNDARY}--\r\n".encode(), media
        )

    def _trace(self, rng: Random) -> Request:
        if rng.random() < 0.4:
            shape = rng.choice(((2, 2), (512, 512), (4, 500, 500), (36, 100, 100), (20_000, 2)))
            return Request("archive", f"{API}/traces", archive(shape), "application/x-npz")
        side, heads = rng.choice(((20, 2), (100, 100), (500, 2), (500, 4)))
        return Request("large trace", f"{API}/traces", large_trace(heads, side))

    def _saved(self, rng: Random) -> Request:
        identity = rng.choice(self.saved[-20:] or ["x" * 22])
        path = rng.choice(
            ("/t/{}", "/embed/{}", "/t/{}/preview.png", f"{API}/traces/{{}}", f"{API}/runs/{{}}")
        ).format(identity)
        return Request("saved trace", path)

    def _get(self, rng: Random) -> Request:
        path = rng.choice(
            (
                *("/metrics", "/openapi.json", f"{API}/models", f"{API}/schema/trace", "/static/"),
                *("/learn/" + "x" * rng.choice(SIZES[:5]), "/" + "a/" * rng.choice(SIZES[:4])),
            )
        )
        return Request("GET", path, method=rng.choice(("GET", "HEAD", "OPTIONS")))


@cache
def archive(shape: tuple[int, ...]) -> bytes:
    """Return weights in a NumPy archive, which compresses them to nearly nothing."""
    weights = np.zeros(shape, np.float32)
    weights[..., 0] = 1
    rows, columns = ([f"t{n}" for n in range(length)] for length in shape[-2:])
    file = io.BytesIO()
    np.savez_compressed(file, source=columns, target=rows, weights=weights)
    return file.getvalue()


@cache
def pictures() -> dict[str, Callable[[], bytes]]:
    """Return pictures near the limits of their formats; each is made once."""

    def plain(mode: str, **options: Any) -> Callable[[], bytes]:
        side = min(SIDE, 3_800) if options["format"] == "WEBP" else SIDE
        return cache(lambda: saved(Image.new(mode, (side, side)), **options))

    kinds: dict[str, Callable[[], bytes]] = {
        "scans": lambda: many_scans(SIDE, 185),
        "few scans": lambda: many_scans(SIDE, 20),
        "chunks": cache(lambda: many_chunks(amount(100_000, 1_000_000))),
        "frames": cache(lambda: many_frames(amount(200, 2_000))),
        "flat PNG": cache(lambda: flat_png(SIDE, SIDE)),
        "photo": cache(lambda: saved(quarters(4032, 3024), "JPEG", quality=95)),
        "baseline JPEG": plain("RGB", format="JPEG", quality=95),
        "GIF": plain("P", format="GIF"),
        "lossless WebP": plain("RGB", format="WEBP", lossless=True),
        "packed TIFF": plain("L", format="TIFF", compression="tiff_lzw"),
        "deflated TIFF": plain("RGB", format="TIFF", compression="tiff_adobe_deflate"),
    }
    return kinds | {f"declared {name}": lambda name=name: DECLARED[name] for name in DECLARED}
