"""HTTP and the command line of Heed. It touches no tensor: that is what `models` is for."""

from importlib.metadata import PackageNotFoundError, version

try:
    VERSION = version("heed")
except PackageNotFoundError:  # run from a folder that was never installed
    VERSION = "0+unknown"
