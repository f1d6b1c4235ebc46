"""The command `heed`."""

from __future__ import annotations

import argparse
import gc
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from heed import __version__
from heed.app.commands.errors import DONE, INTERRUPTED, CommandError
from heed.app.settings import Settings, unknown_variables
from heed.models.catalogue import read_ahead

# A batch of traces is some ten thousand objects at once, hardly one of them in a cycle, and none of
# what is imported is. Looking for cycles after every 700, as Python does by itself, took a tenth of
# the time under a crowd, and a tenth of the start.
OBJECTS = 50_000  # that have come and not gone since cycles were looked for
ROUNDS = 20  # of these until those that stayed are looked at as well, and once more until all are

EXIT_CODES = """\
exit codes:
  0    done
  1    it could not be done: no readable weights, a port in use, a defect
  2    the request is at fault: a wrong option, no such model, a text or picture that cannot be
       taken
  130  interrupted by Ctrl-C

Settings beyond the options are environment variables, HEED_PRELOAD=all for instance;
docs/settings.md lists them.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and give its exit code."""
    asked = _parser().parse_args(arguments)
    try:
        code: int = asked.run(asked)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read our output has had enough
        _leave_stdout()
        return DONE
    except CommandError as error:
        print(f"heed: {error}", file=sys.stderr)
        return error.code
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _leave_stdout() -> None:
    """Let the interpreter's last flush go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="heed",
        description="Heed shows where a neural network looks.",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"heed {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="command", required=True)
    _add_serve(commands.add_parser("serve", help="start the server and its page"))
    _add_translate(commands.add_parser("translate", help="translate one text, show what was read"))
    _add_caption(commands.add_parser("caption", help="describe a picture"))
    _add_ask(commands.add_parser("ask", help="ask something about a picture"))
    backup = commands.add_parser("backup", help="copy all saved traces to a file")
    backup.description = "Copy all saved traces to a new file. The server may go on meanwhile."
    backup.add_argument("file", help="the copy; there must be no file of that name yet")
    backup.set_defaults(run=_backup)
    doctor = commands.add_parser("doctor", help="check that the server can run here")
    doctor.description = "Check packages, models, the store and the port. 1 if anything is wrong."
    doctor.set_defaults(run=_doctor)
    models = commands.add_parser("models", help="list the models")
    models.add_argument("--json", action="store_true", help="as the API gives it")
    models.set_defaults(run=_models)
    _add_export(commands.add_parser("export", help="write the graphs that run without PyTorch"))
    return parser


def _add_serve(parser: argparse.ArgumentParser) -> None:
    parser.description = "Start the server. Ctrl-C stops it."
    parser.add_argument("--host", help="address to listen on (HEED_HOST, else 127.0.0.1)")
    parser.add_argument("--port", type=int, help="port, 0 for any free one (HEED_PORT, else 8000)")
    parser.set_defaults(run=_serve)


def _add_translate(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Print the output on the first line, and below it what was read for every piece of it."
    )
    add = parser.add_argument
    add("text", help="the text; - reads it from standard input")
    add("--model", help="id of a model of `heed models` (default: the first)")
    add("--target", help="make the model write this, and see what it looks at")
    add("--beam", type=int, metavar="N", help="beam search that keeps N hypotheses")
    add("--seed", type=int, metavar="N", help="draw the output by chance, from this seed")
    add(
        "--temperature", type=float, metavar="T", help="of the draw: less is bolder, more is wilder"
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print the trace as the API gives it")
    form.add_argument("--quiet", action="store_true", help="print the output alone")
    _add_telling(parser)
    parser.set_defaults(run=_translate)


def _add_telling(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--detail", choices=("weights", "steps", "full"), default="steps", help="of --json")
    add("--vectors", choices=("cross", "all"), default="cross", help="of --json: of which heads")


def _add_caption(parser: argparse.ArgumentParser) -> None:
    parser.description = "Print what a model writes below a picture."
    parser.add_argument("picture", help="file of the picture; - reads it from standard input")
    _add_seeing(parser)
    parser.set_defaults(run=_caption)


def _add_ask(parser: argparse.ArgumentParser) -> None:
    parser.description = "Print what a model answers to a question about a picture."
    parser.add_argument("picture", help="file of the picture; - reads it from standard input")
    parser.add_argument("question", help="what is asked of it")
    _add_seeing(parser)
    parser.set_defaults(run=_ask)


def _add_export(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Write the graphs of models beside their weights, for ONNX Runtime, from the PyTorch "
        "modules. A model that was trained again needs them again."
    )
    parser.add_argument("models", nargs="*", metavar="model", help="ids (default: all)")
    parser.set_defaults(run=_export)


def _add_seeing(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--model", help="id of a model of `heed models` (default: the first of its task)")
    add("--target", help="make the model write this, and see where it would look")
    add("--beam", type=int, metavar="N", help="beam search that keeps N hypotheses")
    add(
        "--seed",
        type=int,
        metavar="N",
        help="draw the output by chance, from this seed; of hard attention, the cells alone",
    )
    add(
        "--temperature", type=float, metavar="T", help="of the draw: less is bolder, more is wilder"
    )
    add("--overlay", metavar="FILE", help="draw where it looked for each word, as a picture: a.png")
    add("--json", action="store_true", help="print the trace as the API gives it")
    _add_telling(parser)


def _serve(asked: argparse.Namespace) -> int:
    gc.set_threshold(OBJECTS, ROUNDS, ROUNDS)
    settings = Settings.from_environment(host=asked.host, port=asked.port)
    read_ahead(settings.weights)  # while the rest of the program is imported

    from heed.app.server.log_format import configure_logging
    from heed.app.server.serve import serve

    configure_logging(settings.log_level.upper())
    for sentence in unknown_variables():
        logging.getLogger("heed").warning(sentence)
    return serve(settings)


def _translate(asked: argparse.Namespace) -> int:
    from heed.app.commands.translate import translate

    return translate(asked)


def _caption(asked: argparse.Namespace) -> int:
    from heed.app.commands.caption import caption

    return caption(asked)


def _ask(asked: argparse.Namespace) -> int:
    from heed.app.commands.caption import ask

    return ask(asked)


def _export(asked: argparse.Namespace) -> int:
    from heed.app.commands.translate import export

    return export(asked.models)


def _backup(asked: argparse.Namespace) -> int:
    from heed.app.commands.backup import backup

    return backup(Path(asked.file), Settings.from_environment())


def _doctor(_: argparse.Namespace) -> int:
    from heed.app.commands.doctor import doctor

    return doctor()


def _models(asked: argparse.Namespace) -> int:
    from heed.app.commands.translate import models

    return models(as_json=asked.json)
