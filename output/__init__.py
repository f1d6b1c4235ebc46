"""Traces as JSON, arrays and drawings: what the library saves and the server sends."""
