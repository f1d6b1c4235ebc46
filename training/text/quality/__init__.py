"""Evaluation of translators."""
