"""Word lists that translators learn beside their corpora."""
