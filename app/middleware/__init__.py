"""ASGI middleware, each around the whole application."""
