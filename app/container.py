"""The parts of a running server, and how a route gets hold of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Self

from fastapi import Depends, Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from heed import __version__
from heed.app.inference.cache import Cache
from heed.app.inference.captioning import Captioning
from heed.app.inference.catalogue import (
    Defaults,
    default_models,
    models_out,
    open_catalogue,
    preloaded_models,
)
from heed.app.inference.engine import Engine
from heed.app.inference.translation import Translation
from heed.app.observability.metrics import Metrics
from heed.app.pages.assets import Assets
from heed.app.pages.example import Example
from heed.app.pages.preload import Preloader
from heed.app.settings import Settings
from heed.app.traces.input_note import input_note
from heed.app.traces.saved import SavedTraces
from heed.app.traces.store import Store
from heed.models.catalogue import Catalogue

TEMPLATES = Path(__file__).parent.parent / "templates"


@dataclass(frozen=True)
class Service:
    """What `create_app` puts together, once."""

    settings: Settings
    zoo: Catalogue
    defaults: Defaults
    preload: tuple[str, ...]
    engine: Engine
    """Of what reads texts."""
    looking: Engine
    """Of what looks at pictures, which takes longer: no text waits for one."""
    cache: Cache
    translation: Translation
    captioning: Captioning
    example: Example
    preloader: Preloader
    saved: SavedTraces
    assets: Assets
    templates: Environment
    metrics: Metrics

    @property
    def engines(self) -> tuple[Engine, ...]:
        """All of them."""
        return self.engine, self.looking

    def start(self) -> None:
        """Start the inference threads; each reads the weights of its own models."""
        looks = {model for model in self.preload if self.zoo.cards[model].reads_pictures}
        self.engine.start([model for model in self.preload if model not in looks])
        self.looking.start([model for model in self.preload if model in looks])
        if self.defaults.get("text") in self.preload:
            self.example.make()

    def stop(self) -> None:
        """Answer what waits with an error, stop what runs."""
        self.example.stop()
        for engine in self.engines:
            engine.stop()

    @classmethod
    def build(cls, settings: Settings) -> Self:
        """All parts, or a `StartError` that says what to change."""
        zoo = open_catalogue(settings.weights, settings.runtime)
        defaults = default_models(zoo, settings.default_model)
        metrics = Metrics()
        engine, looking = (
            Engine(
                zoo,
                queue_size=settings.queue_size,
                deadline_seconds=settings.deadline_seconds,
                threads=settings.threads,
                measured=metrics.measured,
            )
            for _ in range(2)
        )
        cache = Cache(settings.cache_bytes, metrics.looked_up)
        translation = Translation(zoo, engine, defaults, settings.max_batch, cache)
        example = Example(zoo, translation, defaults)
        assets = Assets()
        return cls(
            settings=settings,
            zoo=zoo,
            defaults=defaults,
            preload=tuple(preloaded_models(zoo, settings.preload, defaults)),
            engine=engine,
            looking=looking,
            cache=cache,
            translation=translation,
            captioning=Captioning(
                zoo,
                looking,
                defaults,
                cache,
                most_bytes=settings.max_image_bytes,
                most_pixels=settings.max_image_pixels,
            ),
            example=example,
            preloader=Preloader(zoo, translation, defaults, settings),
            saved=SavedTraces(
                Store(
                    settings.store,
                    keep_days=settings.keep_days,
                    max_bytes=settings.max_store_bytes,
                ),
                settings.max_trace_bytes,
            ),
            assets=assets,
            templates=_templates(assets, zoo, defaults, saves=settings.max_store_bytes > 0),
            metrics=metrics,
        )


def _templates(assets: Assets, zoo: Catalogue, defaults: Defaults, *, saves: bool) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
    )
    # The page shows no cards; they are the longest part of the catalogue by far.
    listed = [
        (zoo.cards[model.id].reads_pictures, model.model_dump(exclude={"card"}))
        for model in models_out(zoo, defaults)
    ]
    environment.globals.update(
        asset=assets.url, version=__version__, saves=saves, input_note=input_note
    )
    environment.globals.update(
        models=[model for reads_pictures, model in listed if not reads_pictures],
        picture_models=[model for reads_pictures, model in listed if reads_pictures],
    )
    # Pages replace these where they have something to show.
    environment.globals.update(
        dict.fromkeys(("embedded", "theme", "saved", "preloaded", "error")), query={}
    )
    return environment


def service_of(request: Request) -> Service:
    """The parts of the server that this request came to."""
    service: Service = request.app.state.service
    return service


async def _service(request: Request) -> Service:
    return service_of(request)


ServiceDep = Annotated[Service, Depends(_service)]
