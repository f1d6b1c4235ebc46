"""Generating text with a model, step by step, and recording the trace."""
