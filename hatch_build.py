"""Add the files of `heed/` to a distribution, and compile the kernels of a wheel.

Without a C compiler there are no kernels. `HEED_KERNELS=none` leaves them out; with the name of a
machine, as `HEED_KERNELS=aarch64`, the cross compiler `CC` compiles those for Linux on it.
"""

from __future__ import annotations

import os
import runpy
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPILED = "models/runtime/native/compiled.py"


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds files to a distribution before it is built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files of `heed/`, which an editable wheel finds in the checkout."""
        if version != "editable":
            build_data["force_include"] |= self._package()
        if self.target_name == "wheel":
            self._compile(build_data)

    def _package(self) -> dict[str, str]:
        """Return the files of `heed/` by their paths.

        Not its links to folders beside it: Hatch would follow them, and leave out the folders.
        """
        files = (path for path in Path(self.root, "heed").iterdir() if path.is_file())
        return {str(path): f"heed/{path.name}" for path in files}

    def _compile(self, build_data: dict[str, Any]) -> None:
        """Add the kernels to a wheel, which then is for this platform only."""
        machine = os.environ.get("HEED_KERNELS", "")
        if machine == "none":
            return
        libraries = runpy.run_path(str(Path(self.root) / COMPILED))["compile_all"](machine)
        if not libraries:
            self.app.display_warning("No C compiler: translators will run on ONNX Runtime.")
            return
        build_data["artifacts"] += [str(path.relative_to(self.root)) for path in libraries]
        platform = f"linux-{machine}" if machine else sysconfig.get_platform()
        build_data["tag"] = f"py3-none-{platform.replace('-', '_').replace('.', '_')}"
        build_data["pure_python"] = False
