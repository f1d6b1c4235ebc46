"""Compilation of kernels.c with the C compiler of the system, and the paths of the results.

Runs when Heed is installed (hatch_build.py), so it imports only the standard library. The name of
a result contains the digest of the source, so that results of another source are not loaded.
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
PARTS = (SOURCE, *(HERE / part for part in ("amx.c", "conv.c", "edits.c")))
"""The others are included by the first."""
COMPILERS = ("cc", "gcc", "clang")
REQUEST_TILES = (158, 0x1023, 18)  # arch_prctl, ARCH_REQ_XCOMP_PERM, XTILEDATA
FLAGS = ("-O3", "-std=gnu11", "-fPIC", "-shared", "-pthread", "-fno-math-errno")


@dataclass(frozen=True, slots=True)
class Level:
    """A kind of processor that the kernels are compiled for."""

    name: str
    flags: tuple[str, ...]
    needs: frozenset[str] = frozenset()  # flags of /proc/cpuinfo

    def runs_here(self) -> bool:
        """Return true if this processor and this process can run the kernels of this level."""
        return self.needs <= cpu_flags() and ("amx_tile" not in self.needs or may_use_tiles())


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
"""The levels of each `platform.machine()`, best first."""


@cache
def cpu_flags() -> frozenset[str]:
    """Return the flags of this processor; none where they cannot be read."""
    try:
        lines = Path("/proc/cpuinfo").read_text("ascii", "replace").splitlines()
    except OSError:
        return frozenset()
    return frozenset(next((line for line in lines if line.startswith("flags")), "").split())


@cache
def may_use_tiles() -> bool:
    """Request the tile registers from Linux, which a process must do before it uses them."""
    try:
        system_call = ctypes.CDLL(None).syscall
    except (AttributeError, OSError):
        return False
    return bool(system_call(*map(ctypes.c_long, REQUEST_TILES)) == 0)


def library(level: Level) -> Path:
    """Return the path of the kernels of a level."""
    return HERE / f"kernels-{level.name}-{_source()}.so"


def only_outdated() -> bool:
    """Return true if kernels were compiled here, but all of them from another source than this."""
    made = set(HERE.glob("kernels-*.so"))
    return bool(made) and made.isdisjoint(map(library, LEVELS.get(platform.machine(), ())))


@cache
def _source() -> str:
    return hashlib.sha256(b"".join(part.read_bytes() for part in PARTS)).hexdigest()[:12]


def compile_all(machine: str = "") -> list[Path]:
    """Compile the kernels of all levels of a machine; return the paths of the results.

    For another machine than this one, `CC` must name a cross compiler.
    """
    compiler = shutil.which(os.environ.get("CC", "")) or next(
        filter(None, map(shutil.which, COMPILERS)), None
    )
    if compiler is None or os.name != "posix":
        return []
    levels = [
        level
        for level in LEVELS.get(machine or platform.machine(), ())
        if _compiled(compiler, level)
    ]
    made = [library(level) for level in levels]
    for old in set(HERE.glob("kernels-*.so")) - set(made):
        old.unlink(missing_ok=True)  # a server that has loaded it keeps running
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
