"""The static files, under URLs that change when any file changes.

The URL contains a digest of all files, so browsers may cache them forever. Modules import each
other relatively, so one digest serves them all. The files of `static/`, a megabyte, and the bundles
of their modules are kept in memory; scripts and style sheets are sent without their comments. Files
of Python packages (the part of Plotly that draws heatmaps, and Swagger UI) are served under
`vendor/` and compressed once. `shells/` has the pages in one file without contents, which the page
fills.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
from collections.abc import Mapping
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from heed.app.http.conditional import conditional_response
from heed.app.http.negotiation import takes_gzip
from heed.app.pages import plotly_bundle
from heed.app.tasks import pages
from heed.output.page import bundles, modules
from heed.output.page.comments import style_without_comments, without_comments
from heed.output.page.environment import TEMPLATES
from heed.output.page.standalone import shell

PAGES: Mapping[str, tuple[str, ...]] = {
    f"{page.name}_page": (page.first_view, f"js/pages/{page.name}/app.js") for page in pages()
} | {"grow_page": ("js/pages/grow/app.js",), "grow_worker": ("js/pages/grow/worker.js",)}
"""The modules that a page runs at once: its first view, and then its script, which starts it."""
SHELLS = "shells"
STATIC = Path(__file__).parents[2] / "static"
DIGEST_LENGTH = 12
FOR_EVER = "public, max-age=31536000, immutable"
REVALIDATE = "no-cache"
METHODS = ("GET", "HEAD")
BEST_COMPRESSION = 9
PLOTLY = "plotly.min.js"
MEDIA = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".jpg": "image/jpeg",
}
COMPRESSIBLE = ("text/", "image/svg+xml")
SHORTENED = {".js": without_comments, ".css": style_without_comments}


def vendor_files() -> dict[str, Path]:
    """The files that are served out of installed packages, by name."""
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
    """A file of `static/` or a bundle, ready to be sent."""

    def __init__(self, name: str, source: bytes) -> None:
        self._source = source
        self._suffix = Path(name).suffix
        self._media = MEDIA.get(self._suffix, "text/plain")

    @cached_property
    def content(self) -> bytes:
        """The text that is sent, made at the first request."""
        shortened = SHORTENED.get(self._suffix)
        return shortened(self._source.decode()).encode() if shortened else self._source

    @cached_property
    def _tag(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    @cached_property
    def _packed(self) -> bytes:
        return gzip.compress(self.content, BEST_COMPRESSION, mtime=0)

    def response(self, headers: Headers) -> Response:
        """The response to a request with these headers."""
        packed = (lambda: self._packed) if self._media.startswith(COMPRESSIBLE) else None
        return conditional_response(
            headers, self._tag, lambda: self.content, packed, media=self._media
        )


class Assets:
    """An ASGI application for `/static/<digest>/…`."""

    def __init__(self, folder: Path = STATIC) -> None:
        files = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }
        scripts = {name: text.decode() for name, text in files.items() if name.endswith(".js")}
        self._bundler = bundles.Bundler(scripts, PAGES)
        self._own = {name: StaticFile(name, content) for name, content in files.items()}
        self._vendor = vendor_files()
        self._compressed: dict[str, asyncio.Task[bytes]] = {}
        self.view_titles = modules.view_titles(scripts)
        contents = files | {
            f"vendor/{name}": path.read_bytes() for name, path in self._vendor.items()
        }
        # Shells contain the templates.
        contents |= {path.name: path.read_bytes() for path in TEMPLATES.glob("*.html")}
        contents["plotly_bundle"] = str(plotly_bundle.VERSION).encode()
        contents[bundles.FOLDER] = str(bundles.VERSION).encode()
        self.digest = _digest(contents)

    def url(self, path: str) -> str:
        """The path of a file on the site, of `js/app.js` or `vendor/plotly.min.js`."""
        return f"/static/{self.digest}/{path}"

    def bundle_url(self, page: str) -> str:
        """The URL of the script of a page, with all modules that it runs at once."""
        return self.url(bundles.page_bundle(page))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send a file."""
        below = scope["path"].removeprefix(scope.get("root_path", "")).removeprefix("/")
        digest, _, path = below.partition("/")
        vendor, _, name = path.partition("/")
        if scope["method"] not in METHODS:
            raise HTTPException(405, headers={"Allow": ", ".join(METHODS)})
        if vendor == "vendor" and name in self._vendor:
            response = await self._vendored(name, Headers(scope=scope))
        else:
            file = await self._file(path)
            if file is None:
                raise HTTPException(404)
            response = file.response(Headers(scope=scope))
        # A page that was opened before an update still gets its files, but without caching.
        response.headers["Cache-Control"] = FOR_EVER if digest == self.digest else REVALIDATE
        await response(scope, receive, send)

    async def _file(self, path: str) -> StaticFile | None:
        """Return a file, or a bundle or a shell, which is made at its first request."""
        if path not in self._own:
            text = self._bundler.bundle(path)
            if text is None and path.startswith(SHELLS):
                text = await asyncio.to_thread(shell_at, path)
            if text is not None:
                self._own[path] = StaticFile(path, text.encode())
        return self._own.get(path)

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


def shell_at(path: str) -> str | None:
    """Return a shell by its path below the static files, or None.

    `shells/text.html` is that of the page of texts, `shells/text-compared.html` that of a file with
    the answers of other models.
    """
    names = {page.name: False for page in pages()} | {
        f"{page.name}-compared": True for page in pages()
    }
    folder, _, file = path.partition("/")
    name, _, suffix = file.partition(".")
    if folder != SHELLS or suffix != "html" or name not in names:
        return None
    return shell(name.removesuffix("-compared"), compared=names[name])


def _as_served(path: Path) -> bytes:
    content = path.read_bytes()
    return plotly_bundle.heatmaps_only(content) if path.name == PLOTLY else content


def _compress(path: Path) -> bytes:
    return gzip.compress(_as_served(path), BEST_COMPRESSION, mtime=0)


def _digest(contents: dict[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, content in sorted(contents.items()):
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:DIGEST_LENGTH]
