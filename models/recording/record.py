"""Recording a module while it runs."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from heed.models.recording.operations import RecordingMode, record_outputs
from heed.models.recording.tape import Hook, Tape, current


@contextmanager
def recording(module: nn.Module, hook: Hook | None = None) -> Iterator[Tape]:
    """Record the attention of a module; it is as before when the block is left.

    The last run of the module is what the tape has. `hook` may return other weights than those it
    is given, which the module then goes on with.
    """
    tape = Tape(hook)
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
    """Keep the path of the module that runs, and look at what modules return.

    The `forward` of each module is replaced: hooks would change dictionaries that other threads
    may be iterating over. Modules that several recordings have in common are replaced once.
    """
    named = {id(part): path for path, part in module.named_modules()}
    tape.paths = named
    modules = [part for part in module.modules() if not isinstance(part, torch.jit.ScriptModule)]
    with _lock:
        for part in modules:
            _replace(part)
    try:
        yield
    finally:
        with _lock:
            for part in modules:
                _restore(part)


class _Replaced(NamedTuple):
    """A module whose `forward` is replaced."""

    module: nn.Module
    own: Callable[..., Any] | None  # a `forward` of the object itself, not of its class
    recordings: int


_lock = threading.Lock()
_replaced: dict[int, _Replaced] = {}


def _replace(module: nn.Module) -> None:
    replaced = _replaced.get(id(module)) or _Replaced(module, module.__dict__.get("forward"), 0)
    if not replaced.recordings:
        module.__dict__["forward"] = _watched(module, module.forward)
    _replaced[id(module)] = replaced._replace(recordings=replaced.recordings + 1)


def _restore(module: nn.Module) -> None:
    replaced = _replaced.pop(id(module))
    if replaced.recordings > 1:
        _replaced[id(module)] = replaced._replace(recordings=replaced.recordings - 1)
    elif replaced.own is None:
        del module.__dict__["forward"]
    else:
        module.__dict__["forward"] = replaced.own


def _watched(module: nn.Module, forward: Callable[..., Any]) -> Callable[..., Any]:
    """Return a `forward` that writes to the tape of its thread, if that knows the module."""

    @wraps(forward)
    def watched(*args: Any, **options: Any) -> Any:
        tape = current.get()
        path = None if tape is None else tape.paths.get(id(module))
        if tape is None or path is None:
            return forward(*args, **options)
        if not tape.stack:
            tape.restart()
        tape.stack.append(path)
        try:
            output = forward(*args, **options)
        finally:
            tape.stack.pop()
        given = [value for value in (*args, *options.values()) if isinstance(value, Tensor)]
        if path:
            rows = next((value.shape[0] for value in given if value.dim()), 1)
            record_outputs(tape, path, rows, output)
        parts = output if isinstance(output, tuple | list) else (output,)
        tape.surround(path, _states(given), _states(parts))
        return output

    return watched


def _states(values: Iterable[object]) -> Tensor | None:
    """Return the first vectors of a batch of tokens among these values."""
    return next((value for value in values if isinstance(value, Tensor) and value.dim() == 3), None)
