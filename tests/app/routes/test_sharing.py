"""Sharing a page: a QR code leads where others reach it, and papers are cited."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

import httpx
import pytest

from heed.app.http import hall
from heed.app.pages.citations import key_of, papers
from heed.models import mechanisms
from tests.app.test_errors import error_of

GROUPS = [value for name, value in vars(mechanisms).items() if name.endswith("MECHANISMS")]
PAPERS = sorted({each.paper for group in GROUPS for each in group.values()})


def address(answer: httpx.Response) -> str:
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.headers["cache-control"] == "no-store"
    found = re.search("<title>(.*)</title>", answer.text)
    assert found
    return unescape(found[1])


def test_a_code_leads_to_the_host_by_which_the_page_was_reached(client: httpx.Client) -> None:
    headers = {"Host": "heed.example.org:8080"}
    answer = client.get("/qr.svg", params={"of": "/?text=à la mode&step=2"}, headers=headers)
    assert address(answer) == "http://heed.example.org:8080/?text=%C3%A0%20la%20mode&step=2"


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:8000", "[::1]:8000"])
def test_of_a_page_on_this_machine_alone_there_is_none(client: httpx.Client, host: str) -> None:
    error = error_of(client.get("/qr.svg", headers={"Host": host}), 404, "not_found")
    assert "--host 0.0.0.0" in error["message"]


def test_on_this_machine_a_code_has_its_address_in_the_network(
    served: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hall, "_own_address", lambda: "192.0.2.7")
    with served(preload="none", host="0.0.0.0") as server:
        answer = server.client.get("/qr.svg?of=/story", headers={"Host": "localhost:8000"})
    assert address(answer) == "http://192.0.2.7:8000/story"


@pytest.mark.parametrize(
    "path",
    [
        *("", "story", "//example.org/", "https://example.org/", "/" + "a" * hall.LONGEST),
        "/" + "😀" * (hall.LONGEST // 2),  # each is twelve characters in a code
    ],
)
def test_a_code_leads_to_a_short_path_of_this_site_only(client: httpx.Client, path: str) -> None:
    headers = {"Host": "heed.example.org"}
    error_of(client.get("/qr.svg", params={"of": path}, headers=headers), 404, "not_found")


def test_markup_in_a_path_stays_text(client: httpx.Client) -> None:
    headers = {"Host": "heed.example.org"}
    answer = client.get("/qr.svg", params={"of": "/?text=</title><script>&"}, headers=headers)
    assert "<script" not in answer.text
    assert address(answer).endswith("/?text=%3C/title%3E%3Cscript%3E&")


@pytest.mark.parametrize("paper", PAPERS)
def test_the_paper_of_every_mechanism_can_be_cited(paper: str) -> None:
    assert f"year = {{{re.findall('[0-9]{4}', paper)[0]}}}" in papers()[key_of(paper)]


def test_a_citation_has_heed_and_the_paper_of_the_model(client: httpx.Client) -> None:
    answer = client.get("/cite.bib?model=dates-additive")
    assert answer.headers["content-type"].startswith("text/x-bibtex")
    assert re.findall(r"@\w+\{(\w+)", answer.text) == ["heed", "bahdanau2015"]
    assert re.findall(r"@\w+\{(\w+)", client.get("/cite.bib").text) == ["heed"]
    error_of(client.get("/cite.bib?model=gone"), 404, "not_found")
