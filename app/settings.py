"""Every setting of the server: typed, described, bounded, and validated before the start.

A setting is an environment variable, its name in capitals after `HEED_`: `HEED_PORT=9000`.
"""

from __future__ import annotations

import difflib
import math
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    model_validator,
)

from heed.app.errors import StartError
from heed.models.catalogue import DEFAULT_DIRECTORY, RuntimeName
from heed.models.free_ram import free_ram
from heed.models.pictures.decode import MAX_BYTES, MAX_PIXELS
from heed.models.sounds.read import MAX_BYTES as MAX_SOUND_BYTES

PREFIX = "HEED_"
OTHER_VARIABLES = {"HEED_CHROMIUM", "HEED_DATA"}  # of the tests and of training
LogLevel = Literal["debug", "info", "warning", "error"]
SECRET = {"HEED_STORE", "HEED_SHARED"}  # may have passwords, which no message repeats
MEBIBYTE = 1024 * 1024
SHARED = ("redis://", "rediss://", "valkey://", "valkeys://")
POSTGRESQL = "postgresql+psycopg://"


def data_folder() -> Path:
    """Return the folder for data of this user (XDG Base Directory Specification 0.8)."""
    given = os.environ.get("XDG_DATA_HOME", "")
    return (Path(given) if given.startswith("/") else Path("~/.local/share")) / "heed"


def _store(value: object) -> object:
    if not isinstance(value, str):
        return value
    if "://" not in value:
        return Path(value)
    if not value.startswith(POSTGRESQL):
        raise ValueError(f"a database is {POSTGRESQL}USER:PASSWORD@HOST/NAME")
    return SecretStr(value)  # it may have a password


def _shared(url: SecretStr) -> SecretStr:
    if not url.get_secret_value().startswith(SHARED):
        raise ValueError("it is the URL of a server, redis://:PASSWORD@HOST:6379/0")
    return url


class Settings(BaseModel):
    """The settings of the server."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    host: Annotated[str, Field(min_length=1)] = "127.0.0.1"
    """Address to listen on. `0.0.0.0` accepts connections from other machines."""
    port: Annotated[int, Field(ge=0, le=65535)] = 8000
    """Port to listen on. `0` takes any free port."""
    workers: Annotated[int, Field(ge=1, le=64)] = 1
    """Processes that serve. Each has its own queue, cache and limits; saved traces and metrics are
    those of all, and `HEED_THREADS` is a share of the cores."""
    weights: Path = DEFAULT_DIRECTORY
    """Folder of the models, with one folder for each model. Beside those of Heed itself stand the
    models that other packages bring; a folder that is named here is served alone."""
    hf_models: str = "none"
    """Folders of models of Hugging Face that are offered as well, each as `name=PATH`, separated by
    `:` (on Windows `;`); `heed serve --model name=PATH` does the same. Instead of a path, the id of
    a model of the hub (`owner/name`), which is fetched at the start. Needs the extra `hf`."""
    default_model: str | None = None
    """Model for requests that name none. Unset: the first of the catalogue for each task."""
    preload: str = "default"
    """Models whose weights are loaded at start rather than on first use: `default`, `all`, `none`,
    or ids separated by commas. `/readyz` returns 503 until they are loaded."""
    runtime: RuntimeName = "auto"
    """Runtime of the models: `native` the compiled kernels, `onnx` the ONNX graphs next to the
    weights, `torch` the PyTorch modules, `auto` the first of these that is available. NumPy runs
    the networks that write no text."""
    model_bytes: Annotated[int, Field(ge=0, le=64 * 1024 * MEBIBYTE)] = 64 * MEBIBYTE
    """Weights of Heed's own models that stay in memory: those of a comparison of eight, or of
    fewer with the image encoder, which stays. Beyond, the least recently used model is dropped,
    and read again when it is used, which takes a tenth of a second. The models in `HEED_PRELOAD`
    always fit together. Other trainings, which an audit compares, are kept with their model if
    they fit, and count, too."""
    threads: Annotated[int, Field(ge=1, le=256)] | None = None
    """Threads of a model. Unset: a batch is split among all cores but one, which the rest of the
    server needs, and on two cores among both; the ONNX graphs run on one."""
    queue_size: Annotated[int, Field(ge=1, le=10_000)] = 64
    """Requests that may wait for a model. Further requests get 503 at once, or take a place of the
    client that has most."""
    deadline_seconds: Annotated[float, Field(gt=0, le=3600)] = 30.0
    """Seconds a request may take, including its time in the queue; then 504."""
    work_bytes: Annotated[int, Field(ge=8 * MEBIBYTE, le=1024**4)] = 60 * MEBIBYTE
    """Memory for requests that run, estimated before they do. A request that needs more gets 422,
    `answer_too_large`; one that finds too little left waits. With models of Hugging Face, the
    default is a quarter of the free memory if that is more."""
    cache_bytes: Annotated[int, Field(ge=0, le=64 * 1024 * MEBIBYTE)] = 12 * MEBIBYTE
    """Memory for cached results, which are returned when a request is repeated. `0` disables the
    cache."""
    run_bytes: Annotated[int, Field(ge=0, le=64 * 1024 * MEBIBYTE)] = 12 * MEBIBYTE
    """Memory for the maps of large traces, which the page requests one at a time; the newest trace
    is always kept. With models of Hugging Face, the default is 256 MiB. `0`, or more than one
    worker: large traces are sent as a whole."""
    header_seconds: Annotated[float, Field(gt=0, le=3600)] = 8.0
    """Seconds within which the headers of a request must arrive; then 408, and the connection is
    closed."""
    body_seconds: Annotated[float, Field(gt=0, le=3600)] = 8.0
    """Seconds without content of the body after which a request gets 408, and the connection is
    closed. The framing of chunks is not content."""
    body_bytes_per_second: Annotated[int, Field(ge=1, le=MEBIBYTE)] = 1000
    """Minimum rate of the content of a request body. It may be lower for `HEED_BODY_SECONDS` at a
    time."""
    upload_seconds: Annotated[float, Field(gt=0, le=3600)] = 60.0
    """Seconds the upload of a picture may take, however fast it is; then 504. The minimum rate of
    any body is at least what it has sent so far, divided by this time."""
    send_seconds: Annotated[float, Field(gt=0, le=3600)] = 60.0
    """Seconds the server may wait for a client to read a response, all pauses together; then the
    connection is closed."""
    stop_seconds: Annotated[float, Field(ge=0, le=3600)] = 6.0
    """Seconds the server waits for running requests when it stops; then they get 503."""
    max_connections: Annotated[int, Field(ge=1, le=100_000)] = 2000
    """Maximum number of open connections. Further connections get 503 and are closed; beyond twice
    the limit, connections are dropped without a response. So are those of one client beyond three
    times what is free, three quarters of all if it is alone. With trusted proxies its requests in
    progress count instead, and further ones get 503."""
    max_body_bytes: Annotated[int, Field(ge=1024, le=64 * MEBIBYTE)] = MEBIBYTE
    """Size of the largest request body, except uploads of pictures and traces."""
    max_held_bytes: Annotated[int, Field(ge=MEBIBYTE, le=1024**4)] = 26 * MEBIBYTE
    """Memory for the bodies of all requests that are being handled (JSON, pictures, and traces to
    be saved), and for responses that their clients have not read yet. Further ones get 503. One
    client may take three times what is free, three quarters if it is alone; into these a body of
    the largest allowed size always fits. Clients behind one router are one client: while one of
    them reads its answers slowly, for at most `HEED_SEND_SECONDS`, large answers to the others may
    get 503."""
    max_depth: Annotated[int, Field(ge=4, le=200)] = 32
    """Maximum nesting of lists and objects in a JSON body."""
    max_fields: Annotated[int, Field(ge=8, le=1000)] = 16
    """Maximum number of fields in a form with a picture."""
    max_beam: Annotated[int, Field(ge=1, le=10)] = 10
    """Maximum number of hypotheses of a beam search."""
    max_image_bytes: Annotated[int, Field(ge=1024, le=100_000_000)] = MAX_BYTES
    """Size of the largest image file."""
    max_sound_bytes: Annotated[int, Field(ge=1024, le=100_000_000)] = MAX_SOUND_BYTES
    """Size of the largest sound file."""
    max_image_pixels: Annotated[int, Field(ge=1, le=MAX_PIXELS)] = MAX_PIXELS
    """Maximum number of pixels that an image file may declare; it is checked before decoding."""
    max_batch: Annotated[int, Field(ge=16, le=1024)] = 32
    """Maximum number of texts in a batch."""
    store: Annotated[Path | SecretStr, BeforeValidator(_store)] = Field(default_factory=data_folder)
    """Folder of the saved traces, created when the first trace is saved; or a PostgreSQL database
    that several servers share, `postgresql+psycopg://USER:PASSWORD@HOST/NAME`."""
    shared: Annotated[SecretStr, AfterValidator(_shared)] | None = None
    """Redis or Valkey server, `redis://:PASSWORD@HOST:6379/0`, on which several servers share the
    rate limit and the answers to texts. Unset, or while it does not answer: each has its own."""
    keep_days: Annotated[float, Field(ge=0, le=36_500)] = 0.0
    """Days after which a saved trace is deleted; `0` keeps it until it is deleted by hand. A change
    applies to traces that are saved later."""
    max_trace_bytes: Annotated[int, Field(ge=1024, le=64 * MEBIBYTE)] = 8 * MEBIBYTE
    """Size of the largest trace that can be saved, as JSON."""
    max_store_bytes: Annotated[int, Field(ge=0, le=1024**4)] = 1024 * MEBIBYTE
    """Size of all saved traces together, compressed. `0` disables saving."""
    rate_per_minute: Annotated[float, Field(ge=0, le=1_000_000)] = 0.0
    """Calls that one address may make per minute in the long run; more get 429. `0` disables the
    limit. Requests to `/api`, pages with a query that runs a model, pages of saved traces and
    pictures of links are calls, and each text of a batch is one. A class behind one router is one
    address; a network of IPv6 (/64) is one, too, and the networks of a /48 may together make 16
    times as many calls."""
    rate_burst: Annotated[int, Field(ge=1, le=1_000_000)] = 30
    """Calls that one address may make at once. It may make as many in any window in which
    `HEED_RATE_PER_MINUTE` allows them: 30 calls at 60 per minute are a window of 30 s."""
    trusted_proxies: Annotated[int, Field(ge=0, le=10)] = 0
    """Number of your own proxies in front of the server. With `1` the client's address is the last
    one in `X-Forwarded-For`, with `2` the one before; with `0` the header is ignored."""
    allowed_hosts: str = "*"
    """Host names of the server, separated by commas; `*.example.org` matches all subdomains, `*`
    any host. Requests for others get 400, except `/healthz` and `/readyz`."""
    cors_origins: str = "none"
    """Origins whose pages may call the API from a browser (`https://example.org`), separated by
    commas; `*` for any, `none` for none but the server itself."""
    metrics: bool = True
    """Enables `/metrics` for Prometheus."""
    log_level: LogLevel = "info"
    """Lowest severity that is logged: `debug`, `info`, `warning` or `error`."""

    @model_validator(mode="before")
    @classmethod
    def _with_room_for_large_models(cls, given: object) -> object:
        """Raise the defaults of memory for models of Hugging Face, whose traces are far larger."""
        if not isinstance(given, dict) or given.get("hf_models", "none") == "none":
            return given
        free = free_ram()
        quarter = int(free / 4) if math.isfinite(free) else MEBIBYTE * 1024
        return {"work_bytes": max(quarter, 64 * MEBIBYTE), "run_bytes": 256 * MEBIBYTE, **given}

    @classmethod
    def from_environment(cls, **given: object) -> Self:
        """Read the environment, after `given`, or raise `StartError` for an invalid value."""
        present = {name.upper(): value for name, value in os.environ.items()}
        names = {PREFIX + name.upper(): name for name in cls.model_fields}
        read: dict[str, object] = {names[name]: present[name] for name in names.keys() & present}
        read |= {name: value for name, value in given.items() if value is not None}
        try:
            return cls.model_validate(read)
        except ValidationError as error:
            raise StartError(" ".join(_sentences(error))) from None


def _sentences(error: ValidationError) -> Iterable[str]:
    for problem in error.errors(include_url=False):
        name = PREFIX + str(problem["loc"][0]).upper()
        given = f"={problem['input']}" if name not in SECRET else ""
        yield f"{name}{given} is invalid: {_lower(problem['msg'])}."


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def unknown_variables(environment: Iterable[str] | None = None) -> list[str]:
    """Return a warning for each variable with the prefix that is not a setting."""
    known = {PREFIX + name.upper() for name in Settings.model_fields} | OTHER_VARIABLES
    present = {name.upper() for name in (os.environ if environment is None else environment)}
    sentences = []
    for name in sorted(name for name in present - known if name.startswith(PREFIX)):
        near = difflib.get_close_matches(name, known, n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        sentences.append(f"{name} is not a setting and has no effect.{hint}")
    return sentences
