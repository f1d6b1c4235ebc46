"""The files that the page is made of, at addresses that change when any of them does.

The address holds a digest of all contents, so a browser may keep a file for ever. Modules import
each other relatively, so one digest serves them all. What comes from Python packages (Plotly,
Swagger UI) is served beside our own under `vendor/`, compressed once.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
from importlib.util import find_spec
from pathlib import Path

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from app.negotiation import takes_gzip

STATIC = Path(__file__).parent.parent / "static"
DIGEST_LENGTH = 12
FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
BEST_COMPRESSION = 9


def vendor_files() -> dict[str, Path]:
    """The files we serve out of installed packages, by the name they get."""
    plotly, swagger = _package("plotly"), _package("fastapi_swagger")
    files = {"plotly.min.js": plotly / "package_data" / "plotly.min.js"}
    for name in ("swagger-ui-bundle.js", "swagger-ui.css"):
        files[name] = swagger / "resources" / name
    return files


def _package(name: str) -> Path:
    spec = find_spec(name)  # finds the folder without importing the package
    if spec is None or spec.origin is None:
        raise RuntimeError(f"the package {name} is not installed")
    return Path(spec.origin).parent


class Assets:
    """An ASGI application for `/static/<digest>/…`."""

    def __init__(self, folder: Path = STATIC) -> None:
        self._own = StaticFiles(directory=folder)
        self._vendor = vendor_files()
        self._compressed: dict[str, asyncio.Task[bytes]] = {}
        own = sorted(path for path in folder.rglob("*") if path.is_file())
        self.digest = _digest(folder, own, self._vendor)

    def url(self, path: str) -> str:
        """The address of a file below the root of the site: `js/app.js`, `vendor/plotly.min.js`."""
        return f"/static/{self.digest}/{path}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a file."""
        digest, _, path = self._own.get_path(scope).partition("/")
        vendor, _, name = path.partition("/")
        if vendor == "vendor" and name in self._vendor and scope["method"] == "GET":
            response = await self._vendored(name, Headers(scope=scope))
        elif path:
            response = await self._own.get_response(path, scope)
        else:
            raise HTTPException(404)
        # A page that was opened before an update still gets its files, only not for ever.
        response.headers["Cache-Control"] = FOR_EVER if digest == self.digest else ASK_AGAIN
        await response(scope, receive, send)

    async def _vendored(self, name: str, headers: Headers) -> Response:
        path = self._vendor[name]
        plain = FileResponse(path)
        if not takes_gzip(headers):
            return plain
        if name not in self._compressed:
            self._compressed[name] = asyncio.create_task(asyncio.to_thread(_compress, path))
        body = await asyncio.shield(self._compressed[name])
        return Response(
            body,
            media_type=plain.media_type,
            headers={"Content-Encoding": "gzip", "Vary": "Accept-Encoding"},
        )


def _compress(path: Path) -> bytes:
    return gzip.compress(path.read_bytes(), BEST_COMPRESSION, mtime=0)


def _digest(folder: Path, own: list[Path], vendor: dict[str, Path]) -> str:
    named = {path.relative_to(folder).as_posix(): path for path in own}
    named |= {f"vendor/{name}": path for name, path in vendor.items()}
    digest = hashlib.sha256()
    for name, path in sorted(named.items()):
        digest.update(f"{name}\0{path.stat().st_size}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:DIGEST_LENGTH]
