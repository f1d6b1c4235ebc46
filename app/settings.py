"""Every setting of the server: typed, described, bounded, and checked before anything starts.

A setting is an environment variable, `HEED_` before its name in capitals: `HEED_PORT=9000`.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from heed.app.errors import StartError
from heed.models.catalogue import DEFAULT_DIRECTORY, RuntimeName
from heed.models.images.read import MOST_BYTES, MOST_PIXELS

PREFIX = "HEED_"
ELSEWHERE = {"HEED_CHROMIUM", "HEED_DATA"}  # of the tests and of training: no slips of the pen
LogLevel = Literal["debug", "info", "warning", "error"]
MEBIBYTE = 1024 * 1024


def data_folder() -> Path:
    """Where programs of this user keep what they are to keep (XDG Base Directory, 0.8)."""
    given = os.environ.get("XDG_DATA_HOME", "")
    return (Path(given) if given.startswith("/") else Path("~/.local/share")) / "heed"


class Settings(BaseModel):
    """What can be set from outside."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    host: Annotated[str, Field(min_length=1)] = "127.0.0.1"
    """Address to listen on. `0.0.0.0` lets other machines in."""
    port: Annotated[int, Field(ge=0, le=65535)] = 8000
    """Port to listen on. `0` takes any free one."""
    weights: Path = DEFAULT_DIRECTORY
    """Folder of the models: one folder in it per model."""
    default_model: str | None = None
    """Model that answers where a request names none. Unset: the first of the catalogue for each
    task."""
    preload: str = "default"
    """Models whose weights are read at start rather than at first use: `default`, `all`, `none`,
    or ids with commas between them. `/readyz` says 503 until they are read."""
    runtime: RuntimeName = "auto"
    """What runs the models: `native` the compiled kernels (questions about a picture: the graphs,
    behind eyes of theirs), `onnx` the graphs beside their weights, `torch` the PyTorch modules,
    `auto` the first of these that there is."""
    threads: Annotated[int, Field(ge=1, le=256)] | None = None
    """Threads that a model runs on. Unset: what is asked together is parted among all cores but
    one, which the rest of the server needs, and on two cores among both; the graphs run on one."""
    queue_size: Annotated[int, Field(ge=1, le=10_000)] = 64
    """Requests that may wait for the model. One more is refused at once with 503."""
    deadline_seconds: Annotated[float, Field(gt=0, le=3600)] = 30.0
    """Seconds a request may take, waiting included, before it is given up with 504."""
    cache_bytes: Annotated[int, Field(ge=0, le=64 * 1024 * MEBIBYTE)] = 32 * MEBIBYTE
    """Room in memory for answers given before, which are given again when the same is asked. `0`
    keeps none."""
    header_seconds: Annotated[float, Field(gt=0, le=3600)] = 8.0
    """Seconds within which the headers of a request must be there; then 408, and the connection is
    closed."""
    body_seconds: Annotated[float, Field(gt=0, le=3600)] = 8.0
    """Seconds that the body of a request may stand still; then 408, and the connection is
    closed."""
    body_bytes_per_second: Annotated[int, Field(ge=1, le=MEBIBYTE)] = 1000
    """Slowest that the body of a request may come on the whole, `HEED_BODY_SECONDS` aside."""
    upload_seconds: Annotated[float, Field(gt=0, le=3600)] = 60.0
    """Seconds that the upload of a picture may take, however fast it comes; then 504."""
    send_seconds: Annotated[float, Field(gt=0, le=3600)] = 60.0
    """Seconds that a client may leave an answer unread; then the connection is closed."""
    stop_seconds: Annotated[float, Field(ge=0, le=3600)] = 6.0
    """Seconds that requests which are there when the server stops have to be answered; then 503."""
    max_connections: Annotated[int, Field(ge=1, le=100_000)] = 2000
    """Connections that may be open. One more is answered with 503 and closed, and from twice as
    many on it is closed without a word."""
    max_body_bytes: Annotated[int, Field(ge=1024, le=64 * MEBIBYTE)] = MEBIBYTE
    """Size of the largest request body."""
    max_held_bytes: Annotated[int, Field(ge=MEBIBYTE, le=1024**4)] = 64 * MEBIBYTE
    """Room for all bodies together that are being read, pictures aside. What finds none is refused
    with 503."""
    max_depth: Annotated[int, Field(ge=4, le=200)] = 32
    """Lists and objects that may lie within each other in a JSON body."""
    max_fields: Annotated[int, Field(ge=8, le=1000)] = 16
    """Fields in the form that brings a picture."""
    max_beam: Annotated[int, Field(ge=1, le=10)] = 10
    """Hypotheses that a beam search may keep."""
    max_image_bytes: Annotated[int, Field(ge=1024, le=100_000_000)] = MOST_BYTES
    """Size of the largest file of a picture."""
    max_image_pixels: Annotated[int, Field(ge=1, le=MOST_PIXELS)] = MOST_PIXELS
    """Pixels that a picture may say it has; more are refused before anything is decoded."""
    max_batch: Annotated[int, Field(ge=16, le=1024)] = 32
    """Texts in the largest batch."""
    store: Path = Field(default_factory=data_folder)
    """Folder that saved traces are kept in; made when the first one is saved."""
    keep_days: Annotated[float, Field(ge=0, le=36_500)] = 0.0
    """Days that a trace is kept once it is saved; `0` keeps it until it is deleted. A change holds
    for what is saved from then on."""
    max_trace_bytes: Annotated[int, Field(ge=1024, le=64 * MEBIBYTE)] = 8 * MEBIBYTE
    """Size of the largest trace that can be saved, as JSON."""
    max_store_bytes: Annotated[int, Field(ge=0, le=1024**4)] = 1024 * MEBIBYTE
    """Room for all saved traces together, compressed. `0` takes no new ones."""
    rate_per_minute: Annotated[float, Field(ge=0, le=1_000_000)] = 0.0
    """Calls of `/api` that one address may make in a minute; more get 429. `0` counts nothing. A
    page whose link has a model asked is a call, too. A class behind one router is one address."""
    rate_burst: Annotated[int, Field(ge=1, le=1_000_000)] = 30
    """Calls that one address may make at once before `HEED_RATE_PER_MINUTE` holds it back."""
    trusted_proxies: Annotated[int, Field(ge=0, le=10)] = 0
    """Proxies of your own between the clients and the server. With `1` an address is the last one
    in `X-Forwarded-For`, with `2` the one before; with `0` the header is not looked at."""
    allowed_hosts: str = "*"
    """Host names that requests may be for, with commas between them; `*.example.org` stands for
    all below it, `*` for any. Others get 400; `/healthz` and `/readyz` answer to every name."""
    cors_origins: str = "none"
    """Origins whose pages may call the API from a browser (`https://example.org`), with commas
    between them; `*` for any. `none`: no page but our own may."""
    metrics: bool = True
    """Whether `/metrics` tells Prometheus how the server is doing."""
    log_level: LogLevel = "info"
    """Least serious message that is logged: `debug`, `info`, `warning` or `error`."""

    @classmethod
    def from_environment(cls, **given: object) -> Self:
        """Read the environment, `given` having precedence, or say in a sentence what is wrong."""
        there = {name.upper(): value for name, value in os.environ.items()}
        names = {PREFIX + name.upper(): name for name in cls.model_fields}
        read: dict[str, object] = {names[name]: there[name] for name in names.keys() & there}
        read |= {name: value for name, value in given.items() if value is not None}
        try:
            return cls.model_validate(read)
        except ValidationError as error:
            raise StartError(" ".join(_sentences(error))) from None


def _sentences(error: ValidationError) -> Iterable[str]:
    for problem in error.errors(include_url=False):
        name = PREFIX + str(problem["loc"][0]).upper()
        yield f"{name}={problem['input']} cannot be used: {_lower(problem['msg'])}."


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def unknown_variables(environment: Iterable[str] | None = None) -> list[str]:
    """A sentence per variable that begins with the prefix and is no setting: a slip of the pen."""
    known = {PREFIX + name.upper() for name in Settings.model_fields} | ELSEWHERE
    present = {name.upper() for name in (os.environ if environment is None else environment)}
    sentences = []
    for name in sorted(name for name in present - known if name.startswith(PREFIX)):
        near = difflib.get_close_matches(name, known, n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        sentences.append(f"{name} is no setting and has no effect.{hint}")
    return sentences
