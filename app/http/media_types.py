"""Media types that requests and responses use."""

from __future__ import annotations

JSON = "application/json"
EVENTS = "text/event-stream"
HTML = "text/html"
NPZ = "application/x-npz"
NPY = "application/x-npy"
MULTIPART = "multipart/form-data"
JSON_SCHEMA = "application/schema+json"

FILE = "image"
SOUND = "sound"
"""Names of the files in a form."""
