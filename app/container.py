"""The services of a running application, built once and injected into routes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Self

from fastapi import Depends, Request
from jinja2 import Environment

from heed.app.http.body_budget import BodyBudget, budget_for
from heed.app.http.media_types import FILE, SOUND
from heed.app.http.multipart import max_form_bytes
from heed.app.inference.audits import AuditInference
from heed.app.inference.batches import TextBatches
from heed.app.inference.cache import Cache
from heed.app.inference.catalogue import (
    Defaults,
    Models,
    default_models,
    hf_folders,
    models_out,
    open_catalogue,
    preloaded_models,
)
from heed.app.inference.engine import Engine
from heed.app.inference.kept_traces import KeptTraces
from heed.app.inference.pictures import PictureDecoder
from heed.app.inference.shared_cache import SharedCache
from heed.app.inference.single import SingleInference
from heed.app.inference.sounds import decoded_sound
from heed.app.inference.turn import Turn
from heed.app.inference.work import WorkBudget
from heed.app.observability.metrics import Metrics
from heed.app.pages import qr_code
from heed.app.pages.assets import Assets
from heed.app.pages.environment import served_environment
from heed.app.pages.lessons import Lessons
from heed.app.pages.link_preview.thread import DrawingThread
from heed.app.pages.own_lesson import own_lesson
from heed.app.pages.page_requests import PageRequests
from heed.app.pages.social import LinkPreviews, SocialTags
from heed.app.settings import Settings
from heed.app.shared import Shared
from heed.app.tasks import TASKS, pages, task_of
from heed.app.tasks.audits import AUDITS
from heed.app.tasks.translate import TRANSLATE
from heed.app.traces.connect import open_store
from heed.app.traces.saved import SavedTraces
from heed.models.card import Card
from heed.models.catalogue import Catalogue, by_rank, install_command
from heed.output.model import model_summary
from heed.output.page.glossary import Glossary


@dataclass(frozen=True)
class Service:
    """The services of one application."""

    settings: Settings
    catalogue: Catalogue
    defaults: Defaults
    preload: tuple[str, ...]
    body_budget: BodyBudget
    work: WorkBudget
    text_engine: Engine
    """Runs the models that read text."""
    picture_engine: Engine
    """Runs the models that read pictures or sounds, which take longer: no text waits for them."""
    shared: Shared | None
    """The server that rate limits and answers are shared on."""
    cache: Cache
    kept_traces: KeptTraces
    inferences: Mapping[str, SingleInference]
    """By task."""
    audits: Mapping[str, AuditInference]
    """By task."""
    batches: TextBatches
    decoder: PictureDecoder
    pages: Mapping[str, PageRequests]
    """The pages whose addresses contain requests, by task."""
    saved: SavedTraces
    assets: Assets
    lessons: Lessons
    lesson_turn: Turn
    """Held while a lesson is written as a file, or to be printed."""
    social: SocialTags
    previews: LinkPreviews
    qr_codes: DrawingThread
    """Draws the QR codes of pages."""
    templates: Environment
    metrics: Metrics

    @property
    def engines(self) -> tuple[Engine, ...]:
        """All engines."""
        return self.text_engine, self.picture_engine

    def start(self) -> None:
        """Start the inference threads; each loads the weights of its own models."""
        cards = self.catalogue.cards
        of_pictures = {id for id in self.preload if task_of(cards[id]).engine == "image"}
        self.text_engine.start([model for model in self.preload if model not in of_pictures])
        self.picture_engine.start([model for model in self.preload if model in of_pictures])
        if self.defaults.get(TRANSLATE.id) in self.preload:
            self.pages[TRANSLATE.id].example.make()

    def load_before_fork(self) -> None:
        """Load the models in `preload` whose memory forked processes can share.

        A model that cannot be loaded is left to the processes, which report it.
        """
        for model in self.preload:
            with suppress(Exception):
                if self.catalogue.may_be_forked(model):
                    self.catalogue.load(model, self.settings.threads)

    def count_refusal(self, code: str) -> None:
        """Count an error response that was sent before the application saw the request."""
        self.metrics.refused(code)

    def stop(self) -> None:
        """Fail the requests that wait, stop those that run."""
        for page in self.pages.values():
            page.example.stop()
        self.previews.stop()
        self.qr_codes.stop()
        self.decoder.stop()
        for engine in self.engines:
            engine.stop()

    async def close(self) -> None:
        """Stop, wait for the threads, and close the store."""
        self.stop()
        for engine in self.engines:
            await engine.join()
        await asyncio.to_thread(self.previews.close)
        await asyncio.to_thread(self.qr_codes.close)
        await asyncio.to_thread(self.decoder.close)
        await asyncio.to_thread(self.kept_traces.close)
        await asyncio.to_thread(self.saved.close)
        if self.shared is not None:
            await self.shared.close()

    @classmethod
    def build(cls, settings: Settings) -> Self:
        """Build all services, or raise a `StartError` that says what to change."""
        catalogue = open_catalogue(
            settings.weights, settings.runtime, hf_folders(settings.hf_models)
        )
        defaults = default_models(catalogue, settings.default_model)
        preload = preloaded_models(catalogue, settings.preload, defaults)
        catalogue.limit_memory(max(settings.model_bytes, catalogue.weight_bytes(preload)))
        metrics, assets, glossary = Metrics(), Assets(), Glossary()
        work = WorkBudget(settings.work_bytes)
        text_engine, picture_engine = (
            _engine(catalogue, work, settings, metrics) for _ in range(2)
        )
        shared = _shared_server(settings, metrics)
        cache = _cache(settings, metrics, shared)
        kept_traces = KeptTraces(settings.run_bytes if settings.workers == 1 else 0, work)
        decoder = PictureDecoder(
            work,
            max_bytes=settings.max_image_bytes,
            max_pixels=settings.max_image_pixels,
            deadline_seconds=settings.deadline_seconds,
        )
        models = Models(catalogue, defaults)
        engines = {"text": text_engine, "image": picture_engine}
        decoders = {FILE: decoder.decoded, SOUND: decoded_sound}
        inferences = {
            task.id: SingleInference(
                task,
                models,
                engines[task.engine],
                cache,
                kept_traces,
                decoders[task.upload.name] if task.upload else None,
                settings.max_beam,
            )
            for task in TASKS
        }
        turn = Turn("audits", settings.deadline_seconds)
        service = cls(
            settings=settings,
            catalogue=catalogue,
            defaults=defaults,
            preload=tuple(preload),
            body_budget=_body_budget(settings),
            work=work,
            text_engine=text_engine,
            picture_engine=picture_engine,
            shared=shared,
            cache=cache,
            kept_traces=kept_traces,
            inferences=inferences,
            audits={
                audit.task.id: AuditInference(audit, inferences[audit.task.id], turn, work)
                for audit in AUDITS
            },
            batches=TextBatches(models, text_engine, settings.max_batch),
            decoder=decoder,
            pages={
                task.id: PageRequests.of(task, task.query, inferences[task.id])
                for task in TASKS
                if task.query
            },
            saved=_saved_traces(settings, work),
            assets=assets,
            lessons=Lessons({**catalogue.missing, **catalogue.cards}, of_link=own_lesson),
            lesson_turn=Turn("lessons", settings.deadline_seconds),
            social=SocialTags(catalogue),
            previews=LinkPreviews(catalogue, cache, work, settings.deadline_seconds),
            qr_codes=DrawingThread("qr-codes", settings.deadline_seconds, qr_code.MAX_WAITING),
            templates=_templates(
                assets, catalogue, defaults, glossary, saves=settings.max_store_bytes > 0
            ),
            metrics=metrics,
        )
        _add_gauges(metrics, service)
        return service


def _engine(catalogue: Catalogue, work: WorkBudget, settings: Settings, metrics: Metrics) -> Engine:
    return Engine(
        catalogue,
        work,
        queue_size=settings.queue_size,
        deadline_seconds=settings.deadline_seconds,
        threads=settings.threads,
        measured=metrics.measured,
    )


def _shared_server(settings: Settings, metrics: Metrics) -> Shared | None:
    if settings.shared is None:
        return None
    return Shared(settings.shared.get_secret_value(), metrics.shared_failures.inc)


def _cache(settings: Settings, metrics: Metrics, shared: Shared | None) -> Cache:
    if shared is None:
        return Cache(settings.cache_bytes, metrics.looked_up)
    return SharedCache(settings.cache_bytes, metrics.looked_up, shared)


def _body_budget(settings: Settings) -> BodyBudget:
    """Return the budget of all bodies; the largest is within the share of a client alone."""
    largest = max(
        settings.max_trace_bytes,
        max_form_bytes(max(settings.max_image_bytes, settings.max_sound_bytes)),
    )
    return BodyBudget(max(settings.max_held_bytes, budget_for(largest)))


def _saved_traces(settings: Settings, work: WorkBudget) -> SavedTraces:
    return SavedTraces(open_store(settings), settings.max_trace_bytes, work.parsed)


def _add_gauges(metrics: Metrics, service: Service) -> None:
    """Add the metrics whose value is looked up when Prometheus reads them."""
    engines, saved, settings = service.engines, service.saved, service.settings
    metrics.watch(
        "queue_waiting",
        "Requests that wait for a model.",
        lambda: sum(engine.waiting for engine in engines),
    )
    metrics.watch(
        "queue_size",
        "Requests that may wait for each inference thread.",
        lambda: settings.queue_size,
        "livemax",
    )
    metrics.watch("cache_bytes", "Bytes of cached results.", lambda: service.cache.taken)
    metrics.watch("saved_traces", "Saved traces.", lambda: saved.usage().traces, "livemax")
    metrics.watch("saved_bytes", "Bytes of saved traces.", lambda: saved.usage().bytes, "livemax")


def _templates(
    assets: Assets,
    catalogue: Catalogue,
    defaults: Defaults,
    glossary: Glossary,
    *,
    saves: bool,
) -> Environment:
    # The page shows no cards, and they are by far the longest part of the catalogue.
    listed: dict[str, list[object]] = {page.name: [] for page in pages()}
    for model in models_out(catalogue, defaults):
        card = catalogue.cards[model.id]
        shown = {**model.model_dump(exclude={"card"}), "summary": model_summary(card)}
        listed[task_of(card).page.name].append(shown)
    menus: dict[str, list[Card]] = {page.name: [] for page in pages()}
    for card in sorted((*catalogue.cards.values(), *catalogue.missing.values()), key=by_rank):
        menus[task_of(card).page.name].append(card)
    return served_environment(
        asset=assets.url,
        bundle=assets.bundle_url,
        view_titles=assets.view_titles,
        glossary=glossary,
        saves=saves,
        page_models=listed,
        menus=menus,
        missing_models={card.id: install_command(card) for card in catalogue.missing.values()},
    )


async def get_service(request: Request) -> Service:
    """Return the services of the application that handles a request."""
    service: Service = request.app.state.service
    return service


ServiceDep = Annotated[Service, Depends(get_service)]
