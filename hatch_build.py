"""Compile the kernels while Heed is built or installed; without a C compiler there are none."""

from __future__ import annotations

import runpy
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPILED = "models/runtime/native/compiled.py"


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the kernels to the wheel, which then is for this platform only."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the kernels before a wheel is built, an editable one too."""
        del version
        libraries = runpy.run_path(str(Path(self.root) / COMPILED))["compile_all"]()
        if not libraries:
            self.app.display_warning("No C compiler: translators will run on ONNX Runtime.")
            return
        build_data["artifacts"] += [str(path.relative_to(self.root)) for path in libraries]
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"py3-none-{platform}"
        build_data["pure_python"] = False
