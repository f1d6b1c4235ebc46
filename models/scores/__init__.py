"""Scores of attention, taken apart."""
