"""The command `heed`: parses its arguments and runs a command."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from heed import __version__
from heed.app.commands.errors import DONE, FAILED, INTERRUPTED
from heed.app.commands.streams import (
    cannot_be_written,
    complain,
    discard,
    discard_closed_stdout,
    open_closed_streams,
)
from heed.app.errors import CommandError, StartError
from heed.app.inference.allocator import use_one_arena
from heed.app.server.collector import collect_rarely
from heed.app.settings import Settings, unknown_variables
from heed.app.tasks import TASKS
from heed.app.tasks.task import Task
from heed.models.card_parser import read_ahead

LOG_FORMAT = "%(asctime)s %(levelname)s %(name)s %(message)s"

EXIT_CODES = """\
exit codes:
  0    success
  1    failure: weights that cannot be read, a port in use, a bug
  2    invalid request: a wrong option, an unknown model, a text or picture that is refused
  130  interrupted by Ctrl-C

All other settings are environment variables, such as HEED_PRELOAD=all; docs/settings.md lists them.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    open_closed_streams()
    try:
        return _run(arguments)
    except BrokenPipeError:  # the reader of the output has closed the pipe
        discard(sys.stdout)
        return DONE
    except SystemExit as error:  # rich ends so, and has discarded the output
        if not isinstance(error.__context__, BrokenPipeError):
            raise
        return DONE
    except CommandError as error:
        complain(str(error))
        return error.code
    except OSError as error:
        if not cannot_be_written(error):
            raise
        discard(sys.stdout)
        complain(f"The output cannot be written: {error.strerror}.")
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(arguments: Sequence[str] | None) -> int:
    try:
        options = _parser().parse_args(arguments)
        code: int = options.run(options)
    finally:  # after `--help` and errors, too
        sys.stdout.flush()
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="heed",
        description="Attention, made visible: what a neural network attends to at every step.",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"heed {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="command", required=True)
    _add_serve(commands.add_parser("serve", help="start the server"))
    for task in TASKS:
        _add_task(commands.add_parser(task.id, help=task.command.help), task)
    backup = commands.add_parser("backup", help="copy all saved traces to a file")
    backup.description = "Copy all saved traces to a new file. The server may be running."
    backup.add_argument("file", help="the copy; the file must not exist yet")
    backup.set_defaults(run=_backup)
    restore = commands.add_parser("restore", help="add the saved traces of a file to the store")
    restore.description = (
        "Add the traces of a backup, or of another server's traces.sqlite3, to those of the store. "
        "Links, keys and expiry stay. Traces that are there already are left alone."
    )
    restore.add_argument("file", help="the file with the traces; its server may be running")
    restore.set_defaults(run=_restore)
    doctor = commands.add_parser("doctor", help="check that the server can run here")
    doctor.description = (
        "Check packages, models, the store and the port. The exit code is 1 if there is a problem."
    )
    doctor.set_defaults(run=_doctor)
    models = commands.add_parser("models", help="list the models")
    models.add_argument("--json", action="store_true", help="print JSON, as the API returns it")
    models.set_defaults(run=_models)
    _add_lesson(commands.add_parser("lesson", help="write a lesson as a file"))
    _add_audit(commands.add_parser("audit", help="say what the attention to a text is worth"))
    _add_heads(commands.add_parser("heads", help="rank the heads of a translator"))
    _add_align(commands.add_parser("align", help="measure the word alignments of a translator"))
    _add_export(commands.add_parser("export", help="export models to ONNX"))
    return parser


def _add_serve(parser: argparse.ArgumentParser) -> None:
    parser.description = "Start the server. Ctrl-C stops it."
    parser.add_argument("--host", help="address to listen on (HEED_HOST, else 127.0.0.1)")
    parser.add_argument("--port", type=int, help="port, 0 for any free one (HEED_PORT, else 8000)")
    parser.add_argument("--workers", type=int, help="processes that serve (HEED_WORKERS, else 1)")
    parser.add_argument(
        "--ray", action="store_true", help="serve replicas on Ray Serve (the extra `ray`)"
    )
    parser.add_argument(
        "--model",
        action="append",
        metavar="NAME=PATH",
        help="offer the Hugging Face model in a folder as well; repeatable (HEED_HF_MODELS)",
    )
    parser.set_defaults(run=_serve)


def _add_task(parser: argparse.ArgumentParser, task: Task[Any]) -> None:
    """Add the arguments of a task, and the options that its schema and its command have."""
    command, fields, add = task.command, task.schema.model_fields, parser.add_argument
    parser.description = command.description
    for name, help_ in command.inputs.items():
        add(name, help=help_)
    add("--model", help=f"id of a model of `heed models` (default: {command.default})")
    if "search" in fields:
        _add_search(parser, hard="draws" in fields)
    if "edits" in fields:
        _add_edits(parser, writes="continue_from" in fields)
    if "layer" in fields:
        add("--layer", type=int, metavar="N", help="a layer, from 0, whose head is shown")
        add("--head", type=int, metavar="N", help="the head of that layer, from 0 (default: 0)")
    if command.overlay:
        add("--overlay", metavar="FILE", help=command.overlay)
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--json", action="store_true", help="print the trace as JSON, as the API returns it"
    )
    if command.answer:
        form.add_argument("--quiet", action="store_true", help=f"print only the {command.answer}")
    details = ("weights", "steps", "full")
    add("--detail", choices=details, default="steps", help="detail of --json")
    if "vectors" in fields:
        vectors = "vectors of --json: of cross-attention heads, or of all heads"
        add("--vectors", choices=("cross", "all"), default="cross", help=vectors)
    parser.set_defaults(run=lambda options: _run_task(task, options))


def _add_search(parser: argparse.ArgumentParser, *, hard: bool) -> None:
    cells = "; of hard attention only the cells" if hard else ""
    add = parser.add_argument
    add("--target", help="forced decoding: the output that the model is made to write")
    add("--beam", type=int, metavar="N", help="beam search with N hypotheses")
    add("--seed", type=int, metavar="N", help=f"sample the output, with this seed{cells}")
    add("--temperature", type=float, metavar="T", help="temperature of sampling (default: 1)")


def _add_edits(parser: argparse.ArgumentParser, *, writes: bool) -> None:
    add = parser.add_argument
    add(
        "--edit",
        action="append",
        default=[],
        metavar="EDIT",
        help="edit the attention, such as \"block 'not' at 4\"; repeatable (docs/attention.md)",
    )
    if writes:
        add(
            "--continue-from",
            type=int,
            metavar="N",
            help="the step, from 0, from which the model writes on under the edits",
        )


def _run_task(task: Task[Any], options: argparse.Namespace) -> int:
    from heed.app.commands.task import run_task

    return run_task(task, options)


def _add_audit(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Take each key away from each step of a model, and print what that costs beside what "
        "chance costs. Layers, heads and rows count from 0."
    )
    add = parser.add_argument
    add("input", help="the text, or the file of a picture; - reads standard input")
    add("--model", help="id of a model of `heed models`, or a folder (default: the first)")
    add("--question", help="a question about the picture")
    _add_search(parser, hard=True)
    removals = "block a key: the others share its weight; or silence it: its value counts nothing"
    add("--removal", choices=("block", "silence"), default="block", help=removals)
    add("--layer", type=int, metavar="N", help="the heads of this layer alone")
    add("--head", type=int, metavar="N", help="the heads of this number alone")
    add("--row", type=int, metavar="N", help="the row whose orders are bounded")
    add("--seeds", type=int, metavar="N", default=20, help="seeds of each baseline (default: 20)")
    figures = "audit", "contrast", "rewritten", "orders", "curves"
    add("--figure", choices=figures, default="audit", help="another figure; most are of a row")
    add("--other", metavar="WORD", help="the word that a contrast compares with that of the row")
    units = (
        "before the output is rewritten, take the key from every row, or the word from the input"
    )
    add("--unit", choices=("edge", "word"), default="edge", help=units)
    add("--json", action="store_true", help="print the audit as JSON, as the API returns it")
    parser.set_defaults(run=_audit)


def _audit(options: argparse.Namespace) -> int:
    from heed.app.commands.audit import audit

    return audit(options)


def _add_heads(parser: argparse.ArgumentParser) -> None:
    parser.description = "Rank the heads of a translator over sentences."
    add = parser.add_argument
    add("model", help="id of a model of `heed models`, or the folder of a Hugging Face model")
    add(
        "pairs",
        help="file with a sentence on each line; behind tabs its output and its links (0-0 2-1)",
    )
    add("--by", choices=("alignment", "entropy", "diagonal", "sink", "moved"), help="the measure")
    add(
        "--kind", choices=("cross", "decoder-self", "encoder-self"), help="heads of this kind alone"
    )
    add("--top", type=int, metavar="N", help="print the first N heads")
    add("--beside", metavar="MODEL", help="another model, such as the base of a fine-tuned one")
    parser.set_defaults(run=_heads)


def _heads(options: argparse.Namespace) -> int:
    from heed.app.commands.heads import heads

    return heads(options)


def _add_lesson(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Write a lesson as one HTML file that works without a server, or as a handout to print."
    )
    add = parser.add_argument
    add("name", help="the lesson, such as one-vector")
    add("-o", "--output", metavar="FILE", help="the file (default: NAME.html)")
    add("--handout", action="store_true", help="figures, questions and answers, to print")
    parser.set_defaults(run=_lesson)


def _lesson(options: argparse.Namespace) -> int:
    from heed.app.commands.lesson import write_lesson

    return write_lesson(options.name, options.output, handout=options.handout)


def _add_align(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Measure the word alignments that the heads of a translator make, against links. The exit "
        "code is 1 if the best one is worse than --at-most."
    )
    add = parser.add_argument
    add("model", help="id of a model of `heed models`, or the folder of a Hugging Face model")
    add("pairs", help="file with an input, an output and links (0-0 2-1, possible ones 2?3)")
    add("--at-most", type=float, metavar="AER", help="the greatest alignment error rate, 0 to 1")
    add("--tags", metavar="TEXT", help="a text with <b>…</b>: print where the tags would land")
    add("--json", action="store_true", help="print the report as JSON")
    parser.set_defaults(run=_align)


def _align(options: argparse.Namespace) -> int:
    from heed.app.commands.align import align

    return align(options)


def _add_export(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Export models from PyTorch to ONNX graphs, beside their weights. "
        "Repeat it after a model was trained again. With --to, write one model in another format."
    )
    parser.add_argument("models", nargs="*", metavar="model", help="ids (default: all)")
    parser.add_argument(
        "--to",
        nargs=2,
        metavar=("FORMAT", "DIR"),
        help="hf: a model of Hugging Face transformers, with its tokenizer, into this folder",
    )
    parser.set_defaults(run=_export)


def _serve(options: argparse.Namespace) -> int:
    collect_rarely()
    discard_closed_stdout()
    settings = Settings.from_environment(
        host=options.host,
        port=options.port,
        workers=options.workers,
        hf_models=os.pathsep.join(options.model) if options.model else None,
    )
    if options.ray:
        if settings.hf_models:  # the replicas read their environment
            os.environ["HEED_HF_MODELS"] = settings.hf_models
        return _serve_on_ray(settings)
    if settings.workers == 1:
        return _serve_here(settings)
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="heed-metrics-") as folder:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder  # before prometheus_client is imported
        return _serve_here(settings)


def _serve_on_ray(settings: Settings) -> int:
    try:
        from heed.ray import serve_on_ray
    except ImportError:
        raise StartError(
            '--ray needs Ray Serve. Install it with: pip install "heed-attention[ray]".'
        ) from None
    return serve_on_ray(settings)


def _serve_here(settings: Settings) -> int:
    use_one_arena()  # before there is a thread
    read_ahead(settings.weights)  # while the rest of the program is imported

    from heed.app.server.serve import serve

    logging.basicConfig(level=settings.log_level.upper(), format=LOG_FORMAT)
    for sentence in unknown_variables():
        logging.getLogger("heed").warning(sentence)
    return serve(settings)


def _export(options: argparse.Namespace) -> int:
    from heed.app.commands.export import convert, export

    if options.to:
        return convert(options.models, *options.to)
    return export(options.models)


def _backup(options: argparse.Namespace) -> int:
    from heed.app.commands.backup import backup

    return backup(Path(options.file), Settings.from_environment())


def _restore(options: argparse.Namespace) -> int:
    from heed.app.commands.backup import restore

    return restore(Path(options.file), Settings.from_environment())


def _doctor(_: argparse.Namespace) -> int:
    from heed.app.commands.doctor import doctor

    return doctor()


def _models(options: argparse.Namespace) -> int:
    from heed.app.commands.models import models

    return models(as_json=options.json)
