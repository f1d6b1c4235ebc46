"""Sounds: files of samples, as models take them."""
