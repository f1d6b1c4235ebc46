"""`heed doctor`: checks whether the server can run here, and says what to change."""

from __future__ import annotations

import os
import platform
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from importlib.metadata import PackageNotFoundError, requires, version
from itertools import groupby
from pathlib import Path
from typing import Literal, NamedTuple

from packaging.requirements import Requirement
from pydantic import SecretStr

from heed import DISTRIBUTION
from heed.app.commands.errors import DONE, FAILED
from heed.app.errors import HeedError, StartError
from heed.app.inference.catalogue import (
    OUTDATED_KERNELS,
    default_models,
    open_catalogue,
    preloaded_models,
)
from heed.app.inference.limits import most_memory
from heed.app.server.protocol import MANY
from heed.app.server.serve import FILES, listen
from heed.app.settings import MEBIBYTE, Settings, unknown_variables
from heed.app.traces.connect import open_postgresql
from heed.app.traces.database import open_read_only
from heed.app.traces.sqlite_store import FILE
from heed.models.catalogue import (
    Catalogue,
    compiled_for,
    install_hint,
    kernels_are_outdated,
)
from heed.models.cores import cores
from heed.models.free_ram import free_ram

COMPILE = f"pip install --force-reinstall --no-deps --no-binary {DISTRIBUTION} {DISTRIBUTION}"
CPU_BUILD = "pip install torch --index-url https://download.pytorch.org/whl/cpu"
LEAST_FREE = 100 * MEBIBYTE

State = Literal["ok", "note", "BAD"]


class Finding(NamedTuple):
    """The result of one check."""

    state: State
    subject: str
    message: str


Check = Callable[[Settings], Iterator[Finding]]


def doctor() -> int:
    """Print all findings; return the exit code."""
    try:
        settings = Settings.from_environment()
    except StartError as error:
        print(_line(Finding("BAD", "settings", str(error))))
        return FAILED
    problems = 0
    for check in (
        _settings,
        _packages,
        _torch,
        _kernels,
        _models,
        _threads,
        _memory,
        _files,
        _store,
        _port,
    ):
        try:
            for finding in check(settings):
                problems += finding.state == "BAD"
                print(_line(finding), flush=True)
        except StartError as error:
            problems += 1
            print(_line(Finding("BAD", check.__name__.strip("_"), str(error))), flush=True)
    print(_summary(problems))
    return FAILED if problems else DONE


def _summary(problems: int) -> str:
    if not problems:
        return "No problems found."
    return f"{problems} {'problem' if problems == 1 else 'problems'} found."


def _line(finding: Finding) -> str:
    return f"{finding.state:5}{finding.subject:10}{finding.message}"


def _settings(_: Settings) -> Iterator[Finding]:
    yield from (Finding("note", "settings", sentence) for sentence in unknown_variables())


def _packages(_: Settings) -> Iterator[Finding]:
    yield Finding("ok", "python", f"{platform.python_version()} on {platform.platform()}")
    try:
        wanted = _needed(DISTRIBUTION)
    except PackageNotFoundError:
        yield Finding(
            "note", "packages", "heed is not installed as a package, so packages are not checked."
        )
        return
    others = 0
    for requirement in wanted:
        installed = _installed(requirement.name)
        if installed is None or not requirement.specifier.contains(installed, prereleases=True):
            others += 1
            state: State = "BAD" if installed is None else "note"
            tested = f"tested with {requirement.specifier}."
            yield Finding(
                state, "packages", f"{requirement.name} is {installed or 'missing'}; {tested}"
            )
    yield Finding(
        "ok", "packages", f"{len(wanted) - others} of {len(wanted)} have a tested version."
    )


def _needed(distribution: str) -> list[Requirement]:
    """Return what a distribution needs on this platform, without its extras."""
    lines = map(Requirement, requires(distribution) or ())
    return [
        requirement
        for requirement in lines
        if not requirement.marker or requirement.marker.evaluate({"extra": ""})
    ]


def _installed(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def _torch(_: Settings) -> Iterator[Finding]:
    """Report the build of PyTorch, by what its distribution says: importing it takes seconds."""
    installed = _installed("torch")
    if installed is None:
        return  # a missing package was reported
    number, local = (installed + "+").split("+")[:2]
    cuda = any(
        requirement.name.startswith(("nvidia-", "cuda-")) for requirement in _needed("torch")
    )
    if cuda or local not in ("", "cpu"):
        message = f"{number} with {local or 'CUDA'}; the CPU build suffices, and saves gigabytes"
        yield Finding("note", "torch", f"{message}: {CPU_BUILD}")
    else:
        yield Finding("ok", "torch", f"{number}, the CPU build.")


def _kernels(_: Settings) -> Iterator[Finding]:
    level = compiled_for()
    if level is not None:
        yield Finding("ok", "kernels", f"compiled for {level}; used for translation and captions.")
        return
    if kernels_are_outdated():
        yield Finding("note", "kernels", OUTDATED_KERNELS)
        return
    message = "none for this processor: ONNX Runtime is used, at half the speed."
    yield Finding("note", "kernels", f"{message} With a C compiler: {COMPILE}")


def _models(settings: Settings) -> Iterator[Finding]:
    catalogue = open_catalogue(settings.weights)
    defaults = default_models(catalogue, settings.default_model)
    preloaded_models(catalogue, settings.preload, defaults)
    for model in catalogue.cards:
        yield _model(catalogue, model)
    for problem in catalogue.problems:
        yield Finding("note", "models", f"{problem}.")
    for hint, absent in groupby(catalogue.missing.values(), install_hint):
        yield Finding("note", "models", f"{len([*absent])} are not installed. {hint}")


def _model(catalogue: Catalogue, model: str) -> Finding:
    try:
        catalogue.load(model)
    except Exception as error:  # noqa: BLE001 - any error is a finding
        state: State = "note" if catalogue.cards[model].package else "BAD"
        return Finding(state, "models", f"{model} cannot be read: {error}.")
    digest = catalogue.cards[model].weights[:12]
    return Finding("ok", "models", f"{model} can be read; digest of its weights: {digest}…")


def _memory(settings: Settings) -> Iterator[Finding]:
    most, free = most_memory(settings), free_ram()
    message = f"a server takes up to {most // MEBIBYTE} MiB with Heed's own models"
    if free < most:
        hint = f"only {int(free) // MEBIBYTE} MiB are free. Lower HEED_WORK_BYTES and others"
        yield Finding("note", "memory", f"{message}; {hint}: see docs/operations.md.")
    else:
        yield Finding("ok", "memory", f"{message}.")


def _threads(settings: Settings) -> Iterator[Finding]:
    available = cores()
    message = f"{settings.threads or 'automatic number'} per model, {available} cores"
    fits = (settings.threads or 1) <= available
    hint = "." if fits else ". Set HEED_THREADS to fewer."
    yield Finding("ok" if fits else "note", "threads", message + hint)


def _files(settings: Settings) -> Iterator[Finding]:
    wanted = settings.max_connections * MANY + FILES
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most == resource.RLIM_INFINITY or most >= wanted:
        yield Finding("ok", "files", f"{wanted} can be open at once.")
    else:
        message = f"{most} can be open at once; HEED_MAX_CONNECTIONS needs {wanted}."
        yield Finding("note", "files", message)


def _store(settings: Settings) -> Iterator[Finding]:
    if not settings.max_store_bytes:
        yield Finding("ok", "store", "Traces are not saved (HEED_MAX_STORE_BYTES=0).")
    elif isinstance(settings.store, SecretStr):
        yield _database(settings.store, settings)
    else:
        yield from _folder(settings.store.expanduser())


def _database(url: SecretStr, settings: Settings) -> Finding:
    store = open_postgresql(url, settings)
    try:
        usage = store.usage()
    except HeedError:
        return Finding("BAD", "store", "The database of HEED_STORE does not answer; see above.")
    finally:
        store.close()
    return Finding("ok", "store", f"Saved traces in PostgreSQL: {usage.traces}.")


def _folder(folder: Path) -> Iterator[Finding]:
    existing = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK | os.X_OK):
        yield Finding("BAD", "store", f"{existing} cannot be written. Set HEED_STORE.")
        return
    free = shutil.disk_usage(existing).free
    message = f"{folder} can be written, {free // MEBIBYTE} MB free."
    yield Finding("ok" if free > LEAST_FREE else "BAD", "store", message)
    if (folder / FILE).exists():
        yield _saved_traces(folder / FILE)


def _saved_traces(path: Path) -> Finding:
    try:
        with closing(open_read_only(path)) as connection:
            (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            (traces,) = connection.execute("SELECT count(*) FROM traces").fetchone()
    except (sqlite3.Error, OSError) as error:
        return Finding("BAD", "store", f"{path} cannot be read: {error}.")
    if verdict != "ok":
        return Finding("BAD", "store", f"{path} is damaged: {verdict}.")
    return Finding("ok", "store", f"Saved traces: {traces}; the file is intact.")


def _port(settings: Settings) -> Iterator[Finding]:
    for listener in listen(settings.host, settings.port):
        listener.close()
    yield Finding("ok", "port", f"{settings.port} of {settings.host} is free.")
