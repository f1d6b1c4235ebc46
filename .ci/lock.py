"""`make lock`: the packages of the image, pinned by the digest of every file that fits it.

torch is left out: its CPU build comes from another index, with other digests.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import requires
from pathlib import Path

ROOT = Path(__file__).parents[1]
LEFT_OUT = {"torch"}
EXTRAS = ("postgresql", "redis")  # of the image
BACKEND = "hatchling"  # builds Heed in the image
PLATFORMS = ("x86_64", "aarch64")
PYTHON = "3.11"  # of the image
HEAD = "# Made by `make lock`. Linux on {}, Python {}; torch is left out.\n"
NAME = re.compile(r"[A-Za-z0-9._-]+")


def pinned_packages() -> list[str]:
    """Return the server's packages and their dependencies, as pinned in constraints.txt."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    pinned = {
        _plain(line.partition("==")[0]): line
        for line in (ROOT / "constraints.txt").read_text().split()
    }
    found: dict[str, str] = {}
    lines = [*project["dependencies"], BACKEND]
    for extra in EXTRAS:
        lines += project["optional-dependencies"][extra]
    open_ends = [NAME.match(line)[0] for line in lines]  # type: ignore[index]
    while open_ends:
        name = _plain(open_ends.pop())
        if name in found or name not in pinned:
            continue
        found[name] = pinned[name]
        open_ends += [
            NAME.match(line)[0]  # type: ignore[index]
            for line in requires(name) or ()
            if "extra ==" not in line
        ]
    return sorted((found[name] for name in found.keys() - LEFT_OUT), key=str.lower)


def digests(lines: list[str], machine: str) -> dict[str, str]:
    """Return the digest of the file that pip would install on such a machine, by package."""
    platforms = [f"--platform=manylinux_2_{minor}_{machine}" for minor in (17, 26, 27, 28)]
    platforms.append(f"--platform=manylinux2014_{machine}")
    command = [
        *(sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--report", "-"),
        *("--no-deps", "--ignore-installed", "--only-binary=:all:", "--target", "nowhere"),
        *("--python-version", PYTHON, *platforms, *lines),
    ]
    done = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603 - ours
    return {
        _plain(each["metadata"]["name"]): each["download_info"]["archive_info"]["hashes"]["sha256"]
        for each in json.loads(done.stdout)["install"]
    }


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def main() -> None:
    """Write the file."""
    lines = pinned_packages()
    found = [digests(lines, machine) for machine in PLATFORMS]
    text = HEAD.format(" and ".join(PLATFORMS), PYTHON)
    for line in lines:
        name = _plain(line.partition("==")[0])
        each = sorted({one[name] for one in found})
        text += line + "".join(f" \\\n    --hash=sha256:{digest}" for digest in each) + "\n"
    (ROOT / "requirements.lock").write_text(text)


if __name__ == "__main__":
    main()
