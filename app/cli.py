"""The command `heed`: parses its arguments and runs a command."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path

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
from heed.app.server.collector import collect_rarely
from heed.app.settings import Settings, unknown_variables
from heed.models.card_reader import read_ahead

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
    _add_translate(
        commands.add_parser("translate", help="translate a text and show the attention map")
    )
    _add_caption(commands.add_parser("caption", help="caption a picture"))
    _add_ask(commands.add_parser("ask", help="answer a question about a picture"))
    _add_transcribe(commands.add_parser("transcribe", help="transcribe a sound"))
    _add_see(commands.add_parser("see", help="attend among the patches of a picture"))
    _add_story(commands.add_parser("story", help="answer a question about a story"))
    _add_graph(commands.add_parser("graph", help="classify the nodes of a graph"))
    _add_glimpse(commands.add_parser("glimpse", help="read a digit in glimpses"))
    _add_read(commands.add_parser("read", help="read a sentence word by word"))
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
    _add_heads(commands.add_parser("heads", help="rank the heads of a translator"))
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


def _add_translate(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Print the output on the first line, and the attention map of its tokens below it."
    )
    parser.add_argument("text", help="the text; - reads standard input")
    _add_text_options(parser, "the first")
    parser.set_defaults(run=_translate)


def _add_text_options(parser: argparse.ArgumentParser, default: str) -> None:
    add = parser.add_argument
    add("--model", help=f"id of a model of `heed models` (default: {default})")
    add("--target", help="forced decoding: the output that the model is made to write")
    add("--beam", type=int, metavar="N", help="beam search with N hypotheses")
    add("--seed", type=int, metavar="N", help="sample the output, with this seed")
    add("--temperature", type=float, metavar="T", help="temperature of sampling (default: 1)")
    _add_form(parser, "output")
    _add_vectors(parser)


def _add_vectors(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--vectors",
        choices=("cross", "all"),
        default="cross",
        help="vectors of --json: of cross-attention heads, or of all heads",
    )


def _add_caption(parser: argparse.ArgumentParser) -> None:
    parser.description = "Print a caption of a picture."
    parser.add_argument("picture", help="file of the picture; - reads standard input")
    _add_picture_options(parser)
    parser.set_defaults(run=_caption)


def _add_transcribe(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Print what is heard in a sound on the first line, and below it the attention map over its "
        "frames. The models are those of HEED_HF_MODELS."
    )
    parser.add_argument("sound", help="WAV file of the sound; - reads standard input")
    _add_text_options(parser, "the first of its task")
    parser.set_defaults(run=_transcribe)


def _transcribe(options: argparse.Namespace) -> int:
    from heed.app.commands.transcribe import transcribe

    return transcribe(options)


def _add_ask(parser: argparse.ArgumentParser) -> None:
    parser.description = "Print the answer to a question about a picture."
    parser.add_argument("picture", help="file of the picture; - reads standard input")
    parser.add_argument("question", help="the question")
    _add_picture_options(parser)
    parser.set_defaults(run=_ask)


def _add_see(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Print the likeliest class of a picture on the first line, and below it how much the class "
        "token reads of each patch: through all layers (rollout), or in one head."
    )
    add = parser.add_argument
    add("picture", help="file of the picture; - reads standard input")
    add("--model", help="id of a model of `heed models` (default: the first of its task)")
    add("--layer", type=int, metavar="N", help="a layer, from 0, whose head is shown")
    add("--head", type=int, metavar="N", help="the head of that layer, from 0 (default: 0)")
    add("--overlay", metavar="FILE", help="write the picture under these weights, such as a.png")
    _add_form(parser, "class")
    parser.set_defaults(run=_see)


def _add_story(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Print the answer to a question on the first line, and below it the weight of each "
        "sentence in each hop."
    )
    add = parser.add_argument
    add("story", help="the story; - reads standard input")
    add("question", help="the question")
    add("--model", help="id of a model of `heed models` (default: the first for stories)")
    _add_form(parser, "answer")
    parser.set_defaults(run=_story)


def _add_glimpse(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Print the digit in a picture on the first line, and below it the belief in each digit "
        "after each glimpse."
    )
    add = parser.add_argument
    add("picture", help="file of the picture; - reads standard input")
    add("--model", help="id of a model of `heed models` (default: the first for glimpses)")
    _add_form(parser, "answer")
    parser.set_defaults(run=_glimpse)


def _add_read(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Print the sentence on the first line, and below it the weights of the earlier words by "
        "which each word was predicted."
    )
    add = parser.add_argument
    add("text", help="the sentence; - reads standard input")
    add("--model", help="id of a model of `heed models` (default: the first for reading)")
    _add_form(parser, "answer")
    parser.set_defaults(run=_read)


def _add_form(parser: argparse.ArgumentParser, answer: str) -> None:
    """Add the options of what is printed: JSON, or the answer and its map."""
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--json", action="store_true", help="print the trace as JSON, as the API returns it"
    )
    form.add_argument("--quiet", action="store_true", help=f"print only the {answer}")
    _add_detail(parser)


def _add_detail(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--detail", choices=("weights", "steps", "full"), default="steps", help="detail of --json"
    )


def _add_graph(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Print the class of each node, and below it the weights between the nodes, a mean over the "
        "heads and layers."
    )
    add = parser.add_argument
    add("graph", help="file with the graph, the title of an example, or - for standard input")
    add("--model", help="id of a model of `heed models` (default: the first for graphs)")
    _add_form(parser, "classes")
    parser.set_defaults(run=_graph)


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


def _add_picture_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--model", help="id of a model of `heed models` (default: the first of its task)")
    add("--target", help="forced decoding: the output that the model is made to write")
    add("--beam", type=int, metavar="N", help="beam search with N hypotheses")
    add(
        "--seed",
        type=int,
        metavar="N",
        help="sample the output, with this seed; of hard attention only the cells",
    )
    add("--temperature", type=float, metavar="T", help="temperature of sampling (default: 1)")
    add(
        "--overlay",
        metavar="FILE",
        help="write a figure of the attention for each word, such as a.png",
    )
    add("--json", action="store_true", help="print the trace as JSON, as the API returns it")
    _add_detail(parser)
    _add_vectors(parser)


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
            '--ray needs Ray Serve. In the checkout of Heed: pip install -e ".[ray]".'
        ) from None
    return serve_on_ray(settings)


def _serve_here(settings: Settings) -> int:
    read_ahead(settings.weights)  # while the rest of the program is imported

    from heed.app.server.serve import serve

    logging.basicConfig(level=settings.log_level.upper(), format=LOG_FORMAT)
    for sentence in unknown_variables():
        logging.getLogger("heed").warning(sentence)
    return serve(settings)


def _translate(options: argparse.Namespace) -> int:
    from heed.app.commands.translate import translate

    return translate(options)


def _caption(options: argparse.Namespace) -> int:
    from heed.app.commands.caption import caption

    return caption(options)


def _ask(options: argparse.Namespace) -> int:
    from heed.app.commands.caption import ask

    return ask(options)


def _see(options: argparse.Namespace) -> int:
    from heed.app.commands.caption import see

    return see(options)


def _story(options: argparse.Namespace) -> int:
    from heed.app.commands.story import story

    return story(options)


def _graph(options: argparse.Namespace) -> int:
    from heed.app.commands.graph import graph

    return graph(options)


def _glimpse(options: argparse.Namespace) -> int:
    from heed.app.commands.glimpse import glimpse

    return glimpse(options)


def _read(options: argparse.Namespace) -> int:
    from heed.app.commands.read import read

    return read(options)


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
