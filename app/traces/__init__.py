"""Traces on the wire and on disk: JSON, NPZ, the store, import from other programs."""
