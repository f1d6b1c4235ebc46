"""Text in and out of a model: normalization, tokenization, rare words."""
