"""Recording a module while it runs."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from torch import Tensor, nn

from heed.models.recording.operations import RecordingMode, record_outputs
from heed.models.recording.tape import Edit, Tape, current


@contextmanager
def recording(module: nn.Module, edit: Edit | None = None) -> Iterator[Tape]:
    """Record the attention of a module; it is as before when the block is left.

    The last run of the module is what the tape has. `edit` may return other weights than those it
    is given, which the module then goes on with.
    """
    tape = Tape(edit)
    with ExitStack() as stack:
        stack.enter_context(_tracked(module, tape))
        apart = True
        if "transformers" in sys.modules:  # else the module is none of its models
            from heed.models.recording.interface import recording_implementation

            apart = stack.enter_context(recording_implementation(module))
        if apart:
            stack.enter_context(RecordingMode(tape))
        token = current.set(tape)
        try:
            yield tape
        finally:
            current.reset(token)
            tape.softmaxes.clear()


@contextmanager
def _tracked(module: nn.Module, tape: Tape) -> Iterator[None]:
    """Keep the path of the module that runs, and look at what modules return."""
    handles = []
    for path, each in module.named_modules():
        handles.append(each.register_forward_pre_hook(_Enter(tape, path), with_kwargs=True))
        handles.append(
            each.register_forward_hook(_Leave(tape, path), with_kwargs=True, always_call=True)
        )
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


class _Enter:
    """A hook before a module runs."""

    def __init__(self, tape: Tape, path: str) -> None:
        self._tape, self._path = tape, path

    def __call__(self, module: nn.Module, args: Any, options: Any) -> None:
        del module, args, options
        if current.get() is not self._tape:
            return
        if not self._tape.stack:
            self._tape.restart()
        self._tape.stack.append(self._path)


class _Leave:
    """A hook after a module has run, or failed."""

    def __init__(self, tape: Tape, path: str) -> None:
        self._tape, self._path = tape, path

    def __call__(self, module: nn.Module, args: Any, options: Any, output: object) -> None:
        del module
        if current.get() is not self._tape or not self._tape.stack:
            return
        self._tape.stack.pop()
        given = [each for each in (*args, *options.values()) if isinstance(each, Tensor)]
        if self._path:
            rows = next((each.shape[0] for each in given if each.dim()), 1)
            record_outputs(self._tape, self._path, rows, output)
        parts = output if isinstance(output, tuple | list) else (output,)
        self._tape.surround(self._path, _states(given), _states(parts))


def _states(values: Iterable[object]) -> Tensor | None:
    """Return the first vectors of a batch of tokens among these values."""
    return next((each for each in values if isinstance(each, Tensor) and each.dim() == 3), None)
