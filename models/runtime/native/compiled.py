"""Compile kernels.c with the C compiler of the system, and find the compiled libraries.

It runs when Heed is installed (hatch_build.py) and imports only the standard library, since
nothing else is installed at that moment. The name of a library contains the digest of its source,
so that a library of another source is never loaded.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
SOURCE = HERE / "kernels.c"
PARTS = (SOURCE, HERE / "amx.c", HERE / "conv.c")  # the others are included by it
COMPILERS = ("cc", "gcc", "clang")
ASK_FOR_TILES = (158, 0x1023, 18)  # arch_prctl, ARCH_REQ_XCOMP_PERM, XTILEDATA
FLAGS = ("-O3", "-std=gnu11", "-fPIC", "-shared", "-pthread", "-fno-math-errno")


@dataclass(frozen=True, slots=True)
class Level:
    """A kind of processor that the kernels are compiled for."""

    name: str
    flags: tuple[str, ...]
    needs: frozenset[str] = frozenset()  # features of the processor, by their Linux names

    def runs_here(self) -> bool:
        """Return whether the processor has the needed features and the process may use them."""
        return self.needs <= abilities() and ("amx_tile" not in self.needs or may_use_tiles())


_V4 = frozenset("avx512f avx512bw avx512dq avx512vl".split())
_X86 = (
    Level(
        "amx",
        ("-march=x86-64-v4", "-mamx-tile", "-mamx-bf16"),
        _V4 | {"amx_tile", "amx_bf16"},
    ),
    Level("v4", ("-march=x86-64-v4",), _V4),
    Level("v3", ("-march=x86-64-v3",), frozenset("avx2 fma f16c".split())),
)
_ARM = (Level("arm64", ()),)
LEVELS = {"x86_64": _X86, "AMD64": _X86, "aarch64": _ARM, "arm64": _ARM}
"""Levels by `platform.machine`, the best first."""


@cache
def abilities() -> frozenset[str]:
    """Return the features of this processor; empty where the system does not list them."""
    try:
        lines = Path("/proc/cpuinfo").read_text("ascii", "replace").splitlines()
    except OSError:
        return frozenset()
    return frozenset(next((line for line in lines if line.startswith("flags")), "").split())


@cache
def may_use_tiles() -> bool:
    """Request the tile registers, which Linux gives to a process only on request."""
    try:
        system_call = ctypes.CDLL(None).syscall
    except (AttributeError, OSError):
        return False
    return bool(system_call(*map(ctypes.c_long, ASK_FOR_TILES)) == 0)


def library(level: Level) -> Path:
    """Return the path of the library for a kind of processor, which may not exist."""
    return HERE / f"kernels-{level.name}-{_source()}.so"


@cache
def _source() -> str:
    return hashlib.sha256(b"".join(part.read_bytes() for part in PARTS)).hexdigest()[:12]


def compile_all() -> list[Path]:
    """Compile the kernels for this machine's kinds of processor; return the new libraries."""
    found = shutil.which(os.environ.get("CC", "")) or next(
        filter(None, map(shutil.which, COMPILERS)), None
    )
    if found is None or os.name != "posix":
        return []
    levels = [level for level in LEVELS.get(platform.machine(), ()) if _compiled(found, level)]
    made = [library(level) for level in levels]
    for old in set(HERE.glob("kernels-*.so")) - set(made):
        old.unlink(missing_ok=True)  # a server that has it open goes on with it
    return made


def _compiled(compiler: str, level: Level) -> bool:
    target = library(level)
    fresh = target.with_suffix(f".{os.getpid()}")
    command = [compiler, *FLAGS, *level.flags, "-o", str(fresh), str(SOURCE), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        print(f"{shlex.join(command)}\n{done.stderr[-2000:]}", file=sys.stderr)
        return False
    fresh.replace(target)
    return True
