"""Serving: connections with deadlines, the accept loop, and the `uvicorn` settings."""
