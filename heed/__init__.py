"""Heed shows where a neural network looks.

`heed.app` is the web application and the command line, `heed.models` the networks, their runtimes
and the trace that they all produce.
"""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("heed")
except PackageNotFoundError:  # run from a folder that was never installed
    __version__ = "0+unknown"
