"""A virtual environment with the visualizers of attention that Heed is compared with.

They depend on packages that Heed does not need, so they never enter Heed's own environment.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / ".venv" / "visualizers"
TORCH = "torch==2.13.0"
PACKAGES = ("transformers==5.23.0", "bertviz==1.4.1", "inseq==0.7.1")
CPU_INDEX = "https://download.pytorch.org/whl/cpu"


def python() -> Path:
    """Return the interpreter of the environment, which is made the first time."""
    found = FOLDER / "bin" / "python"
    complete = FOLDER / ".installed"
    wanted = "\n".join((TORCH, *PACKAGES))
    if complete.is_file() and complete.read_text("utf-8") == wanted:
        return found
    subprocess.run([sys.executable, "-m", "venv", str(FOLDER)], check=True)
    pip = [str(found), "-m", "pip", "--disable-pip-version-check"]
    install = [*pip, "install", "--quiet"]
    # On Linux, torch from PyPI depends on gigabytes of CUDA: a local wheel, or the index for CPUs.
    local = subprocess.run([*install, "--no-index", "--no-deps", TORCH], check=False)
    if local.returncode:
        subprocess.run([*install, "--index-url", CPU_INDEX, TORCH], check=True)
    subprocess.run([*install, TORCH, *PACKAGES], check=True)
    listed = subprocess.run([*pip, "list"], check=True, capture_output=True, text=True).stdout
    if "nvidia" in listed:
        raise RuntimeError(f"{FOLDER} has packages of CUDA: remove the folder")
    complete.write_text(wanted, "utf-8")
    return found
