"""`heed audit`: what the attention of a model is worth on one text or picture."""

from __future__ import annotations

import argparse

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from heed import __version__
from heed.app.commands.errors import DONE, RefusedError
from heed.app.commands.options import read_file, read_stdin, request_errors, search_options
from heed.app.commands.terminal_heatmap import END_SIGN, printable_text
from heed.app.errors import StartError
from heed.app.http.encoding import to_json
from heed.app.inference.catalogue import hf_folders, known_id, model_named, open_catalogue
from heed.app.schemas import SearchIn
from heed.app.settings import Settings
from heed.app.tasks import task_of
from heed.app.tasks.audits import AUDITS
from heed.app.tasks.translate import search_of
from heed.models.audit.audit import Audit
from heed.models.audit.choices import MOST_SEEDS, AuditChoices
from heed.models.audit.contrast import Contrast
from heed.models.audit.figure_verdicts import Figure, verdict_of
from heed.models.audit.rewritten import Rewritten
from heed.models.audit.slices import SlicedAudit
from heed.models.audit.verdict import BIT, SMALL, Measured, noun_of
from heed.models.errors import CheckpointError, RecordingError
from heed.models.generation.requests import PictureRequest, Request, TextRequest
from heed.models.pictures.decode import decode_picture
from heed.models.trace import TokenAxis
from heed.output.audit_figures import figure_out


def audit(options: argparse.Namespace) -> int:
    """Print the verdict and a table of the rows; return the exit code."""
    settings = Settings.from_environment()
    hf = hf_folders(settings.hf_models)
    catalogue = open_catalogue(settings.weights, settings.runtime, hf)
    asked = model_named(catalogue, options.model or next(iter(catalogue.cards)))
    with request_errors():
        model = known_id(catalogue, asked)
        card = catalogue.cards[model]
        if not any(audit.task is task_of(card) for audit in AUDITS):
            raise RefusedError(f"{model} {task_of(card).does}: that cannot be audited here.")
        search = search_of(SearchIn(**search_options(options, card)))  # type: ignore[arg-type]
        request: Request
        if card.reads_pictures:
            most = settings.max_image_bytes
            file = read_file(options.input, most + 1)
            picture = decode_picture(file, max_bytes=most, max_pixels=settings.max_image_pixels)
            request = PictureRequest(picture, options.question, options.target, search)
        else:
            text = read_stdin() if options.input == "-" else options.input
            request = TextRequest(text, options.target, search)
        choices = AuditChoices(
            options.removal,
            options.layer,
            options.head,
            options.row,
            options.seeds,
            options.figure,
            options.other,
            options.unit,
        )
        if not 0 < choices.seeds <= MOST_SEEDS:
            raise RefusedError(f"--seeds is a number from 1 to {MOST_SEEDS}.")
        try:
            pipeline = catalogue.load(model, settings.threads)
        except CheckpointError as error:
            raise StartError(f"The model {model} cannot be read: {error}.") from None
        sliced = SlicedAudit(choices)
        try:
            sliced.run(pipeline, request)
        except RecordingError as error:
            raise RefusedError(str(error)) from None
    if options.json:
        print(to_json(figure_out(sliced.result, __version__)).decode())
    else:
        _print(sliced.result)
    return DONE


def _print(figure: Figure) -> None:
    console = Console(highlight=False)
    console.print(printable_text(figure.trace.text), markup=False)
    console.print()
    for sentence in verdict_of(figure):
        console.print(printable_text(sentence), markup=False)
    match figure:
        case Audit():
            table = _rows(figure)
        case Rewritten():
            table = _outputs(figure)
        case Contrast():
            table = _contrasts(figure)
        case _:
            return
    console.print()
    console.print(table)


def _outputs(rewritten: Rewritten) -> Table:
    """Return the output without each word."""
    table = Table("without", "changed", "output", box=None, pad_edge=False)
    source = rewritten.trace.source
    for word, text, changed in rewritten.outputs:
        name = source.words[word].text if isinstance(source, TokenAxis) else str(word)
        table.add_row(Text(printable_text(name)), str(changed), Text(printable_text(text)))
    return table


def _contrasts(contrast: Contrast) -> Table:
    """Return the contrast of each key, in bits."""
    table = Table(box=None, pad_edge=False)
    for name in (noun_of(contrast), "α", "bits"):
        table.add_column(name, justify="left" if name not in ("α", "bits") else "right")
    total = contrast.total / BIT
    for key in np.argsort(-np.abs(total)):
        if abs(total[key]) >= SMALL:
            alpha = f"{contrast.attention[key]:.2f}"
            table.add_row(_key(contrast, int(key)), alpha, f"{total[key]:.1f}")
    return table


def _rows(audit: Audit) -> Table:
    """Return the figures of each row."""
    table = Table(box=None, pad_edge=False)
    noun = noun_of(audit)
    for name in ("row", "output", f"looks at this {noun}", "α", f"misses this {noun}"):
        table.add_column(name, justify="right" if name in ("row", "α") else "left")
    for name in ("bits", f"{audit.controls.keys} strongest", "as many at random", "τ"):
        table.add_column(name, justify="right")
    tokens = audit.trace.output.tokens.tokens
    names = [END_SIGN if token.special else token.text for token in tokens]
    for row, name in enumerate(names):
        table.add_row(str(row), Text(printable_text(name)), *_figures(audit, row))
    return table


def _figures(audit: Audit, row: int) -> tuple[str | Text, ...]:
    costs, weights = audit.costs[row], audit.attention[row]
    looked, tau = int(weights.argmax()), audit.agreements.attention.taus[row]
    if np.isnan(costs).all():
        return (_key(audit, looked), f"{weights[looked]:.2f}", "–", "–", "–", "–", "–")
    missed = int(np.nanargmax(costs))
    return (
        _key(audit, looked),
        f"{weights[looked]:.2f}",
        _key(audit, missed),
        f"{costs[missed] / BIT:.1f}",
        f"{audit.controls.cost[row] / BIT:.1f}",
        f"{audit.controls.random[:, row].mean() / BIT:.1f}",
        "–" if tau is None else f"{tau:.2f}",
    )


def _key(audit: Measured, key: int) -> Text:
    source = audit.trace.source
    if isinstance(source, TokenAxis):
        return Text(printable_text(source.tokens[key].text.strip()))
    return Text(str(key))
