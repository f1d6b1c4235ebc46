"""Parsers of forms, which leave nothing in memory."""

from __future__ import annotations

import weakref

import pytest

from heed.app.errors import RequestError
from heed.app.http.multipart import FormParser

HEAD = b'--b\r\nContent-Disposition: form-data; name="image"; filename="a"\r\n\r\n'


@pytest.mark.usefixtures("no_collector")
@pytest.mark.parametrize("most", [10_000, 100], ids=["left", "too large"])
def test_what_a_client_sent_is_freed_when_its_upload_ends_early(most: int) -> None:
    def upload() -> list[weakref.ref[object]]:
        parser = FormParser(b"b", most, 3)
        try:
            parser.feed(HEAD + 1000 * b"x")
        except RequestError as error:
            assert error.code == "image_file_too_large"  # noqa: PT017 - else its frames are held
        return [weakref.ref(parser), weakref.ref(parser._parts)]

    assert [parts() for parts in upload()] == [None, None]
