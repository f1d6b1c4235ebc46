"""Training data of translators."""
