"""Edits of attention: the operations as data, and what they do to a row of scores."""
