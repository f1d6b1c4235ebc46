"""The files that the page is made of, at addresses that change when any of them does.

The address holds a digest of all contents, so a browser may keep a file for ever. Modules import
each other relatively, so one digest serves them all. A page asks for sixty of them, and a class
opens thirty pages at once; so our own, which are a megabyte, are read once and kept. What comes
from Python packages (Plotly, with what we need of it, and Swagger UI) is served beside them under
`vendor/`, compressed once.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from heed.app.http.conditional import conditional_response
from heed.app.http.negotiation import takes_gzip
from heed.app.pages import plotly_bundle as bundle

STATIC = Path(__file__).parents[2] / "static"
DIGEST_LENGTH = 12
FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
METHODS = ("GET", "HEAD")
BEST_COMPRESSION = 9
PLOTLY = "plotly.min.js"
MEDIA = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".jpg": "image/jpeg",
}
PACKED = ("text/", "image/svg+xml")  # what gets smaller


def vendor_files() -> dict[str, Path]:
    """The files we serve out of installed packages, by the name they get."""
    plotly, swagger = _package("plotly"), _package("fastapi_swagger")
    files = {PLOTLY: plotly / "package_data" / PLOTLY}
    for name in ("swagger-ui-bundle.js", "swagger-ui.css"):
        files[name] = swagger / "resources" / name
    return files


def _package(name: str) -> Path:
    spec = find_spec(name)  # finds the folder without importing the package
    if spec is None or spec.origin is None:
        raise RuntimeError(f"the package {name} is not installed")
    return Path(spec.origin).parent


class StaticFile:
    """A file of ours, as it is sent."""

    def __init__(self, path: Path) -> None:
        self.content = path.read_bytes()
        self._media = MEDIA.get(path.suffix, "text/plain")

    @cached_property
    def _tag(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    @cached_property
    def _packed(self) -> bytes:
        return gzip.compress(self.content, BEST_COMPRESSION, mtime=0)

    def answer(self, headers: Headers) -> Response:
        """What is answered to a request with these headers."""
        packed = (lambda: self._packed) if self._media.startswith(PACKED) else None
        return conditional_response(
            headers, self._tag, lambda: self.content, packed, media=self._media
        )


class Assets:
    """An ASGI application for `/static/<digest>/…`."""

    def __init__(self, folder: Path = STATIC) -> None:
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        self._own = {path.relative_to(folder).as_posix(): StaticFile(path) for path in files}
        self._vendor = vendor_files()
        self._compressed: dict[str, asyncio.Task[bytes]] = {}
        contents = {name: file.content for name, file in self._own.items()}
        contents |= {f"vendor/{name}": path.read_bytes() for name, path in self._vendor.items()}
        contents["vendor"] = Path(bundle.__file__).read_bytes()  # what makes less of one of them
        self.digest = _digest(contents)

    def url(self, path: str) -> str:
        """The address of a file below the root of the site: `js/app.js`, `vendor/plotly.min.js`."""
        return f"/static/{self.digest}/{path}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a file."""
        below = scope["path"].removeprefix(scope.get("root_path", "")).removeprefix("/")
        digest, _, path = below.partition("/")
        vendor, _, name = path.partition("/")
        if scope["method"] not in METHODS:
            raise HTTPException(405, headers={"Allow": ", ".join(METHODS)})
        if vendor == "vendor" and name in self._vendor:
            response = await self._vendored(name, Headers(scope=scope))
        elif path in self._own:
            response = self._own[path].answer(Headers(scope=scope))
        else:
            raise HTTPException(404)
        # A page that was opened before an update still gets its files, only not for ever.
        response.headers["Cache-Control"] = FOR_EVER if digest == self.digest else ASK_AGAIN
        await response(scope, receive, send)

    async def _vendored(self, name: str, headers: Headers) -> Response:
        path = self._vendor[name]
        if takes_gzip(headers):
            if name not in self._compressed:
                self._compressed[name] = asyncio.create_task(asyncio.to_thread(_compress, path))
            body = await asyncio.shield(self._compressed[name])
        else:
            body = await asyncio.to_thread(_as_served, path)
        return conditional_response(
            headers, self.digest, lambda: body, lambda: body, media=MEDIA[path.suffix]
        )


def _as_served(path: Path) -> bytes:
    content = path.read_bytes()
    return bundle.with_heatmaps_alone(content) if path.name == PLOTLY else content


def _compress(path: Path) -> bytes:
    return gzip.compress(_as_served(path), BEST_COMPRESSION, mtime=0)


def _digest(contents: dict[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, content in sorted(contents.items()):
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:DIGEST_LENGTH]
