"""HTML pages, their static files and the trace that is inlined into them."""
