"""The models that other packages bring, found by their entry points in the group `heed.models`.

An entry point names a package whose folders are models as Heed ships them (`"my_package"`), or a
`PackagedModel` (`"my_package:shout"`). Folders are found without running code of their package.
What is broken, or too slow, is a problem to report, and left out.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

from heed.models.card import Card
from heed.models.mechanisms import mechanism_named

GROUP: Final = "heed.models"
OWN_FOLDER: Final = Path(__file__).parent / "weights"
PATIENCE: Final = 5.0
"""Seconds in which the code of all packages must have made its `PackagedModel`."""
BEHIND: Final = 1000
"""The least rank of a model of a package that is no part of Heed."""
_LOOKUP: Final = threading.Lock()
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@dataclass(frozen=True)
class PackagedModel:
    """A model that a function makes when it is first used; its card is known before."""

    card: Card
    make: Callable[[Card], object]
    """Returns a `Pipeline` (`models/generation/protocol.py`)."""


def packaged_model(card: Card) -> Callable[[Callable[[Card], object]], PackagedModel]:
    """Decorate a function that makes the pipeline of a model with this card."""
    return lambda make: PackagedModel(card, make)


class Bundle(NamedTuple):
    """A folder of models, and the distribution that brings it."""

    distribution: str
    folder: Path


class Installed(NamedTuple):
    """The models that packages bring, and a sentence for each that is left out."""

    bundles: tuple[Bundle, ...] = ()
    models: tuple[PackagedModel, ...] = ()
    problems: tuple[str, ...] = ()


def installed() -> Installed:
    """Return the models of all packages in this environment."""
    with _LOOKUP:
        return _installed()


@cache
def _installed() -> Installed:
    return models_of(entry_points(group=GROUP))


def model_folders() -> tuple[Path, ...]:
    """Return the folder of Heed's own models, and those of packages."""
    return (OWN_FOLDER, *(bundle.folder for bundle in installed().bundles))


def models_of(entries: Iterable[EntryPoint], patience: float = PATIENCE) -> Installed:
    """Return the models of these entry points, each by a thread that may be left behind."""
    searches = [_Search(entry) for entry in entries]
    for search in searches:
        search.start()
    end = time.monotonic() + patience
    for search in searches:
        search.join(max(end - time.monotonic(), 0))
    results = [search.found for search in searches]
    return Installed(
        tuple(result for result in results if isinstance(result, Bundle)),
        tuple(result for result in results if isinstance(result, PackagedModel)),
        tuple(result for result in results if isinstance(result, str)),
    )


class _Search(threading.Thread):
    """Looks up one entry point, whose code may raise anything, or never return."""

    def __init__(self, entry: EntryPoint) -> None:
        super().__init__(name=f"heed-{entry.name}", daemon=True)
        self._entry = entry
        self._distribution = entry.dist.name if entry.dist else entry.module
        self.found: Bundle | PackagedModel | str = self._problem("has not answered in time")

    def run(self) -> None:
        try:
            self.found = self._package() if not self._entry.attr else self._model()
        except BaseException as error:  # noqa: BLE001 - of the code of others, SystemExit as well
            self.found = self._problem(f"cannot be used: {error!r:.300}")

    def _package(self) -> Bundle | str:
        spec = find_spec(self._entry.module)
        if spec is None or not spec.submodule_search_locations:
            return self._problem(f"names no package {self._entry.module}")
        return Bundle(self._distribution, Path(spec.submodule_search_locations[0]))

    def _model(self) -> PackagedModel | str:
        model: Any = self._entry.load()
        if not isinstance(model, PackagedModel):
            return self._problem("is no PackagedModel")
        card = model.card
        if not NAME.fullmatch(card.id):
            return self._problem(f"has a model with the id {card.id!r:.100}")
        mechanism_named(card.mechanism)
        distribution = self._entry.dist
        version = f"{self._distribution} {distribution.version if distribution else ''}"
        card = replace(
            card,
            package=version,
            weights=card.weights or version,
            rank=max(card.rank, BEHIND),
        )
        return replace(model, card=card)

    def _problem(self, reason: str) -> str:
        return f"The entry point {self._entry.name} of {self._distribution} {reason}"
