"""A page as one HTML file, which needs no server."""
