"""Training and evaluation of captioners."""
