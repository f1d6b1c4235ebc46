from __future__ import annotations

import asyncio
import gzip
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from urllib.request import Request, urlopen

import httpx
import pytest

from heed.app.middleware.security_headers import SECURITY_HEADERS
from heed.app.pages.assets import STATIC, Assets
from heed.output.page.comments import without_comments
from tests.conftest import Running

VENDORED = ("plotly.min.js", "swagger-ui-bundle.js", "swagger-ui.css")


@pytest.fixture
def assets(server: Running) -> Assets:
    return server.app.state.service.assets


def test_the_digest_depends_on_names_and_contents(tmp_path: Path) -> None:
    copy = tmp_path / "static"
    shutil.copytree(STATIC, copy)
    digest = Assets(copy).digest
    (copy / "js" / "docs.js").touch()
    assert Assets(copy).digest == digest
    (copy / "js" / "docs.js").rename(copy / "js" / "renamed.js")
    renamed = Assets(copy).digest
    (copy / "js" / "renamed.js").write_text("changed")
    assert len({digest, renamed, Assets(copy).digest}) == 3


def test_a_file_under_its_digest_is_cached_forever(client: httpx.Client, assets: Assets) -> None:
    answer = client.get(assets.url("js/docs.js"))
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert "javascript" in answer.headers["content-type"]
    assert answer.text == without_comments((STATIC / "js" / "docs.js").read_text("utf-8"))


def test_a_file_under_an_old_digest_is_served_without_caching(client: httpx.Client) -> None:
    answer = client.get("/static/0123456789ab/js/docs.js")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("name", VENDORED)
def test_files_of_packages_are_served_compressed_or_plain(
    client: httpx.Client, assets: Assets, name: str
) -> None:
    url = assets.url(f"vendor/{name}")
    packed = client.get(url, headers={"Accept-Encoding": "gzip"})
    plain = client.get(url, headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.content == plain.content
    assert int(packed.headers["content-length"]) < len(plain.content) / 2
    for answer in (packed, plain):
        assert "immutable" in answer.headers["cache-control"]
        assert answer.headers["vary"] == "Accept-Encoding"


def test_compressing_happens_once() -> None:
    async def both() -> list[bytes]:
        scope = {
            "type": "http",
            "method": "GET",
            "path": "/x/vendor/swagger-ui.css",
            "headers": [(b"accept-encoding", b"gzip")],
        }
        bodies: list[bytes] = []

        async def send(message: dict) -> None:
            if message["type"] == "http.response.body":
                bodies.append(message["body"])

        fresh = Assets()
        await asyncio.gather(*(fresh(scope, None, send) for _ in range(3)))
        return bodies

    first, *others = asyncio.run(both())
    assert gzip.decompress(first)
    assert all(other is first for other in others)


@pytest.mark.parametrize(
    "path",
    [
        "/static/x/../../pyproject.toml",
        "/static/x/%2e%2e/%2e%2e/pyproject.toml",
        "/static/x/..%2f..%2fpyproject.toml",
        "/static/../app/main.py",
        "/static/x//etc/passwd",
        "/static/x/%2fetc%2fpasswd",
        "/static/x/vendor/../../../pyproject.toml",
        "/static/x/vendor/..%2fpackage_data%2fplotly.min.js",
        "/static/x/js/docs.js%00",
        "/static/x/js",
        "/static/x/vendor/",
        "/static/x/" + "a" * 5000,
    ],
)
def test_other_paths_are_not_found(client: httpx.Client, path: str) -> None:
    url = client.base_url.copy_with(raw_path=path.encode())
    assert client.get(url).status_code == 404


def test_files_are_read_only(client: httpx.Client, assets: Assets) -> None:
    for path in ("js/docs.js", "vendor/plotly.min.js"):
        answer = client.put(assets.url(path), content=b"x")
        assert answer.status_code == 405
        assert answer.headers["allow"] == "GET, HEAD"


@pytest.mark.parametrize(
    "path", ["/", "/docs", "/nope", "/version", "/api/v1/models", "/openapi.json", "/static/x/y"]
)
def test_every_response_has_the_security_headers(client: httpx.Client, path: str) -> None:
    answer = client.get(path)
    for name in SECURITY_HEADERS:
        assert answer.headers[name]
    rules = SECURITY_HEADERS["Content-Security-Policy"].split(";")
    policy = dict(part.strip().split(" ", 1) for part in rules)
    assert policy["script-src"] == "'self'"
    assert policy["frame-ancestors"] == "'self'"
    assert policy["object-src"] == policy["base-uri"] == "'none'"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    for name in ("server", "x-powered-by", "set-cookie"):
        assert name not in answer.headers


def test_an_embed_page_may_be_framed_by_other_sites(client: httpx.Client) -> None:
    headers = client.get("/embed/nothing", headers={"Accept": "text/html"}).headers
    assert headers["cross-origin-resource-policy"] == "cross-origin"
    assert "frame-ancestors" not in headers["content-security-policy"]


@pytest.mark.parametrize("path", ["/", "/docs", "/nope"])
def test_pages_have_no_inline_script_and_load_nothing_from_other_hosts(
    client: httpx.Client, path: str
) -> None:
    page = client.get(path, headers={"Accept": "text/html"})
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["cache-control"] == "no-cache"
    assert not re.search(r"<script(?![^>]*\b(?:src=|type=\"application/json\"))", page.text)
    assert not re.search(r"\son[a-z]+=", page.text)
    assert not re.search(r"(?:src|href)=\"(?:https?:)?//", page.text)


@pytest.mark.parametrize("path", ["/", "/docs", "/nope"])
def test_every_file_of_a_page_exists(client: httpx.Client, path: str) -> None:
    page = client.get(path, headers={"Accept": "text/html"}).text
    found = set(re.findall(r"\"(/static/[^\"#]+)", page))
    assert found
    for url in found:
        assert client.get(url).status_code == 200, url


def test_head_is_answered_like_get(client: httpx.Client) -> None:
    for path in ("/", "/healthz", "/api/v1/models"):
        answer = client.head(path)
        assert answer.status_code == 200
        assert answer.content == b""
        assert answer.headers["content-type"] == client.get(path).headers["content-type"]


def test_json_is_compressed_on_request(server: Running) -> None:
    url = f"{server.url}/api/v1/models"
    with urlopen(Request(url, headers={"Accept-Encoding": "gzip"})) as answer:
        assert answer.headers["content-encoding"] == "gzip"
        assert gzip.decompress(answer.read()).startswith(b'{"models":')


def test_a_bare_error_page_is_sent_when_templates_are_missing(
    served: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heed.output.page.environment.TEMPLATES", tmp_path)
    with served(preload="none") as server:
        answer = server.client.get("/nope", headers={"Accept": "text/html"})
        assert answer.status_code == 404
        assert "Not Found" in answer.text
        assert server.client.get("/", headers={"Accept": "text/html"}).status_code == 500


def test_page_headers_are_on_everything_that_a_browser_can_show_as_a_page(
    client: httpx.Client,
) -> None:
    page = client.get("/").text
    parts = re.findall(r'(?:src|href)="(/static/[^"]+\.(?:js|css))"', page)
    assert len(parts) > 2
    for path in ("/", "/docs", "/api/v1/models", "/nowhere"):
        headers = client.get(path).headers
        assert "default-src 'self'" in headers["content-security-policy"], path
        assert headers["cross-origin-opener-policy"] == "same-origin", path
    for path in parts:
        headers = client.get(path).headers
        assert "content-security-policy" not in headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-resource-policy"] == "same-origin"


def test_an_unchanged_file_is_not_sent_again(client: httpx.Client, assets: Assets) -> None:
    url, tags = assets.url("js/docs.js"), set()
    for encoding in ("gzip", "identity"):
        first = client.get(url, headers={"Accept-Encoding": encoding})
        tags.add(first.headers["etag"])
        assert first.headers["vary"] == "Accept-Encoding"
        assert ("content-encoding" in first.headers) == (encoding == "gzip")
        request_headers = {"Accept-Encoding": encoding, "If-None-Match": first.headers["etag"]}
        again = client.get(url, headers=request_headers)
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["cache-control"] == first.headers["cache-control"]
        other = client.get(url, headers={**request_headers, "If-None-Match": '"other"'})
        assert other.content == first.content
        head = client.head(url, headers={"Accept-Encoding": encoding})
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-length"] == first.headers["content-length"]
    assert len(tags) == 2, "two encodings are not the same bytes"


def test_photos_are_not_compressed(client: httpx.Client, assets: Assets) -> None:
    photo = next((STATIC / "samples").glob("*.jpg"))
    answer = client.get(assets.url(f"samples/{photo.name}"), headers={"Accept-Encoding": "gzip"})
    assert answer.headers["content-type"] == "image/jpeg"
    assert "content-encoding" not in answer.headers
    assert answer.content == photo.read_bytes()


@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_an_unchanged_file_of_a_package_is_not_sent_again(
    client: httpx.Client, assets: Assets, encoding: str
) -> None:
    url = assets.url("vendor/plotly.min.js")
    first = client.get(url, headers={"Accept-Encoding": encoding})
    request_headers = {"Accept-Encoding": encoding, "If-None-Match": first.headers["etag"]}
    again = client.get(url, headers=request_headers)
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["cache-control"] == first.headers["cache-control"]
