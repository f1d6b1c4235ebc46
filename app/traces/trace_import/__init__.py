"""Attention weights of other programs, converted to traces."""
