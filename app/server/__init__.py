"""Serving: the sockets, connections with deadlines, and the settings of uvicorn."""
