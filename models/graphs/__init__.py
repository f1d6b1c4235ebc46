"""Graphs: nodes with classes, the edges between them, and a layout."""
