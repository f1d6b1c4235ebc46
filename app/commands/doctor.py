"""`heed doctor`: whether the server can run here, and if not, what to change."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Literal, NamedTuple

from heed.app.commands.errors import DONE, FAILED, StartError
from heed.app.inference.catalogue import default_models, open_catalogue, preloaded_models
from heed.app.server.protocol import MANY
from heed.app.server.serve import FILES, listen
from heed.app.settings import MEBIBYTE, Settings, unknown_variables
from heed.app.traces.database import open_read_only
from heed.app.traces.store import FILE
from heed.models.catalogue import Catalogue, compiled_for, cores

PINNED = re.compile(r"([\w.-]+)==([\w.]+)$")
LEAST_FREE = 100 * MEBIBYTE

State = Literal["ok", "note", "BAD"]


class Finding(NamedTuple):
    """One thing that was looked at."""

    state: State
    what: str
    said: str


Check = Callable[[Settings], Iterator[Finding]]


def doctor() -> int:
    """Print what was found; gives the exit code."""
    try:
        settings = Settings.from_environment()
    except StartError as error:
        print(_line(Finding("BAD", "settings", str(error))))
        return FAILED
    bad = 0
    for check in (_settings, _packages, _kernels, _models, _threads, _files, _store, _port):
        try:
            for finding in check(settings):
                bad += finding.state == "BAD"
                print(_line(finding), flush=True)
        except StartError as error:
            bad += 1
            print(_line(Finding("BAD", check.__name__.strip("_"), str(error))), flush=True)
    print(f"{bad} to be mended." if bad else "Heed can run here.")
    return FAILED if bad else DONE


def _line(finding: Finding) -> str:
    return f"{finding.state:5}{finding.what:10}{finding.said}"


def _settings(_: Settings) -> Iterator[Finding]:
    yield from (Finding("note", "settings", sentence) for sentence in unknown_variables())


def _packages(_: Settings) -> Iterator[Finding]:
    yield Finding("ok", "python", f"{platform.python_version()} on {platform.platform()}")
    try:
        wanted = [found for line in requires("heed") or () if (found := PINNED.match(line))]
    except PackageNotFoundError:
        yield Finding("note", "packages", "heed is not installed as a package: none was looked at.")
        return
    others = 0
    for name, pinned in (found.groups() for found in wanted):
        try:
            there = version(name).partition("+")[0]
        except PackageNotFoundError:
            there = "missing"
        if there != pinned:
            others += 1
            state: State = "BAD" if there == "missing" else "note"
            yield Finding(state, "packages", f"{name} is {there}; it was tested with {pinned}.")
    yield Finding("ok", "packages", f"{len(wanted) - others} of {len(wanted)} as they were tested.")


def _kernels(_: Settings) -> Iterator[Finding]:
    level = compiled_for()
    if level is not None:
        yield Finding("ok", "kernels", f"compiled for {level}: texts and captions run on them.")
        return
    said = "none for this processor: all run on ONNX Runtime, half as fast."
    yield Finding("note", "kernels", f"{said} With a C compiler, install Heed again.")


def _models(settings: Settings) -> Iterator[Finding]:
    zoo = open_catalogue(settings.weights)
    defaults = default_models(zoo, settings.default_model)
    preloaded_models(zoo, settings.preload, defaults)
    for model in zoo.cards:
        yield _model(zoo, model)


def _model(zoo: Catalogue, model: str) -> Finding:
    try:
        zoo.load(model)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what is to be told
        return Finding("BAD", "models", f"{model} cannot be read: {error}.")
    digest = zoo.cards[model].weights[:12]
    return Finding("ok", "models", f"{model} can be read, its weights have the digest {digest}….")


def _threads(settings: Settings) -> Iterator[Finding]:
    there = cores()
    said = f"{settings.threads or 'as many as are of use'} for a model, {there} cores"
    fits = (settings.threads or 1) <= there
    yield Finding("ok" if fits else "note", "threads", said + ("." if fits else ": set fewer."))


def _files(settings: Settings) -> Iterator[Finding]:
    wanted = settings.max_connections * MANY + FILES
    try:
        import resource
    except ImportError:  # Windows knows no such limit
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most == resource.RLIM_INFINITY or most >= wanted:
        yield Finding("ok", "files", f"{wanted} may be open at once.")
    else:
        said = f"{most} may be open at once, of {wanted} that HEED_MAX_CONNECTIONS asks for."
        yield Finding("note", "files", said)


def _store(settings: Settings) -> Iterator[Finding]:
    folder = settings.store.expanduser()
    if not settings.max_store_bytes:
        yield Finding("ok", "store", "No traces are saved here (HEED_MAX_STORE_BYTES=0).")
        return
    there = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        yield Finding("BAD", "store", f"{there} cannot be written. Set HEED_STORE.")
        return
    free = shutil.disk_usage(there).free
    said = f"{folder} can be written, {free // MEBIBYTE} MB are free"
    yield Finding("ok" if free > LEAST_FREE else "BAD", "store", said + ".")
    if (folder / FILE).exists():
        yield _kept(folder / FILE)


def _kept(path: Path) -> Finding:
    try:
        with closing(open_read_only(path)) as connection:
            (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            (traces,) = connection.execute("SELECT count(*) FROM traces").fetchone()
    except (sqlite3.Error, OSError) as error:
        return Finding("BAD", "store", f"{path} cannot be read: {error}.")
    if found != "ok":
        return Finding("BAD", "store", f"{path} is damaged: {found}.")
    return Finding("ok", "store", f"{traces} saved traces, and the file is whole.")


def _port(settings: Settings) -> Iterator[Finding]:
    for one in listen(settings.host, settings.port):
        one.close()
    yield Finding("ok", "port", f"{settings.port} of {settings.host} is free.")
